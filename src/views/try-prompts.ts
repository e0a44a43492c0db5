import type { GrantedStreamTerms } from '../grants/grant.ts';
import { findFieldReason, findStreamReason, isInEveryRecord } from '../grants/sensitive.ts';
import type { Catalog, CatalogStream } from '../schema-index/catalog.ts';
import { type Field, isFreeText } from '../schema-index/field.ts';
import type { ReadStore } from '../store/store.ts';
import type { StreamSpan } from '../store/stored-reads.ts';
import { DAY_MS } from '../time/durations.ts';
import { nameConnection, nameStream } from './describe-access.ts';
import { labelFields, labelInSentence } from './field-label.ts';

export interface TryPrompt {
  readonly connection_id: string;
  readonly source: string;
  readonly prompt: string;
  /** The sensitive data that the owner must select for an answer; null if the preselection suffices. */
  readonly needs: string | null;
}

const MAX_PROMPTS = 6;

/**
 * Example questions by stream name, with the fields needed to answer. `{month}`, `{year}` and `{day}` become times that
 * have records.
 */
const questions: readonly [RegExp, string, readonly Need[]][] = [
  [
    /transaction|payment|purchase/,
    'Where did my money go in {month}? Add up my {source} {stream} by category{currency}.',
    ['amount', /category/],
  ],
  [
    /play|listen|scrobble/,
    'Which artists did I play most in {year} on {source}, month by month?',
    [/artist/],
  ],
  [
    /sample|workout|heart|sleep/,
    'How have my {source} numbers changed over the six months to {month}?',
    ['amount'],
  ],
  [
    /calendar|event/,
    'How many hours of appointments did I have per week in {source} in {month}, and with whom?',
    [/duration|ends?_at/, 'person'],
  ],
  [/mail|thread/, 'Who wrote to me most in {source} in {month}, and what is still open?', ['person', 'text']],
  [/conversation|chat|message/, 'What were the main topics in {source} in the week to {day}?', ['text']],
  [/issue|task|commit|pull/, 'What did I work on in {month} according to {source}?', ['words']],
  [/note|page|document/, 'Find what I wrote in {source} about my plans for {year}.', ['text']],
];
const COUNT_QUESTION = 'How many {stream} do I have in {source} per month, and which month stands out?';

export type PromptSpans = ReadonlyMap<number, StreamSpan>;

/** Excludes future records, such as calendar events. */
export function readPromptSpans(store: ReadStore, now: Date): Promise<PromptSpans> {
  return store.stored.spans(Math.floor(now.getTime() / DAY_MS));
}

export async function readTryPrompts(
  store: ReadStore,
  catalog: Catalog,
  now: Date,
  terms?: readonly GrantedStreamTerms[],
): Promise<TryPrompt[]> {
  return suggestPrompts(catalog, await readPromptSpans(store, now), terms);
}

/**
 * Suggests one question per connection, about its largest suitable stream. `terms` limits them to an app's access.
 */
export function suggestPrompts(
  catalog: Catalog,
  spans: PromptSpans,
  terms?: readonly GrantedStreamTerms[],
): TryPrompt[] {
  const sizeOf = (stream: CatalogStream) => spans.get(stream.streamId)?.records ?? 0;
  const prompts = catalog.connections.flatMap(({ connection_id }) => {
    const visible = catalog.streams
      .filter((stream) => stream.connection.connection_id === connection_id && sizeOf(stream) > 0)
      .toSorted((a, b) => sizeOf(b) - sizeOf(a))
      .flatMap((stream) => findVisible(stream, spans.get(stream.streamId), terms));
    const found =
      first(visible, findQuestion) ??
      first(visible, (one) => (one.hasTimes ? { ...one, template: COUNT_QUESTION, fields: [] } : undefined));
    if (found === undefined) return [];
    const source = nameConnection(catalog, connection_id);
    const needs = describeNeeds(found.stream, found.fields);
    return [{ connection_id, source, prompt: writePrompt(found, source), needs }];
  });
  return prompts.slice(0, MAX_PROMPTS);
}

/** The visible part of a stream: its fields, and the days of its first and last record. */
interface VisibleStream {
  readonly stream: CatalogStream;
  readonly has: (field: string) => boolean;
  readonly hasTimes: boolean;
  readonly first: number;
  readonly last: number;
  /** The first day of the granted period. */
  readonly since: number;
}

function findVisible(
  stream: CatalogStream,
  span: StreamSpan | undefined,
  terms: readonly GrantedStreamTerms[] | undefined,
): VisibleStream[] {
  const has = typeof span?.last === 'number';
  const whole = { stream, has: () => true, hasTimes: has, first: span?.first ?? 0, last: span?.last ?? 0 };
  if (terms === undefined) return [{ ...whole, since: -Infinity }];
  const own = terms.find(
    (one) => one.connection_id === stream.connection.connection_id && one.stream === stream.name,
  );
  // The subject of individually selected records is unknown.
  if (own === undefined || own.keys !== undefined) return [];
  const fields = new Set(own.fields);
  const time = stream.timeField?.name;
  const since = own.since === undefined ? -Infinity : Math.ceil(own.since / DAY_MS);
  const until = own.until === undefined ? Infinity : Math.floor(own.until / DAY_MS);
  const clipped = { first: Math.max(whole.first, since), last: Math.min(whole.last, until - 1) };
  if (has && clipped.first > clipped.last) return [];
  const hasTimes = has && time !== undefined && fields.has(time);
  return [{ stream, has: (field) => fields.has(field), hasTimes, ...clipped, since }];
}

