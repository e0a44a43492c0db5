import { AppError } from '../../errors.ts';
import { type Condition, isOneOf } from '../../filter/filter.ts';
import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Relationship } from '../../schema-index/declaration.ts';
import type { Field } from '../../schema-index/field.ts';
import type { NamedKey } from '../../store/record-reads.ts';
import { findPointer } from '../relations.ts';

/** The number of values that one list in a filter may hold. */
const MAX_KEYS = 200;

/** Whether a filter can use a name: a field of the stream, or `relation.field` of the one record it points to. */
export function canFilter(stream: GrantedStream, name: string, reader: GrantedReader): boolean {
  if (stream.fields.get(name)?.filter === true) return true;
  const path = findPath(stream, name);
  return path !== undefined && reader.target(stream, path.relation).fields.get(path.field)?.filter === true;
}

interface Path {
  readonly relation: Relationship;
  readonly key: Field;
  readonly field: string;
}

/** Parses `relation.field` of a relation to one record; a field of that name takes precedence. */
function findPath(stream: GrantedStream, name: string): Path | undefined {
  if (stream.fields.has(name)) return undefined;
  for (const relation of stream.relations) {
    const key = stream.fields.get(relation.foreign_key);
    if (relation.cardinality === 'has_one' && key?.filter === true && name.startsWith(`${relation.name}.`))
      return { relation, key, field: name.slice(relation.name.length + 1) };
  }
  return undefined;
}

/** The part of a filter that applies to the records one relation points to. */
export interface Through {
  readonly relation: Relationship;
  readonly key: Field;
  /** Each `relation.field` as it was written. */
  readonly names: readonly string[];
  /** The part as a filter of the target stream. */
  readonly filter: Readonly<Record<string, unknown>>;
}

/** Splits a filter into conditions on the stream itself and one part for each relation. */
export function splitFilter(
  filter: unknown,
  stream: GrantedStream,
): { own: unknown; through: readonly Through[] } {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter))
    return { own: filter, through: [] };
  const through = new Map<Relationship, Through>();
  const own: [string, unknown][] = [];
  for (const [name, test] of Object.entries(filter)) {
    const path = findPath(stream, name);
    if (path === undefined) {
      own.push([name, test]);
      continue;
    }
    const { relation, key, field } = path;
    const { names = [], filter: asked = {} } = through.get(relation) ?? {};
    through.set(relation, { relation, key, names: [...names, name], filter: { ...asked, [field]: test } });
  }
  if (through.size === 0) return { own: filter, through: [] };
  return { own: own.length === 0 ? undefined : Object.fromEntries(own), through: [...through.values()] };
}

/** Turns conditions on the target records into one on the key: it is the key of a visible record that meets them. */
export async function keepThrough(
  { key, names }: Through,
  target: GrantedStream,
  conditions: readonly Condition[],
  reader: GrantedReader,
): Promise<Condition> {
  const keys = checkCount(await reader.lookups.keysWhere(target, conditions, MAX_KEYS + 1));
  return { ...isOneOf(key, keys), through: names };
}

/** Refuses too many keys: some of them would give a wrong answer. */
function checkCount<T>(found: readonly T[]): readonly T[] {
  if (found.length <= MAX_KEYS) return found;
  throw new AppError('invalid_filter', `More than ${MAX_KEYS} records match the filter on a relation.`, {
    hint: 'Narrow that part of the filter, or group by the relation instead.',
  });
}

/**
 * Adds the keys of records by their names: where a field points to other records and a value is no visible key, it may
 * be a name. The value itself stays, because records may contain it.
 */
export async function addKeysOfNames(
  condition: Condition,
  stream: GrantedStream,
  reader: GrantedReader,
): Promise<Condition> {
  if ((condition.op !== 'any' && condition.op !== 'none') || condition.field.kind !== 'string')
    return condition;
  const relation = findPointer(stream, condition.field.name);
  const target = relation && reader.target(stream, relation);
  const title = target?.titleField === undefined ? undefined : target.fields.get(target.titleField);
  const asked = condition.values.filter((one) => typeof one === 'string');
  if (target === undefined || title?.kind !== 'string' || asked.length === 0) return condition;
  const known = new Set(await reader.lookups.knownKeys(target, asked));
  const names = asked.filter((one) => !known.has(one) && plain(one) !== '');
  if (names.length === 0) return condition;
  const spelled = names.flatMap((one) => [one, plain(one)]);
  const found = checkCount(await reader.lookups.named(target, title.name, spelled, MAX_KEYS + 1));
  const meant = names.flatMap((name) => {
    const keys = keysOf(name, found);
    return keys.length === 0 ? [] : [[name, keys] as const];
  });
  if (meant.length === 0) return condition;
  const values = [...condition.values, ...meant.flatMap(([, keys]) => keys)];
  return { ...condition, values, names: new Map(meant) };
}

/** Removes the sign that people write before a channel or a person. */
const plain = (name: string) => name.replace(/^[#@]/, '').trim();

/** Returns the keys of the records with a name. Case matters only where a record matches it exactly. */
function keysOf(name: string, found: readonly NamedKey[]): string[] {
  const exact = found.filter((one) => one.name === name || one.name === plain(name));
  const fold = (text: string) => text.trim().toLowerCase();
  const alike = [fold(name), plain(name).toLowerCase()];
  const meant = exact.length > 0 ? exact : found.filter((one) => alike.includes(fold(one.name)));
  return meant.map((one) => one.key);
}
