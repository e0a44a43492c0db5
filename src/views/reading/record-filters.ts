import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Sort } from '../../reader/read-page.ts';
import { type Field, type FieldKind, isTime } from '../../schema-index/field.ts';
import { labelField } from '../../schema-index/field-label.ts';
import { type Clock, type Condition, parseFilter } from '../../schema-index/filter.ts';
import { getFieldFor } from '../../schema-index/find-field.ts';
import { escapeText } from '../../text/escape-text.ts';

/** What an address says about one field: that it is something, or from or up to where it goes. */
export type FilterWord = 'is' | 'from' | 'to';

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
  /** The only values there are, where they are known. */
  readonly values: readonly string[] | null;
}

const OPERATORS = { from: 'gte', to: 'lte' } as const;

/** Everything that `schema` says can be filtered by: the time first, which is asked for most, and keys last. */
export function listFilterChoices(stream: GrantedStream): FilterChoice[] {
  const keys = new Set([...stream.primaryKey, ...stream.relations.map(({ foreign_key }) => foreign_key)]);
  const rank = (name: string) =>
    name === stream.timeField?.name ? 0 : keys.has(name) || /(^|_)id$/.test(name) ? 2 : 1;
  return [...stream.fields.values()]
    .filter((field) => field.filter)
    .sort((a, b) => rank(a.name) - rank(b.name))
    .map((field) => ({
      field: field.name,
      label: labelField(field),
      kind: field.kind,
      range: field.range && (isTime(field.kind) || isNumber(field.kind)),
      values: field.kind === 'boolean' ? ['true', 'false'] : (field.values ?? null),
    }));
}

/** Addresses hold text; the filter of the tools compares numbers with numbers. */
export function parseAsked(
  asked: readonly AskedFilter[],
  { fields }: GrantedStream,
  clock: Clock,
): Condition[] {
  return asked.flatMap(({ word, field, value }) => {
    const typed = toTyped(value, fields.get(field)?.kind);
    return parseFilter({ [field]: word === 'is' ? typed : { [OPERATORS[word]]: typed } }, fields, clock);
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

/** As the tools sort: newest first where the time may be seen, else by key. */
export function parseSort(sort: string | undefined, { fields, timeField }: GrantedStream): Sort {
  if (sort === undefined) return { field: timeField, direction: timeField === undefined ? 'asc' : 'desc' };
  const down = sort.startsWith('-');
  const field: Field = getFieldFor(fields, down ? sort.slice(1) : sort, 'sort', 'sort', (one) => one.sort);
  return { field, direction: down ? 'desc' : 'asc' };
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
