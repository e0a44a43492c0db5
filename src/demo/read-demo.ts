import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { DAY_MS } from '../time/durations.ts';
import { formatInstant, showInstant, toLocal, toUtc } from '../time/instant.ts';

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

/**
 * A date relative to the end of the demo. `w-3.2 18:30` is Tuesday (1 is Monday) three weeks before. `m-1.27` is the 27th
 * of the month before, or the last day of a shorter month.
 */
const MOMENT = String.raw`([wm])([+-]?\d+)\.(\d{1,2})(?: (\d\d):(\d\d)(?::(\d\d))?)?`;
const ONLY_MOMENT = new RegExp(`^${MOMENT}$`);
/** A relative date in a text, with its format: `[[en w-3.2]]`. */
const PLACEHOLDER = new RegExp(String.raw`\[\[([a-z_]+) (${MOMENT})\]\]`, 'g');

const WEEKS = 52;

/** Resolves dates relative to `until` in the time zone. */
function createRelativeDates(until: Date, timeZone: string) {
  const today = Math.floor(toLocal(until.getTime(), timeZone) / DAY_MS);
  // 1 January 1970 was a Thursday.
  const monday = today - ((today + 3) % 7);
  const [year, month] = [new Date(today * DAY_MS).getUTCFullYear(), new Date(today * DAY_MS).getUTCMonth()];

  function resolveLocal(moment: string): number {
    const [, unit, count, day, hours = '0', minutes = '0', seconds = '0'] = ONLY_MOMENT.exec(moment) ?? [];
    if (unit === undefined) throw new Error(`not a relative date: ${moment}`);
    const clock = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
    if (unit === 'w') return (monday + Number(count) * 7 + Number(day) - 1) * DAY_MS + clock;
    const last = new Date(Date.UTC(year, month + Number(count) + 1, 0)).getUTCDate();
    return Date.UTC(year, month + Number(count), Math.min(Number(day), last)) + clock;
  }

  const resolve = (moment: string) => toUtc(resolveLocal(moment), timeZone);
  return {
    /** The start of the demo. */
    start: toUtc((monday - WEEKS * 7) * DAY_MS, timeZone),
    resolve,
    /** Replaces all placeholders of a text. */
    replace: (text: string) =>
      text.replace(PLACEHOLDER, (_, form: string, moment: string) => {
        if (form === 'instant') return formatInstant(resolve(moment));
        if (form === 'local') return showInstant(resolve(moment), timeZone);
        return writeInWords(resolveLocal(moment), form);
      }),
  };
}

const DAY_IN_WORDS: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long' };
const MONTH_IN_WORDS: Intl.DateTimeFormatOptions = { month: 'long', year: 'numeric' };
const FORMS: Record<string, Intl.DateTimeFormat> = Object.fromEntries(
  (
    [
      ['en', 'en-GB'],
      ['de', 'de-DE'],
      ['es', 'es-ES'],
    ] as const
  ).flatMap(([key, locale]) => [
    [key, new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...DAY_IN_WORDS })],
    [`month_${key}`, new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...MONTH_IN_WORDS })],
  ]),
);

function writeInWords(local: number, form: string): string {
  if (form === 'date') return new Date(local).toISOString().slice(0, 10);
  const format = FORMS[form];
  if (format === undefined) throw new Error(`unknown date format: ${form}`);
  return format.format(local);
}
