import { AppError } from '../../errors.ts';
import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Relationship } from '../../schema-index/declaration.ts';
import type { Field } from '../../schema-index/field.ts';
import { type Clock, type Condition, ME, parseFilter } from '../../schema-index/filter.ts';
import { getFieldFor } from '../../schema-index/find-field.ts';
import { toSlotValue } from '../../schema-index/slot-value.ts';
import { findPointer } from '../labels.ts';

/** As many as one list in a filter may hold. */
const MOST_KEYS = 200;
/** Names that begin alike and are looked through for one that differs in upper and lower case alone. */
const MOST_ALIKE = 50;

/** Whether a filter may name it: a field of the stream, or `relation.field` of the one record it points to. */
export function canFilter(stream: GrantedStream, name: string, reader: GrantedReader): boolean {
  if (stream.fields.get(name)?.filter === true) return true;
  const way = findWay(stream, name);
  return way !== undefined && reader.target(stream, way.relation).fields.get(way.field)?.filter === true;
}

interface Way {
  readonly relation: Relationship;
  readonly key: Field;
  readonly field: string;
}

/** The relation to one record that a name of the form `relation.field` goes through; a field so called comes first. */
function findWay(stream: GrantedStream, name: string): Way | undefined {
  if (stream.fields.has(name)) return undefined;
  for (const relation of stream.relations) {
    const key = stream.fields.get(relation.foreign_key);
    if (relation.cardinality === 'has_one' && key?.filter === true && name.startsWith(`${relation.name}.`))
      return { relation, key, field: name.slice(relation.name.length + 1) };
  }
  return undefined;
}

/** The parts of a filter that go through a relation, and what is left of it. */
export function splitFilter(
  filter: unknown,
  stream: GrantedStream,
): { own: unknown; through: [string, unknown][] } {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter))
    return { own: filter, through: [] };
  const entries = Object.entries(filter);
  const through = entries.filter(([name]) => findWay(stream, name) !== undefined);
  if (through.length === 0) return { own: filter, through };
  const own = entries.filter(([name]) => findWay(stream, name) === undefined);
  return { own: own.length === 0 ? undefined : Object.fromEntries(own), through };
}

/** A test on a field of the record that is pointed to: the keys of the visible ones that pass it. */
export async function readThrough(
  stream: GrantedStream,
  [name, test]: [string, unknown],
  clock: Clock,
  reader: GrantedReader,
): Promise<Condition> {
  const { relation, key, field } = findWay(stream, name) as Way;
  const target = reader.target(stream, relation);
  getFieldFor(target.fields, field, 'filter', 'filter', (one) => one.filter);
  const keys = await findKeys(target, parseFilter({ [field]: test }, target.fields, clock), reader);
  if (keys.length > MOST_KEYS)
    throw new AppError(
      'invalid_filter',
      `More than ${MOST_KEYS} records meet the filter through a relation.`,
      {
        hint: 'Narrow that part of it.',
      },
    );
  return {
    field: key,
    op: 'any',
    values: keys.map((one) => toSlotValue(key.kind, one, 'UTC')),
    through: name,
  };
}

async function findKeys(
  target: GrantedStream,
  conditions: readonly Condition[],
  reader: GrantedReader,
): Promise<string[]> {
  const sort = { field: undefined, direction: 'asc' } as const;
  const { records } = await reader.page(target, { conditions, sort, limit: MOST_KEYS + 1 });
  return records.map((one) => one.key);
}

/**
 * Names in place of keys: where a field points to other records and a value is the key of none that is visible, those
 * that are called so are meant too. The value itself stays, for it may be in use.
 */
export async function addKeysOfNames(
  condition: Condition,
  stream: GrantedStream,
  reader: GrantedReader,
): Promise<Condition> {
  const relation =
    condition.op === 'any' || condition.op === 'none' ? findPointer(stream, condition.field.name) : undefined;
  if (relation === undefined || !('values' in condition) || condition.field.kind !== 'string')
    return condition;
  const target = reader.target(stream, relation);
  const title = target.titleField === undefined ? undefined : target.fields.get(target.titleField);
  const asked = condition.values.filter((one): one is string => typeof one === 'string' && one !== ME);
  if (title?.kind !== 'string' || !title.filter || asked.length === 0) return condition;
  const known = new Set((await reader.byKeys(target, asked)).map((one) => one.key));
  const names = new Map<string, readonly string[]>();
  for (const name of asked.filter((one) => !known.has(one))) {
    const keys = await findNamed(target, title, name, reader);
    if (keys.length > 0) names.set(name, keys);
  }
  if (names.size === 0) return condition;
  return { ...condition, values: [...condition.values, ...[...names.values()].flat()], names };
}

/** Who or what is called so; upper and lower case matter only where both ways occur, a leading # or @ never. */
async function findNamed(
  target: GrantedStream,
  title: Field,
  name: string,
  reader: GrantedReader,
): Promise<string[]> {
  const plain = name.replace(/^[#@]/, '').trim();
  const exact = await findKeys(target, [{ field: title, op: 'any', values: [name, plain] }], reader);
  if (exact.length > 0 || plain === '') return exact.slice(0, MOST_KEYS);
  const { records } = await reader.page(target, {
    conditions: [{ field: title, op: 'starts_with', text: plain }],
    sort: { field: undefined, direction: 'asc' },
    limit: MOST_ALIKE,
  });
  const isSame = (value: unknown) => String(value).trim().toLowerCase() === plain.toLowerCase();
  return records.filter(({ record }) => isSame(record[title.name])).map((one) => one.key);
}
