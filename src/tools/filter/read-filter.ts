import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import { type Clock, type Condition, findOwnerFields, parseFilter } from '../../schema-index/filter.ts';
import { addKeysOfNames, readThrough, splitFilter } from './named-filter.ts';

/** A filter against a stream, `me` read as whoever the owner is in that account, names as the keys they stand for. */
export async function readFilter(
  filter: unknown,
  stream: GrantedStream,
  clock: Clock,
  reader: GrantedReader,
): Promise<Condition[]> {
  const { own, through } = splitFilter(filter, stream);
  const owner = new Map<string, readonly string[]>();
  for (const { name } of findOwnerFields(own, stream.fields))
    owner.set(name, await reader.owner(stream, name));
  const conditions: Condition[] = [];
  for (const one of parseFilter(own, stream.fields, clock, owner))
    conditions.push(await addKeysOfNames(one, stream, reader));
  for (const one of through) conditions.push(await readThrough(stream, one, clock, reader));
  return conditions;
}

/** Whether everybody whom a filter calls `me` is known in a stream. */
export async function knowsOwner(
  filter: unknown,
  stream: GrantedStream,
  reader: GrantedReader,
): Promise<boolean> {
  for (const { name } of findOwnerFields(filter, stream.fields))
    if ((await reader.owner(stream, name)).length === 0) return false;
  return true;
}

/** A filter against each of some streams. */
export async function readFilters(
  filter: unknown,
  streams: readonly GrantedStream[],
  clock: Clock,
  reader: GrantedReader,
): Promise<Map<GrantedStream, Condition[]>> {
  const conditions = new Map<GrantedStream, Condition[]>();
  for (const stream of streams) conditions.set(stream, await readFilter(filter, stream, clock, reader));
  return conditions;
}
