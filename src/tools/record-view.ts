import type { GrantedRecord, Match } from '../reader/granted-record.ts';
import { fromSlotValue } from '../schema-index/slot-value.ts';
import { cutText } from '../text/cut-text.ts';
import { type EscapeCount, escapeText, escapeValue } from '../text/escape-text.ts';
import { isPlain } from '../text/unseen.ts';
import type { Budget } from './projector.ts';
import { writeRecordId } from './record-id.ts';

/** A record in a list. `cut` holds, per shortened field, how long it is and the fetch call that continues it. */
export interface RecordRow {
  id: string;
  record: Record<string, unknown>;
  cut?: Record<string, { id: string; field?: string; offset?: number; chars_total?: number }>;
}

/** How long a text may be in a list; shorter and shorter until one record alone fits. */
const TEXT_LENGTHS = [500, 200, 80, 0];
const TITLE_LENGTH = 120;
/** Of a text that is not a title, enough to know it by. */
const WORDS_LENGTH = 60;

export function idOf(record: Omit<GrantedRecord, 'record'>): string {
  return writeRecordId(record.stream.connection.connection_id, record.stream.name, record.key);
}

/**
 * Takes room in the budget for a record, its long values shortened as far as that needs, and returns it as
 * it fits. A record that `must` be shown, because it is the first, is shown with fewer fields if need be.
 */
export function takeRecord(
  record: GrantedRecord,
  fields: readonly string[] | undefined,
  budget: Budget,
  count: EscapeCount,
  options: { must?: boolean; lengths?: readonly number[] } = {},
): RecordRow | undefined {
  const { must = false, lengths = must ? TEXT_LENGTHS : TEXT_LENGTHS.slice(0, 1) } = options;
  for (const length of lengths) {
    const escaped = { characters: 0 };
    const row = makeRow(record, fields, length, escaped);
    if (!budget.take(row)) continue;
    count.characters += escaped.characters;
    return row;
  }
  return must ? takeLeast(makeRow(record, fields, 0, count), budget) : undefined;
}

/** As many fields as fit, for a record of so many that it does not fit even alone; fetch has them all. */
function takeLeast(row: RecordRow, budget: Budget): RecordRow {
  const least: RecordRow = { id: row.id, record: {}, cut: { '*': { id: row.id } } };
  budget.take(least);
  for (const [name, value] of Object.entries(row.record)) {
    if (budget.take({ [name]: value })) least.record[name] = value;
  }
  return least;
}

function makeRow(
  record: GrantedRecord,
  fields: readonly string[] | undefined,
  length: number,
  count: EscapeCount,
): RecordRow {
  const id = idOf(record);
  if (fields === undefined && record.long === undefined && isShownAsIs(record.record, Math.max(length, 40)))
    return { id, record: record.record };
  const shown: Record<string, unknown> = {};
  const cut: RecordRow['cut'] = {};
  for (const [name, value] of Object.entries(record.record)) {
    if (fields !== undefined && !fields.includes(name)) continue;
    const long = record.long?.get(name);
    if (long !== undefined && long.type !== 'text') {
      cut[name] = { id, field: name };
      continue;
    }
    const safe = escapeValue(value, count);
    if (typeof safe === 'string') {
      const text = cutText(safe, Math.max(length, 40));
      shown[name] = text.length < safe.length ? `${text}…` : safe;
      if (text.length < safe.length)
        cut[name] = { id, field: name, offset: text.length, chars_total: long?.chars ?? safe.length };
    } else if (
      typeof safe === 'object' &&
      safe !== null &&
      JSON.stringify(safe).length > Math.max(length, 40)
    ) {
      cut[name] = { id, field: name };
    } else {
      shown[name] = safe;
    }
  }
  return { id, record: shown, ...(Object.keys(cut).length > 0 ? { cut } : {}) };
}

/** Whether nothing in a record has to be escaped or cut, as in most: then it need not be put together again. */
function isShownAsIs(record: Record<string, unknown>, length: number): boolean {
  for (const name in record) if (!isWhole(record[name], length)) return false;
  return true;
}

function isWhole(value: unknown, length: number): boolean {
  if (typeof value === 'string') return value.length <= length && isPlain(value);
  if (typeof value !== 'object') return true;
  const isList =
    Array.isArray(value) && value.every((item) => typeof item !== 'object' && isWhole(item, length));
  return isList && JSON.stringify(value).length <= length;
}

/** What a record is called: its own title, else the first words of its text, else its stream and when it happened. */
export function titleOf(match: Match, timeZone: string): string {
  const { stream, record } = match;
  const own = stream.titleField === undefined ? undefined : record[stream.titleField];
  if (isText(own)) return cutTitle(own, TITLE_LENGTH);
  const text = stream.proseFields.map((name) => record[name]).find((value) => isText(value));
  if (text !== undefined) return cutTitle(text, WORDS_LENGTH);
  const when = timeOf(match, timeZone)?.slice(0, 16).replace('T', ' ') ?? escapeText(cutText(match.key, 60));
  return `${stream.name} ${when}`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function cutTitle(text: string, length: number): string {
  const whole = escapeText(
    text
      .slice(0, length * 4)
      .replace(/\s+/g, ' ')
      .trim(),
  );
  const title = cutText(whole, length);
  return title.length < whole.length ? `${title}…` : title;
}

/** The event time as JSON shows it, by the clock of a zone. */
export function timeOf(match: Match, timeZone: string): string | undefined {
  const kind = match.stream.timeField?.kind;
  if (match.t === undefined || kind === undefined) return undefined;
  return String(fromSlotValue(kind, match.t, timeZone));
}
