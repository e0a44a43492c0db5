import type { GrantedReader } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import { type Clock, type Condition, findOwnerFields, parseFilter } from '../schema-index/filter.ts';

/** A filter against a stream, `me` read as whoever the owner is in that account. */
export async function readFilter(
  filter: unknown,
  stream: GrantedStream,
  clock: Clock,
  reader: GrantedReader,
): Promise<Condition[]> {
  const owner = new Map<string, readonly string[]>();
  for (const { name } of findOwnerFields(filter, stream.fields))
    owner.set(name, await reader.owner(stream, name));
  return parseFilter(filter, stream.fields, clock, owner);
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
