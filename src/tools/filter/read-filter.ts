import { type Clock, type Condition, findOwnerFields, parseFilter } from '../../filter/filter.ts';
import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import { cutText } from '../../text/cut-text.ts';
import { escapeText } from '../../text/escape-text.ts';
import { DAY_MS } from '../../time/durations.ts';
import { zoneOffsets } from '../../time/zone-offsets.ts';
import { addKeysOfNames, keepThrough, splitFilter } from './through-relations.ts';

/** Reads a filter for each stream. */
export async function readFilters(
  filter: unknown,
  streams: readonly GrantedStream[],
  clock: Clock,
  reader: GrantedReader,
): Promise<Map<GrantedStream, Condition[]>> {
  const conditions = new Map<GrantedStream, Condition[]>();
  for (const stream of streams)
    conditions.set(stream, filter === undefined ? [] : await readFilter(filter, stream, clock, reader));
  return conditions;
}

/** Reads a filter for a stream. `me` stands for the owner in that account, names for the keys they belong to. */
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
    owner.set(name, await reader.lookups.owner(stream, name));
  return addOffsets(parseFilter(filter, stream.fields, clock, owner), stream, reader);
}

/** Whether the owner is known wherever a filter uses `me`, in the stream and through its relations. */
export async function knowsOwner(
  filter: unknown,
  stream: GrantedStream,
  reader: GrantedReader,
): Promise<boolean> {
  const { own, through } = splitFilter(filter, stream);
  const asked = through.map((part) => [part.filter, reader.target(stream, part.relation)] as const);
  for (const [part, from] of [[own, stream] as const, ...asked])
    for (const { name } of findOwnerFields(part, from.fields))
      if ((await reader.lookups.owner(from, name)).length === 0) return false;
  return true;
}

/** Earlier versions of a record may have times somewhat outside the current span. */
const MARGIN_MS = 366 * DAY_MS;

/** Adds the zone's offsets, over the times of visible records, to conditions on weekdays and hours. */
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
      const measure = { streams: [stream], field: field.name, groupBy: [], conditions: new Map() };
      const sum = { ...measure, metric: 'min', summation: 'exact' } as const;
      const first = (await reader.measures.extreme(sum, 'min')) ?? 0;
      const last = (await reader.measures.extreme(sum, 'max')) ?? first;
      return zoneOffsets(first - MARGIN_MS, last + MARGIN_MS, zone);
    };
    known.push({ ...one, offsets: await reader.cached('offsets', [stream], [field.name, zone], read) });
  }
  return known;
}

const MAX_SIMILAR_FIELDS = 3;
const MAX_SIMILAR_VALUES = 3;
const MAX_VALUE_CHARACTERS = 60;

/**
 * For an empty answer: finds values of visible records that contain the text of a filter. Without them, a merchant who is
 * stored under a longer name looks like one who was never paid.
 */
export async function findSimilarValues(
  streams: readonly GrantedStream[],
  conditions: ReadonlyMap<GrantedStream, readonly Condition[]>,
  { reader }: ReadContext,
): Promise<{ similar_values?: Record<string, string[]> }> {
  const [first] = streams as [GrantedStream];
  const asked = (conditions.get(first) ?? []).flatMap((one) => {
    const [text] = one.op === 'any' ? one.values : [];
    const isName = one.field.kind === 'string' && one.field.group && typeof text === 'string' && text !== '';
    return isName ? [{ field: one.field, text }] : [];
  });
  const similar: Record<string, string[]> = {};
  for (const { field, text } of asked.slice(0, MAX_SIMILAR_FIELDS)) {
    const values = await reader.lookups.valuesContaining(streams, field.name, text, MAX_SIMILAR_VALUES);
    // If the value itself occurs, another condition excludes its records.
    if (values.length > 0 && !values.includes(text))
      similar[field.name] = values.map((value) => escapeText(cutText(value, MAX_VALUE_CHARACTERS)));
  }
  return Object.keys(similar).length === 0 ? {} : { similar_values: similar };
}
