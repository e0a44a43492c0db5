import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createRelativeDates } from './relative-dates.ts';

/** One record of the demo, with its dates worked out. */
export interface DemoRecord {
  readonly connection_id: string;
  readonly stream: string;
  /** When it came to be, in milliseconds since 1970. */
  readonly at: number;
  readonly data: Record<string, unknown>;
}

/** A line of the data set. `at` is a relative moment; texts may hold placeholders of such moments. */
export interface DemoLine {
  readonly connection_id: string;
  readonly stream: string;
  readonly at: string;
  readonly data: Record<string, unknown>;
}

const DATA_SET = new URL('./demo.ndjson.gz', import.meta.url);

/** Returns the lines of the data set as they are stored, one JSON text each. */
export function readDemoLines(): string[] {
  return gunzipSync(readFileSync(DATA_SET)).toString('utf8').trimEnd().split('\n');
}

/** Returns the demo as it is at `until`, oldest first: what lies after it has not happened yet. */
export function readDemo(until: Date, timeZone: string, lines = readDemoLines()): DemoRecord[] {
  const dates = createRelativeDates(until, timeZone);
  const records = lines.flatMap((text): DemoRecord[] => {
    const line = JSON.parse(dates.write(text)) as DemoLine;
    const at = dates.locate(line.at);
    return at < dates.start || at > until.getTime() ? [] : [{ ...line, at }];
  });
  return addTotals(records).sort((a, b) => a.at - b.at);
}

/** Adds to each chat how many of its messages there are by now, and from when to when. */
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
