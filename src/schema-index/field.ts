import type { Metric } from '../store/record-reads.ts';
import type { FieldKind } from '../store/scope.ts';
import type { StreamDeclaration } from './declaration.ts';
import { holdsPersons } from './person-field.ts';

export type { FieldKind, Metric };

/** One field of a stream and its possible uses. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  readonly description?: string;
  readonly values?: readonly string[];
  readonly filter: boolean;
  readonly range: boolean;
  readonly sort: boolean;
  readonly group: boolean;
  /** Metrics other than count that make sense for it. */
  readonly metrics: readonly Metric[];
  readonly search: boolean;
  /** The field of the same record that holds the unit: a currency, a unit of measure. */
  readonly unit?: string;
  /** Whether it contains persons, one of whom may be the owner. */
  readonly person?: true;
  /** The JSON Schema as declared. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Names of prose fields. They get no slot, so they can be searched but not filtered. */
const PROSE =
  /(^|_)(text|body|content|contents|description|message|notes?|comments?|details?|markdown|html|snippet|transcript|answer|question|prompt|summary)$/i;
const MAX_SEARCH_FIELDS = 8;

/** Derives the uses of each field from its JSON Schema, unless the declaration's `query` lists them. */
export function describeFields(stream: StreamDeclaration): Field[] {
  const properties = (stream.schema.properties ?? {}) as Record<string, Record<string, unknown>>;
  const required = new Set((stream.schema.required ?? []) as string[]);
  const searchable = findSearchable(stream, properties);
  return Object.entries(properties).map(([name, schema]) => {
    const kind = findKind(name, schema, searchable.has(name));
    const scalar = kind !== 'text' && kind !== 'json' && kind !== 'list';
    return {
      name,
      kind,
      required: required.has(name),
      ...(typeof schema.description === 'string' ? { description: schema.description } : {}),
      ...(isTextEnum(schema.enum) ? { values: schema.enum } : {}),
      filter: scalar || kind === 'list',
      range: scalar && mayRange(stream, name, kind),
      sort: scalar,
      group: scalar && mayGroup(stream, name, kind),
      metrics: scalar ? findMetrics(stream, name, kind) : [],
      search: searchable.has(name),
      ...findUnit(name, kind, schema, properties),
      ...((kind === 'string' || kind === 'list') && holdsPersons(stream, name) ? { person: true } : {}),
      schema,
    };
  });
}

/** The annotation in the JSON Schema of a number that names the field with its unit. */
const UNIT = 'x-pdpp-unit';
const MONEY =
  /(^|_)(amount|price|total|subtotal|balance|costs?|fees?|tax|net|gross|value|sum|paid|salary)(_|$)/i;
const MEASURED = /(^|_)(value|quantity|amount|total)(_|$)/i;

/** Returns the unit field as declared, else by common names. */
function findUnit(
  name: string,
  kind: FieldKind,
  schema: Record<string, unknown>,
  properties: Record<string, Record<string, unknown>>,
): { unit?: string } {
  if (kind !== 'number' && kind !== 'integer') return {};
  const declared = schema[UNIT];
  if (declared === false) return {};
  if (typeof declared === 'string') return Object.hasOwn(properties, declared) ? { unit: declared } : {};
  const own = [`${name}_unit`, `${name}_currency`].find((unit) => Object.hasOwn(properties, unit));
  if (own !== undefined) return { unit: own };
  if (MONEY.test(name) && Object.hasOwn(properties, 'currency')) return { unit: 'currency' };
  return MEASURED.test(name) && Object.hasOwn(properties, 'unit') ? { unit: 'unit' } : {};
}

function findKind(name: string, schema: Record<string, unknown>, searched: boolean): FieldKind {
  const types = [schema.type ?? typesOfEnum(schema.enum)].flat().filter((type) => type !== 'null');
  if (types.length !== 1) return 'json';
  switch (types[0]) {
    case 'integer':
    case 'number':
    case 'boolean':
      return types[0];
    case 'string':
      if (schema.format === 'date-time' || schema.format === 'date') return schema.format;
      return searched && isProse(name, schema) ? 'text' : 'string';
    case 'array':
      return (schema.items as { type?: unknown } | undefined)?.type === 'string' ? 'list' : 'json';
    default:
      return 'json';
  }
}

const MAX_SHORT_TEXT_CHARACTERS = 256;

function isProse(name: string, { enum: values, maxLength }: Record<string, unknown>): boolean {
  const isShort = typeof maxLength === 'number' && maxLength <= MAX_SHORT_TEXT_CHARACTERS;
  return PROSE.test(name) && values === undefined && !isShort;
}

/** Whether a field contains free text: prose, even where it is not searched or is a list. */
export function isFreeText({ name, kind, schema }: Field): boolean {
  return kind === 'text' || (['string', 'list', 'json'].includes(kind) && isProse(name, schema));
}

/** Returns the declared search fields, or every free string up to the number of index columns. */
function findSearchable(
  stream: StreamDeclaration,
  properties: Record<string, Record<string, unknown>>,
): Set<string> {
  const declared = stream.query?.search?.lexical_fields;
  if (declared !== undefined) return new Set(declared);
  const keys = new Set([...stream.primary_key, ...(stream.relationships ?? []).map((r) => r.foreign_key)]);
  const free = Object.entries(properties).filter(
    ([name, schema]) =>
      [schema.type].flat().includes('string') &&
      schema.format === undefined &&
      schema.enum === undefined &&
      !keys.has(name) &&
      !/(^|_)ids?$/.test(name),
  );
  return new Set(free.map(([name]) => name).slice(0, MAX_SEARCH_FIELDS));
}

function mayRange(stream: StreamDeclaration, name: string, kind: FieldKind): boolean {
  const declared = stream.query?.range_filters;
  if (declared !== undefined) return Object.hasOwn(declared, name);
  return kind !== 'string' && kind !== 'boolean';
}

function mayGroup(stream: StreamDeclaration, name: string, kind: FieldKind): boolean {
  const declared = stream.query?.aggregations;
  if (declared === undefined) return true;
  return (isTime(kind) ? declared.group_by_time : declared.group_by)?.includes(name) ?? false;
}

function findMetrics(stream: StreamDeclaration, name: string, kind: FieldKind): Metric[] {
  const numeric = kind === 'integer' || kind === 'number';
  const derived: Metric[] = ['count_distinct'];
  if (numeric) derived.push('sum', 'avg');
  if (numeric || isTime(kind)) derived.push('min', 'max');
  const declared = stream.query?.aggregations;
  if (declared === undefined) return derived;
  // PDPP declares no avg: it follows from sum and count.
  return derived.filter((metric) =>
    declared[metric === 'avg' || metric === 'count' ? 'sum' : metric]?.includes(name),
  );
}

export function isTime(kind: FieldKind): boolean {
  return kind === 'date-time' || kind === 'date';
}

function isTextEnum(values: unknown): values is string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}

function typesOfEnum(values: unknown): unknown {
  return isTextEnum(values) ? 'string' : undefined;
}
