import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Condition } from '../../schema-index/filter.ts';
import type { NamedKey } from '../../store/record-reads.ts';
import { findPointer } from '../labels.ts';
import { checkMost, MOST_KEYS } from './through-relations.ts';

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
  const found = checkMost(await reader.named(target, title.name, spelled, MOST_KEYS + 1));
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
