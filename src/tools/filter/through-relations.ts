import { AppError } from '../../errors.ts';
import { type Condition, isOneOf } from '../../filter/filter.ts';
import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Relationship } from '../../schema-index/declaration.ts';
import type { Field } from '../../schema-index/field.ts';
import type { NamedKey } from '../../store/record-reads.ts';
import { findPointer } from '../labels.ts';

/** As many as one list in a filter may hold. */
const MAX_KEYS = 200;

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

/** What a filter asks of the records that one relation points to. */
export interface Through {
  readonly relation: Relationship;
  readonly key: Field;
  /** Each `relation.field` as it was written. */
  readonly names: readonly string[];
  /** The same as a filter of the stream pointed to. */
  readonly filter: Readonly<Record<string, unknown>>;
}

/** The parts of a filter that go through relations, for each relation together, and what is left of it. */
export function splitFilter(
  filter: unknown,
  stream: GrantedStream,
): { own: unknown; through: readonly Through[] } {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter))
    return { own: filter, through: [] };
  const through = new Map<Relationship, Through>();
  const own: [string, unknown][] = [];
  for (const [name, test] of Object.entries(filter)) {
    const way = findWay(stream, name);
    if (way === undefined) {
      own.push([name, test]);
      continue;
    }
    const { names = [], filter: asked = {} } = through.get(way.relation) ?? {};
    through.set(way.relation, {
      relation: way.relation,
      key: way.key,
      names: [...names, name],
      filter: { ...asked, [way.field]: test },
    });
  }
  if (through.size === 0) return { own: filter, through: [] };
  return { own: own.length === 0 ? undefined : Object.fromEntries(own), through: [...through.values()] };
}

/** Conditions on the records that are pointed to, as one on the key: that of a visible one which meets them. */
export async function keepThrough(
  { key, names }: Through,
  target: GrantedStream,
  conditions: readonly Condition[],
  reader: GrantedReader,
): Promise<Condition> {
  const keys = checkMost(await reader.keysWhere(target, conditions, MAX_KEYS + 1));
  return { ...isOneOf(key, keys), through: names };
}

/** Some of those that are meant would be another answer than all of them. */
function checkMost<T>(found: readonly T[]): readonly T[] {
  if (found.length <= MAX_KEYS) return found;
  throw new AppError('invalid_filter', `More than ${MAX_KEYS} records meet the filter through a relation.`, {
    hint: 'Narrow that part of it, or group by the relation instead.',
  });
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
  if ((condition.op !== 'any' && condition.op !== 'none') || condition.field.kind !== 'string')
    return condition;
  const relation = findPointer(stream, condition.field.name);
  const target = relation && reader.target(stream, relation);
  const title = target?.titleField === undefined ? undefined : target.fields.get(target.titleField);
  const asked = condition.values.filter((one) => typeof one === 'string');
  if (target === undefined || title?.kind !== 'string' || asked.length === 0) return condition;
  const known = new Set(await reader.knownKeys(target, asked));
  const names = asked.filter((one) => !known.has(one) && plain(one) !== '');
  if (names.length === 0) return condition;
  const spelled = names.flatMap((one) => [one, plain(one)]);
  const found = checkMost(await reader.named(target, title.name, spelled, MAX_KEYS + 1));
  const meant = names.flatMap((name) => {
    const keys = keysOf(name, found);
    return keys.length === 0 ? [] : [[name, keys] as const];
  });
  if (meant.length === 0) return condition;
  const values = [...condition.values, ...meant.flatMap(([, keys]) => keys)];
  return { ...condition, values, names: new Map(meant) };
}

/** As people write a channel or a person. */
const plain = (name: string) => name.replace(/^[#@]/, '').trim();

/** Who or what is called so; upper and lower case matter only where both ways occur. */
function keysOf(name: string, found: readonly NamedKey[]): string[] {
  const exact = found.filter((one) => one.name === name || one.name === plain(name));
  const fold = (text: string) => text.trim().toLowerCase();
  const alike = [fold(name), plain(name).toLowerCase()];
  const meant = exact.length > 0 ? exact : found.filter((one) => alike.includes(fold(one.name)));
  return meant.map((one) => one.key);
}
