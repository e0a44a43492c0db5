import { AppError } from '../../errors.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ToolContext } from '../../reads/granted-read.ts';
import type { Clock, Condition } from '../../schema-index/filter.ts';
import { toLocal } from '../../time/instant.ts';
import { parseTime } from '../../time/stretch.ts';
import { knowsOwner, readFilter } from '../filter/read-filter.ts';
import { canFilter } from '../filter/through-relations.ts';
import { type ConnectionNames, selectConnections, streamsNamed } from '../resolve-stream.ts';

/** The arguments of a search that say where to look. */
export interface SearchScope {
  readonly streams?: readonly string[] | undefined;
  readonly connection_id?: ConnectionNames;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly filter?: unknown;
}

/** The fields of a stream that words are looked for in. */
export function searchedFields(stream: GrantedStream): string[] {
  return [...stream.fields.values()].filter((field) => field.search).map((field) => field.name);
}

/** The streams to look in, each with its conditions. A stream without a filtered field, or in which nobody is known as `me`, cannot meet the filter. */
export async function selectStreams(args: SearchScope, clock: Clock, { reader }: ToolContext) {
  const connected = selectConnections(reader.streams, args.connection_id);
  const names = args.streams;
  for (const name of names ?? []) streamsNamed(reader, name);
  const timed = args.since !== undefined || args.until !== undefined;
  const named = connected
    .filter((stream) => names === undefined || names.includes(stream.name))
    .filter((stream) => searchedFields(stream).length > 0)
    .filter((stream) => !timed || stream.timeField !== undefined);
  const range = { gte: readTime(args.since, 'since', clock), lt: readTime(args.until, 'until', clock) };
  const conditions = new Map(named.map((stream) => [stream, withinTimes(stream, range, clock.timeZone)]));
  if (args.filter === undefined) return { streams: named, conditions };
  const wanted = typeof args.filter === 'object' && args.filter !== null ? Object.keys(args.filter) : [];
  const streams: GrantedStream[] = [];
  for (const stream of named) {
    if (!wanted.every((name) => canFilter(stream, name, reader))) continue;
    if (await knowsOwner(args.filter, stream, reader)) streams.push(stream);
  }
  const [sample] = named;
  // No stream fits: the first one's refusal names what is wrong and what there is.
  if (streams.length === 0 && sample !== undefined) await readFilter(args.filter, sample, clock, reader);
  for (const stream of streams) {
    conditions.set(stream, [
      ...(conditions.get(stream) ?? []),
      ...(await readFilter(args.filter, stream, clock, reader)),
    ]);
  }
  return { streams, conditions };
}

/** Between two instants by the stream's time field. A calendar day counts by the instant it begins by the clock of the call. */
function withinTimes(
  stream: GrantedStream,
  range: { gte: number | undefined; lt: number | undefined },
  timeZone: string,
): Condition[] {
  const field = stream.timeField;
  if (field === undefined) return [];
  return (['gte', 'lt'] as const).flatMap((op) => {
    const instant = range[op];
    if (instant === undefined) return [];
    return [{ field, op, value: field.kind === 'date' ? toLocal(instant, timeZone) : instant }];
  });
}

function readTime(text: string | undefined, argument: string, clock: Clock): number | undefined {
  if (text === undefined) return undefined;
  const time = parseTime(text, clock.now, clock.timeZone);
  if (time !== undefined) return time;
  throw new AppError('invalid_argument', `${argument} is not a time.`, {
    hint: 'Use a time such as 2026-01-31, 2026-01, 2026-01-31T09:30:00Z, last_week or last_30_days.',
  });
}
