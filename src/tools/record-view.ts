import { AppError } from '../errors.ts';
import type { GrantedRecord, Match } from '../reader/granted-record.ts';
import { fromValue } from '../store/field-value.ts';
import { cutText } from '../text/cut-text.ts';
import { type EscapeCount, escapeText, escapeValue } from '../text/escape-text.ts';
import { hint, toolCall, wording } from '../text/hint.ts';
import { isPlain } from '../text/unseen.ts';
import type { Budget } from './envelope.ts';

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
  return String(fromValue(kind, match.t, timeZone));
}

/**
 * A key that every URL parser takes for a step in the path, however it is percent-encoded, and what would be
 * taken for the other spelling of one.
 */
const STEP = /^~*\.{1,2}$/;

/**
 * `connection/stream/key`, each percent-encoded: the same in results, URLs and citations. The keys `.` and
 * `..` have a tilde before them, and so has a key that looks like that.
 */
export function writeRecordId(connectionId: string, stream: string, key: string): string {
  const name = encode(key);
  return `${encode(connectionId)}/${encode(stream)}/${STEP.test(name) ? `~${name}` : name}`;
}

/** What encoding leaves as it is. Most names are, and a search writes hundreds of ids. */
const PLAIN = /^[\w.~!*'()-]*$/;

function encode(part: string): string {
  return PLAIN.test(part) ? part : encodeURIComponent(part);
}

export interface RecordId {
  readonly connectionId: string | undefined;
  readonly stream: string;
  /** What the key may be, the likeliest first: as it is written in ids, as sent, without the ending of a page's address. */
  readonly keys: readonly string[];
}

/** Reads an id, or the URL of a record at this server. `stream/key` is enough where only one connection is meant. */
export function parseRecordId(id: string, origin: string): RecordId {
  const prefix = `${origin}/r/`;
  const isUrl = id.startsWith(prefix);
  const path = isUrl ? id.slice(prefix.length) : id;
  const parts = path.split('/');
  if (parts.length < 2) {
    throw new AppError(
      'invalid_argument',
      hint`id must be ${wording('connection_id/stream/key', 'CONNECTION/STREAM/KEY')}, as ${toolCall('query_records')} and ${toolCall('search')} give it.`,
    );
  }
  const [connection, stream, ...rest] = parts.length === 2 ? [undefined, ...parts] : parts;
  const raw = rest.join('/');
  // The address of a page may end in the form it is wanted in; a key that ends so comes first.
  const forms = isUrl ? [raw, raw.replace(/\.(md|json)$/, '')] : [raw];
  return {
    connectionId: connection === undefined ? undefined : decode(connection),
    stream: decode(stream ?? ''),
    // As sent comes last: ids were once written without tildes, and people write keys as they are.
    keys: [...new Set(forms.flatMap((form) => [readKey(form), decode(form), form]))],
  };
}

function readKey(part: string): string {
  return part.startsWith('~') && STEP.test(part) ? part.slice(1) : decode(part);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
