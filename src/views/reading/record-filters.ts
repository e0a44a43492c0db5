import { type Clock, type Condition, parseFilter } from '../../filter/filter.ts';
import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import { type Field, type FieldKind, isTime } from '../../schema-index/field.ts';
import { MAX_VALUE_RECORDS } from '../../store/record-reads.ts';
import { escapeText } from '../../text/escape-text.ts';
import { labelField } from '../field-label.ts';

/** What an address says about one field: that it is something, has something in it, or from or up to where it goes. */
export type FilterWord = 'is' | 'has' | 'from' | 'to';

export interface AskedFilter {
  readonly word: FilterWord;
  readonly field: string;
  readonly value: string;
}

/** A filter that holds. `shown` is its value for people to read. */
export type ShownFilter = AskedFilter & { readonly label: string; readonly shown: string };

/** A field that can be filtered by, and how it is asked for. */
export interface FilterChoice {
  readonly field: string;
  readonly label: string;
  readonly kind: FieldKind;
  /** Whether it takes from and to in place of one value. */
  readonly range: boolean;
  /** The only values there are, where they are few. */
  readonly values: readonly string[] | null;
  /** Some that occur, the most frequent first, where there are more. */
  readonly suggested: readonly string[];
}

/** What the fields of a stream hold, as far as a filter needs it. */
export interface KnownValues {
  readonly of: ReadonlyMap<string, { readonly values: readonly string[]; readonly isAll: boolean }>;
  /** Fields that no record has a value in. */
  readonly empty: ReadonlySet<string>;
}

const MAX_OFFERED = 20;
const MAX_OFFERED_CHARACTERS = 60;

/** Looks at the values that visible records have. The reader keeps the answers until something is stored. */
export async function readKnownValues(stream: GrantedStream, reader: GrantedReader): Promise<KnownValues> {
  const records = await reader.count(stream);
  const isWhole = records <= MAX_VALUE_RECORDS;
  const of = new Map<string, { values: readonly string[]; isAll: boolean }>();
  const empty = new Set<string>();
  for (const field of stream.fields.values()) {
    // The values of lists lie in the records, and a time that a stream goes by is always there.
    if (!field.filter || field.kind === 'list' || field.name === stream.timeField?.name) continue;
    const { values, total } = await reader.values([stream], field.name, MAX_OFFERED);
    if (total === 0 && isWhole) empty.add(field.name);
    if (field.kind !== 'string') continue;
    const offered = values.map(String).filter(isOffered);
    // Where nearly every record has a value of its own, a part of one is easier typed than found in a list.
    const isAll = isWhole && offered.length === total && total <= records / 2;
    of.set(field.name, { values: offered, isAll });
  }
  return { of, empty };
}

/** Not what is too long for a line, nor what looks like something else than it is. */
function isOffered(value: string): boolean {
  return value !== '' && value.length <= MAX_OFFERED_CHARACTERS && escapeText(value) === value;
}

const OPERATORS = { has: 'contains', from: 'gte', to: 'lte' } as const;

/** Everything that `schema` says can be filtered by: the time first, which is asked for most, and keys last. */
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

/** Addresses hold text; the filter of the tools compares numbers with numbers. */
export function parseAsked(
  asked: readonly AskedFilter[],
  { fields }: GrantedStream,
  clock: Clock,
): Condition[] {
  return asked.flatMap(({ word, field, value }) => {
    const kind = fields.get(field)?.kind;
    // Only of text can something be a part.
    if (word === 'is' || (word === 'has' && kind !== 'string'))
      return parseFilter({ [field]: toTyped(value, kind) }, fields, clock);
    const typed = word === 'has' ? value.trim() : toTyped(value, kind);
    return parseFilter({ [field]: { [OPERATORS[word]]: typed } }, fields, clock);
  });
}

export function showAsked(asked: readonly AskedFilter[], { fields }: GrantedStream): ShownFilter[] {
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
