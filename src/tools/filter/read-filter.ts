import { type Clock, type Condition, findOwnerFields, parseFilter } from '../../filter/filter.ts';
import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import { DAY_MS } from '../../time/durations.ts';
import { zoneOffsets } from '../../time/zone-offsets.ts';
import { addKeysOfNames, keepThrough, splitFilter } from './through-relations.ts';

/** A filter against a stream, `me` read as whoever the owner is in that account, names as the keys they stand for. */
export async function readFilter(
  filter: unknown,
  stream: GrantedStream,
  clock: Clock,
  reader: GrantedReader,
): Promise<Condition[]> {
  const { own, through } = splitFilter(filter, stream);
  const conditions = [];
  for (const condition of await readOwn(own, stream, clock, reader))
    conditions.push(await addKeysOfNames(condition, stream, reader));
  for (const part of through) {
    const target = reader.target(stream, part.relation);
    const asked = await readOwn(part.filter, target, clock, reader);
    conditions.push(await keepThrough(part, target, asked, reader));
  }
  return conditions;
}

async function readOwn(
  filter: unknown,
  stream: GrantedStream,
  clock: Clock,
  reader: GrantedReader,
): Promise<Condition[]> {
  const owner = new Map<string, readonly string[]>();
  for (const { name } of findOwnerFields(filter, stream.fields))
    owner.set(name, await reader.owner(stream, name));
  return addOffsets(parseFilter(filter, stream.fields, clock, owner), stream, reader);
}

/** Whether everybody whom a filter calls `me` is known in a stream, and in those it goes through to. */
export async function knowsOwner(
  filter: unknown,
  stream: GrantedStream,
  reader: GrantedReader,
): Promise<boolean> {
  const { own, through } = splitFilter(filter, stream);
  const asked = through.map((part) => [part.filter, reader.target(stream, part.relation)] as const);
  for (const [part, from] of [[own, stream] as const, ...asked])
    for (const { name } of findOwnerFields(part, from.fields))
      if ((await reader.owner(from, name)).length === 0) return false;
  return true;
}

/** A filter against each of some streams. */
export async function readFilters(
  filter: unknown,
  streams: readonly GrantedStream[],
  clock: Clock,
  reader: GrantedReader,
): Promise<Map<GrantedStream, Condition[]>> {
  if (filter === undefined) return new Map(streams.map((stream) => [stream, []]));
  const conditions = new Map<GrantedStream, Condition[]>();
  for (const stream of streams) conditions.set(stream, await readFilter(filter, stream, clock, reader));
  return conditions;
}

/** Times of earlier versions of a record, which lie a little before or after those that there are now, are read right too. */
const MARGIN_MS = 366 * DAY_MS;

/** Adds to conditions on weekdays and hours how far the clock is ahead, over the times that visible records have. */
export async function addOffsets(
  conditions: readonly Condition[],
  stream: GrantedStream,
  reader: GrantedReader,
): Promise<Condition[]> {
  const known: Condition[] = [];
  for (const one of conditions) {
    if (one.op !== 'weekday' && one.op !== 'hour') {
      known.push(one);
      continue;
    }
    const { field, zone } = one;
    const read = async () => {
      const { first, last } = await readSpan(field.name, stream, reader);
      return zoneOffsets(first - MARGIN_MS, last + MARGIN_MS, zone);
    };
    known.push({ ...one, offsets: await reader.keep('offsets', [stream], [field.name, zone], read) });
  }
  return known;
}

async function readSpan(field: string, stream: GrantedStream, reader: GrantedReader) {
  const measure = {
    streams: [stream],
    metric: 'min',
    adding: 'exact',
    field,
    groupBy: [],
    conditions: new Map(),
  } as const;
  const first = (await reader.measures.extreme(measure, 'min')) ?? 0;
  return { first, last: (await reader.measures.extreme(measure, 'max')) ?? first };
}