/** Finds the question for the stream's name and the fields that answer it. */
function findQuestion(visible: VisibleStream): StreamQuestion | undefined {
  const { stream, hasTimes } = visible;
  const names = `${stream.name} ${nameStream(stream, stream.name)}`.toLowerCase();
  const [, template, needs] = questions.find(([name]) => name.test(names)) ?? [];
  if (
    template === undefined ||
    needs === undefined ||
    !hasTimes ||
    findFirstDay(template, visible) < visible.since
  )
    return undefined;
  const fields = needs.map((need) => findFields(stream, need).find(({ name }) => visible.has(name)));
  return fields.every((field) => field !== undefined) ? { ...visible, template, fields } : undefined;
}

type StreamQuestion = VisibleStream & { readonly template: string; readonly fields: readonly Field[] };

/** Returns the first day of a question. A partly hidden period would give a wrong answer. */
function findFirstDay(template: string, { first, last, since }: VisibleStream): number {
  const { monthStart } = nameTimes(first, last, since);
  const start = new Date(monthStart * DAY_MS);
  if (template.includes('{year}')) return Date.UTC(new Date(last * DAY_MS).getUTCFullYear(), 0, 1) / DAY_MS;
  if (template.includes('six months'))
    return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() - 5, 1) / DAY_MS;
  return template.includes('{month}') ? monthStart : last - 6;
}

function writePrompt({ stream, template, first, last, since, has }: StreamQuestion, source: string): string {
  const words: Record<string, string> = {
    source,
    stream: nameStream(stream, stream.name).toLowerCase(),
    // Amounts in different currencies cannot be added.
    currency: stream.fields.has('currency') && has('currency') ? ', each currency by itself' : '',
    ...nameTimes(first, last, since).names,
  };
  return template.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '');
}

/** Before this day, the previous month is used. */
const MID_MONTH_DAY = 15;

/** Names the latest month, year and day with records. */
function nameTimes(
  firstDay: number,
  lastDay: number,
  since: number,
): { monthStart: number; names: { day: string; month: string; year: string } } {
  const last = new Date(lastDay * DAY_MS);
  const [year, month] = [last.getUTCFullYear(), last.getUTCMonth()];
  const isEarly = last.getUTCDate() < MID_MONTH_DAY && firstDay * DAY_MS < Date.UTC(year, month, 1);
  const isWhole = Date.UTC(year, month - 1, 1) / DAY_MS >= since;
  const monthMs = Date.UTC(year, isEarly && isWhole ? month - 1 : month, 1);
  const name = (at: number | Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options }).format(at);
  return {
    monthStart: monthMs / DAY_MS,
    names: {
      day: name(last, { day: 'numeric', month: 'long', year: 'numeric' }),
      month: name(monthMs, { month: 'long', year: 'numeric' }),
      year: name(last, { year: 'numeric' }),
    },
  };
}

function first<T, R>(all: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * What a question needs: free text, any text, an amount, a person, or a named field.
 */
type Need = 'text' | 'words' | 'amount' | 'person' | RegExp;

/** Lists the fields that meet a need, those that are not sensitive first. */
function findFields(stream: CatalogStream, need: Need): Field[] {
  const meets = (field: Field): boolean => {
    if (need instanceof RegExp) return need.test(field.name);
    if (need === 'person') return field.person === true;
    if (need === 'amount') return field.metrics.includes('sum');
    return isFreeText(field) || (need === 'words' && field.search);
  };
  const rank = (field: Field) => (findFieldReason(field) === undefined ? 0 : 1);
  const found = [...stream.fields.values()].filter(meets);
  // Numbers with a unit are better amounts.
  const size = (field: Field) => (need === 'amount' && field.unit === undefined ? 1 : 0);
  return found.toSorted((a, b) => rank(a) - rank(b) || size(a) - size(b));
}

/** Names the data to select beyond the preselection, such as "Transactions (money)". */
function describeNeeds(stream: CatalogStream, fields: readonly Field[]): string | null {
  const name = nameStream(stream, stream.name);
  const labels = labelFields(stream.fields.values());
  const reason = findStreamReason(stream);
  const sensitive = fields.filter(
    (field) => !isInEveryRecord(stream, field) && findFieldReason(field) !== undefined,
  );
  const inside = sensitive.map((field) => labelInSentence(labels.get(field.name) ?? field.name));
  if (inside.length > 0) return `the ${inside.join(' and ')} of ${name}`;
  return reason === undefined ? null : `${name} (${reason})`;
}
