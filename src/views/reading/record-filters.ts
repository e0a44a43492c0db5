import { type Clock, type Condition, parseFilter } from '../../filter/filter.ts';
import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import { type Field, type FieldKind, isTime } from '../../schema-index/field.ts';
import { MAX_VALUE_RECORDS } from '../../store/record-reads.ts';
import { escapeText } from '../../text/escape-text.ts';
import { labelField } from '../field-label.ts';

/** The operator of a filter in the URL: equals, contains, at least, at most. */
export type FilterWord = 'is' | 'has' | 'from' | 'to';

export interface RequestedFilter {
  readonly word: FilterWord;
  readonly field: string;
  readonly value: string;
}

/** An active filter. `shown` is its value as the page displays it. */
export type ShownFilter = RequestedFilter & { readonly label: string; readonly shown: string };

/** A filterable field and its input. */
export interface FilterChoice {
  readonly field: string;
  readonly label: string;
  readonly kind: FieldKind;
  /** Whether it takes a range instead of one value. */
  readonly range: boolean;
  /** All values, if there are few. */
  readonly values: readonly string[] | null;
  /** Frequent values, if there are too many to list. */
  readonly suggested: readonly string[];
}

/** The values of the fields of a stream, for filter forms. */
export interface KnownValues {
  readonly of: ReadonlyMap<string, { readonly values: readonly string[]; readonly isAll: boolean }>;
  /** Fields without any value. */
  readonly empty: ReadonlySet<string>;
}

const MAX_OFFERED_VALUES = 20;
const MAX_OFFERED_CHARACTERS = 60;

/** Reads the values of visible records. The reader caches them until data changes. */
export async function readKnownValues(stream: GrantedStream, reader: GrantedReader): Promise<KnownValues> {
  const records = await reader.count(stream);
  const isWhole = records <= MAX_VALUE_RECORDS;
  const of = new Map<string, { values: readonly string[]; isAll: boolean }>();
  const empty = new Set<string>();
  for (const field of stream.fields.values()) {
    // List values are not indexed, and the time field is never empty.
    if (!field.filter || field.kind === 'list' || field.name === stream.timeField?.name) continue;
    const { values, total } = await reader.lookups.values([stream], field.name, MAX_OFFERED_VALUES);
    if (total === 0 && isWhole) empty.add(field.name);
    if (field.kind !== 'string') continue;
    const offered = values.map(String).filter(isOffered);
    // If nearly every value is unique, typing is easier than choosing from a list.
    const isAll = isWhole && offered.length === total && total <= records / 2;
    of.set(field.name, { values: offered, isAll });
  }
  return { of, empty };
}

/** Excludes empty and long values and values with invisible characters. */
function isOffered(value: string): boolean {
  return value !== '' && value.length <= MAX_OFFERED_CHARACTERS && escapeText(value) === value;
}

const OPERATORS = { has: 'contains', from: 'gte', to: 'lte' } as const;

/** Lists the filterable fields: time first, keys last. */
export function listFilterChoices(stream: GrantedStream, known: KnownValues): FilterChoice[] {
  const keys = new Set([...stream.primaryKey, ...stream.relations.map(({ foreign_key }) => foreign_key)]);
  const rank = (name: string) =>
    name === stream.timeField?.name ? 0 : keys.has(name) || /(^|_)id$/.test(name) ? 2 : 1;
  return [...stream.fields.values()]
    .filter((field) => field.filter && !known.empty.has(field.name))
    .sort((a, b) => rank(a.name) - rank(b.name))
    .map((field) => ({
      field: field.name,
      label: labelField(field),
      kind: field.kind,
      range: field.range && (isTime(field.kind) || isNumber(field.kind)),
      ...chooseValues(field, known),
    }));
}

function chooseValues(field: Field, known: KnownValues): Pick<FilterChoice, 'values' | 'suggested'> {
  if (field.kind === 'boolean') return { values: ['true', 'false'], suggested: [] };
  const { values, isAll } = known.of.get(field.name) ?? { values: [], isAll: false };
  if (isAll && values.length > 0) return { values: values.toSorted(), suggested: [] };
  return field.values === undefined
    ? { values: null, suggested: values }
    : { values: field.values, suggested: [] };
}

/** Parses filters from the URL into typed conditions. */
export function parseFilters(
  asked: readonly RequestedFilter[],
  { fields }: GrantedStream,
  clock: Clock,
): Condition[] {
  return asked.flatMap(({ word, field, value }) => {
    const kind = fields.get(field)?.kind;
    // Only text supports contains.
    if (word === 'is' || (word === 'has' && kind !== 'string'))
      return parseFilter({ [field]: toTyped(value, kind) }, fields, clock);
    const typed = word === 'has' ? value.trim() : toTyped(value, kind);
    return parseFilter({ [field]: { [OPERATORS[word]]: typed } }, fields, clock);
  });
}

export function describeFilters(asked: readonly RequestedFilter[], { fields }: GrantedStream): ShownFilter[] {
  return asked.map((one) => {
    const field = fields.get(one.field);
    const label = field === undefined ? escapeText(one.field) : labelField(field);
    const shown = field?.kind === 'boolean' ? (one.value === 'true' ? 'yes' : 'no') : escapeText(one.value);
    return { ...one, label, shown };
  });
}

function toTyped(value: string, kind: FieldKind | undefined): unknown {
  const text = value.trim();
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (kind === 'integer') return Number.isSafeInteger(Number(text)) && text !== '' ? Number(text) : text;
  if (kind === 'number') return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
  return value;
}

function isNumber(kind: FieldKind): boolean {
  return kind === 'integer' || kind === 'number';
}
