import { AppError } from '../errors.ts';
import type { Clock } from '../filter/filter.ts';
import type { GrantedRecord, Match } from '../reader/granted-record.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import type { ReadContext } from '../reads/granted-read.ts';
import { fromValue } from '../store/field-value.ts';
import { cutText } from '../text/cut-text.ts';
import { type EscapeCount, escapeText, escapeValue } from '../text/escape-text.ts';
import { hint, toolCall, wording } from '../text/hint.ts';
import { cacheJson } from '../text/json.ts';
import { isPlain } from '../text/unseen.ts';
import { showTime } from '../time/instant.ts';
import type { Budget } from './envelope.ts';

/** A record in a list. `cut` holds, per shortened field, its length and the fetch call that continues it. */
export interface RecordRow {
  id: string;
  record: Record<string, unknown>;
  cut?: Record<string, { id: string; field?: string; offset?: number; chars_total?: number }>;
}

/** Maximum lengths of a text in a list, tried in turn until one record alone fits. */
const TEXT_LENGTHS = [500, 200, 80, 0];
const MIN_TEXT_CHARACTERS = 40;
const MAX_TITLE_CHARACTERS = 120;
/** Enough of a text without a title to recognise it. */
const MAX_OPENING_CHARACTERS = 60;

interface RowOptions {
  /** The fields to show; undefined for all. */
  readonly fields: readonly string[] | undefined;
  readonly budget: Budget;
  readonly escaped: EscapeCount;
  /** Whether to leave out fields of the record until it fits. */
  readonly mustFit?: boolean;
  readonly lengths?: readonly number[];
}

/** Takes budget for a record and returns it with long values shortened. Undefined if it does not fit. */
export function takeRecord(record: GrantedRecord, options: RowOptions): RecordRow | undefined {
  const { fields, budget, mustFit = false } = options;
  const { lengths = mustFit ? TEXT_LENGTHS : TEXT_LENGTHS.slice(0, 1) } = options;
  for (const length of lengths) {
    const escaped = { characters: 0 };
    const row = makeRow(record, fields, length, escaped);
    const json = JSON.stringify(row);
    if (!budget.take(json)) continue;
    cacheJson(row, json);
    options.escaped.characters += escaped.characters;
    return row;
  }
  if (!mustFit) return undefined;
  const row = makeRow(record, fields, 0, options.escaped);
  const least: RecordRow = { id: row.id, record: {}, cut: { '*': { id: row.id } } };
  budget.take(least);
  for (const [name, value] of Object.entries(row.record))
    if (budget.take({ [name]: value })) least.record[name] = value;
  return least;
}

function makeRow(
  { stream, key, record, long: longValues }: GrantedRecord,
  fields: readonly string[] | undefined,
  maxLength: number,
  escaped: EscapeCount,
): RecordRow {
  const id = idOf({ stream, key });
  const length = Math.max(maxLength, MIN_TEXT_CHARACTERS);
  if (fields === undefined && longValues === undefined && isShownAsIs(record, length)) return { id, record };
  const shown: Record<string, unknown> = {};
  const cut: RecordRow['cut'] = {};
  for (const [name, value] of Object.entries(record)) {
    if (fields !== undefined && !fields.includes(name)) continue;
    const long = longValues?.get(name);
    if (long !== undefined && long.type !== 'text') {
      cut[name] = { id, field: name };
      continue;
    }
    const safe = escapeValue(value, escaped);
    if (typeof safe === 'string') {
      const text = cutText(safe, length);
      const isCut = text.length < safe.length;
      shown[name] = isCut ? `${text}…` : safe;
      if (isCut)
        cut[name] = { id, field: name, offset: text.length, chars_total: long?.chars ?? safe.length };
    } else if (typeof safe === 'object' && safe !== null && JSON.stringify(safe).length > length) {
      cut[name] = { id, field: name };
    } else shown[name] = safe;
  }
  return { id, record: shown, ...(Object.keys(cut).length > 0 ? { cut } : {}) };
}

/** Whether nothing in a record is escaped or cut. Most records are like that and need no copy. */
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

/** Returns a record with its times by the clock of the call, so that times of one answer are comparable. */
export function showTimes<T extends GrantedRecord>(found: T, clock: Clock, context: ReadContext): T {
  const names = timeFields(found.stream).filter((name) => typeof found.record[name] === 'string');
  if (names.length === 0) return found;
  const record = { ...found.record };
  for (const name of names)
    record[name] = showTime(record[name] as string, context.reader.timeZone, clock.timeZone);
  return { ...found, record };
}

