import { AppError } from '../../errors.ts';
import type { Clock, Condition } from '../../filter/filter.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import { findNearestWords } from '../../search/nearest-words.ts';
import { parseQuery } from '../../search/parse-query.ts';
import { toLocal } from '../../time/instant.ts';
import { parseTime } from '../../time/period.ts';
import { knowsOwner, readFilter } from '../filter/read-filter.ts';
import { canFilter } from '../filter/through-relations.ts';
import { type ConnectionNames, selectConnections, streamsNamed } from '../resolve-stream.ts';
import { createSource, searchedFields } from './search-source.ts';

/** The arguments that limit what is searched. */
export interface SearchScope {
  readonly streams?: readonly string[] | undefined;
  readonly connection_id?: ConnectionNames;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly filter?: unknown;
}

/** Returns the streams to search with their conditions. Leaves out streams that lack a filtered field, or whose owner is unknown if the filter uses `me`. */
export async function selectStreams(args: SearchScope, clock: Clock, { reader }: ReadContext) {
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
  // No stream fits: the error of the first one names the problem and the alternatives.
  if (streams.length === 0 && sample !== undefined) await readFilter(args.filter, sample, clock, reader);
  for (const stream of streams) {
    const own = await readFilter(args.filter, stream, clock, reader);
    conditions.set(stream, [...(conditions.get(stream) ?? []), ...own]);
  }
  return { streams, conditions };
}

/** Returns the conditions of a period on the stream's time field. A date is compared as midnight in the time zone of the call. */
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

const MAX_NAMED_STREAMS = 10;

/** Describes, for an empty page, what was searched, what was not, and which similar words exist. */
export async function describeSearched(
  args: SearchScope & { readonly query: string },
  streams: readonly GrantedStream[],
  context: ReadContext,
) {
  const granted = context.reader.streams;
  const textless = granted.filter((stream) => searchedFields(stream).length === 0);
  const fields = new Map<string, Set<string>>();
  for (const stream of streams)
    fields.set(stream.name, new Set([...(fields.get(stream.name) ?? []), ...searchedFields(stream)]));
  // Without the conditions: words of records that they exclude are worth showing.
  const source = createSource(context.reader, { streams, conditions: new Map() });
  const nearest = await findNearestWords(parseQuery(args.query), source);
  const names = [...new Set(textless.map((stream) => stream.name))];
  return {
    summary: summarize(args, {
      granted: granted.length,
      textless: textless.length,
      searched: streams.length,
    }),
    streams: Object.fromEntries(
      [...fields].slice(0, MAX_NAMED_STREAMS).map(([name, searched]) => [name, [...searched]]),
    ),
    streams_total: streams.length,
    without_text: textless.length === 0 ? undefined : names.slice(0, MAX_NAMED_STREAMS),
    words_that_exist: nearest,
  };
}

/** Explains an empty answer in one sentence. */
function summarize(
  { since, until, filter }: SearchScope,
  { granted, textless, searched }: { granted: number; textless: number; searched: number },
): string {
  const narrowed = since !== undefined || until !== undefined || filter !== undefined;
  const within = narrowed ? ', but only the records that meet since, until and filter' : ' in full';
  if (searched === granted) return `All ${granted} granted streams were searched${within}.`;
  const excluded = granted - textless - searched;
  return [
    `${searched} of ${granted} granted streams were searched${within}`,
    ...(textless === 0 ? [] : [`without searchable text: ${textless}`]),
    ...(excluded === 0 ? [] : [`excluded by the arguments: ${excluded}`]),
  ]
    .join('; ')
    .concat('.');
}
