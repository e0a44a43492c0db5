import type { GrantedRecord, Match } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import { type EscapeCount, escapeText, escapeValue } from '../text/escape-text.ts';
import { formatInstant, toLocal } from '../time/instant.ts';
import { type Budget, cutText } from './projector.ts';
import { writeRecordId } from './record-id.ts';

/** A record in a list. `cut` holds, per shortened field, the arguments of the fetch call that continues it. */
export interface RecordRow {
  id: string;
  record: Record<string, unknown>;
  cut?: Record<string, { id: string; field?: string; offset?: number }>;
}

/** How long a text may be in a list; shorter and shorter until one record alone fits. */
const TEXT_LENGTHS = [500, 200, 80, 0];
const TITLE_LENGTH = 120;

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
  const shown: Record<string, unknown> = {};
  const cut: RecordRow['cut'] = {};
  for (const [name, value] of Object.entries(record.record)) {
    if (fields !== undefined && !fields.includes(name)) continue;
    const safe = escapeValue(value, count);
    if (typeof safe === 'string') {
      const text = cutText(safe, Math.max(length, 40));
      shown[name] = text.length < safe.length ? `${text}…` : safe;
      if (text.length < safe.length) cut[name] = { id, field: name, offset: text.length };
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

/** What a record is called: its own title, or its stream and when it happened. Never a piece of its text. */
export function titleOf(match: Match, timeZone: string): string {
  const { stream, record } = match;
  const own = stream.titleField === undefined ? undefined : record[stream.titleField];
  if (typeof own === 'string' && own.trim() !== '') {
    const whole = escapeText(own.replace(/\s+/g, ' ').trim());
    const title = cutText(whole, TITLE_LENGTH);
    return title.length < whole.length ? `${title}…` : title;
  }
  const time = timeOf(match);
  const when =
    time === undefined
      ? escapeText(cutText(match.key, 60))
      : formatLocal(match.t as number, stream, timeZone);
  return `${stream.name} ${when}`;
}

/** The event time as JSON shows it. */
export function timeOf(match: Match): string | undefined {
  if (match.t === undefined) return undefined;
  const text = formatInstant(match.t);
  return match.stream.timeField?.kind === 'date' ? text.slice(0, 10) : text;
}

function formatLocal(t: number, stream: GrantedStream, timeZone: string): string {
  if (stream.timeField?.kind === 'date') return formatInstant(t).slice(0, 10);
  return new Date(toLocal(t, timeZone)).toISOString().slice(0, 16).replace('T', ' ');
}