/** Every row of a list needs the time fields of its stream: they are found once per stream object. */
const timeFieldsByStream = new WeakMap<GrantedStream, readonly string[]>();

function timeFields(stream: GrantedStream): readonly string[] {
  let names = timeFieldsByStream.get(stream);
  if (names === undefined) {
    names = [...stream.fields].filter(([, field]) => field.kind === 'date-time').map(([name]) => name);
    timeFieldsByStream.set(stream, names);
  }
  return names;
}

/** Returns the title of a record: its title field, else its first words, else its stream and time. */
export function titleOf(match: Match, timeZone: string): string {
  const { stream, record } = match;
  const own = stream.titleField === undefined ? undefined : record[stream.titleField];
  if (isText(own)) return cutTitle(own, MAX_TITLE_CHARACTERS);
  const text = stream.proseFields.map((name) => record[name]).find(isText);
  if (text !== undefined) return cutTitle(text, MAX_OPENING_CHARACTERS);
  const when = timeOf(match, timeZone)?.slice(0, 16).replace('T', ' ') ?? escapeText(cutText(match.key, 60));
  return `${stream.name} ${when}`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function cutTitle(text: string, length: number): string {
  const whole = oneLine(text, length);
  const title = cutText(whole, length);
  return title.length < whole.length ? `${title}…` : title;
}

/** Returns the beginning of a text, at least `length` characters, escaped and on one line. */
export function oneLine(text: string, length: number): string {
  const beginning = text.slice(0, length * 4);
  return escapeText(beginning.replace(/\s+/g, ' ').trim());
}

/** Returns the event time as JSON shows it, by the clock of a zone. */
export function timeOf(match: Match, timeZone: string): string | undefined {
  const kind = match.stream.timeField?.kind;
  if (match.t === undefined || kind === undefined) return undefined;
  return String(fromValue(kind, match.t, timeZone));
}

export function idOf({ stream, key }: Pick<GrantedRecord, 'stream' | 'key'>): string {
  return writeRecordId(stream.connection.connection_id, stream.name, key);
}

/** The keys `.` and `..`, which URL parsers resolve even when percent-encoded, with any escaping tildes. */
const DOTS = /^~*\.{1,2}$/;

/**
 * Formats `connection/stream/key`, each percent-encoded: the same in results, URLs and citations. A tilde escapes the
 * keys `.` and `..`, and keys that look escaped.
 */
export function writeRecordId(connectionId: string, stream: string, key: string): string {
  const name = encode(key);
  return `${encode(connectionId)}/${encode(stream)}/${DOTS.test(name) ? `~${name}` : name}`;
}

/** Text that encoding leaves unchanged. Most names are, and a search writes hundreds of ids. */
const PLAIN = /^[\w.~!*'()-]*$/;

function encode(part: string): string {
  return PLAIN.test(part) ? part : encodeURIComponent(part);
}

export interface RecordId {
  readonly connectionId: string | undefined;
  readonly stream: string;
  /** Possible keys, the likeliest first: decoded, as sent, and without the extension of a page address. */
  readonly keys: readonly string[];
}

/** Parses an id, or the URL of a record at this server. `stream/key` is enough where one connection has the stream. */
export function parseRecordId(id: string, origin: string): RecordId {
  const prefix = `${origin}/r/`;
  const isUrl = id.startsWith(prefix);
  const parts = (isUrl ? id.slice(prefix.length) : id).split('/');
  if (parts.length < 2) {
    throw new AppError(
      'invalid_argument',
      hint`id must be ${wording('connection_id/stream/key', 'CONNECTION/STREAM/KEY')}, as ${toolCall('query_records')} and ${toolCall('search')} give it.`,
    );
  }
  const [connection, stream, ...rest] = parts.length === 2 ? [undefined, ...parts] : parts;
  const raw = rest.join('/');
  // A page address may end in a format; a key with that ending comes first.
  const forms = isUrl ? [raw, raw.replace(/\.(md|json)$/, '')] : [raw];
  return {
    connectionId: connection === undefined ? undefined : decode(connection),
    stream: decode(stream ?? ''),
    // As sent comes last: older ids have no tildes, and people write keys without encoding.
    keys: [...new Set(forms.flatMap((form) => [readKey(form), decode(form), form]))],
  };
}

function readKey(part: string): string {
  return part.startsWith('~') && DOTS.test(part) ? part.slice(1) : decode(part);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
