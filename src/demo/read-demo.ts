import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createRelativeDates } from './relative-dates.ts';

/** One record of the demo with absolute dates. */
export interface DemoRecord {
  readonly connection_id: string;
  readonly stream: string;
  /** When it was created, as Unix time in milliseconds. */
  readonly at: number;
  readonly data: Record<string, unknown>;
}

/** A line of the data set. `at` is a relative date; texts may contain placeholders for relative dates. */
export interface DemoLine {
  readonly connection_id: string;
  readonly stream: string;
  readonly at: string;
  readonly data: Record<string, unknown>;
}

const DATA_SET = new URL('./demo.ndjson.gz', import.meta.url);

/** Returns the lines of the data set, one JSON text each. */
export function readDemoLines(): string[] {
  return gunzipSync(readFileSync(DATA_SET)).toString('utf8').trimEnd().split('\n');
}

/** Returns the demo records up to `until`, oldest first. */
export function readDemo(until: Date, timeZone: string, lines = readDemoLines()): DemoRecord[] {
  const dates = createRelativeDates(until, timeZone);
  const records = lines.flatMap((text): DemoRecord[] => {
    const line = JSON.parse(dates.replace(text)) as DemoLine;
    const at = dates.resolve(line.at);
    return at < dates.start || at > until.getTime() ? [] : [{ ...line, at }];
  });
  return addTotals(records).sort((a, b) => a.at - b.at);
}

/** Adds the number of messages and their first and last time to each chat. */
function addTotals(records: readonly DemoRecord[]): DemoRecord[] {
  const times = new Map<unknown, string[]>();
  for (const { stream, data } of records) {
    if (stream !== 'messages' || data.chat_id === undefined) continue;
    times.set(data.chat_id, [...(times.get(data.chat_id) ?? []), data.sent_at as string]);
  }
  return records.map((record) => {
    if (record.stream !== 'chats') return record;
    const sent = (times.get(record.data.id) ?? []).sort();
    const totals = { message_count: sent.length, first_at: sent[0], last_at: sent.at(-1) };
    return { ...record, data: { ...record.data, ...totals } };
  });
}
