import { z } from 'zod';
import { disclose, namedFields } from '../reads/granted-read.ts';
import { pageOf } from '../search/rank.ts';
import { searchWordings } from '../search/search-wordings.ts';
import { escapeText } from '../text/escape-text.ts';
import { Budget, clampLimit, makeMeta, readClock, takeEnvelope, type WarningCode } from './envelope.ts';
import { foldCopies } from './search/search-copies.ts';
import { readWho, showHit, statusField, whoFields } from './search/search-hit.ts';
import { findPlace, type Place, toPlace, unpackPlans } from './search/search-place.ts';
import { describeSearched, selectStreams } from './search/search-scope.ts';
import { createSource, type Hit, searchedFields } from './search/search-source.ts';
import { defineTool, filterInput, namesInput } from './tool.ts';

const DEFAULT_HITS = 10;
const MAX_HITS = 50;
const MAX_WORDINGS = 5;
/** A question whose best hits have less than this share of its weight is probably put in other words than the record. */
const LITTLE_COVERAGE = 0.5;

const input = z.object({
  query: z.string().min(1).describe('Plain words; any may match.'),
  also: z
    .array(z.string().min(1))
    .min(1)
    .max(MAX_WORDINGS)
    .optional()
    .describe('Up to 5 other wordings, also in other languages of the data.'),
  streams: z.array(z.string()).min(1).optional(),
  connection_id: namesInput.optional(),
  since: z.string().optional().describe('From.'),
  until: z.string().optional().describe('Before.'),
  time_zone: z.string().optional(),
  filter: filterInput.describe('As in query_records.'),
  limit: z.int().min(1).optional().describe('Default 10, at most 50.'),
  cursor: z.string().optional(),
});

export const search = defineTool({
  name: 'search',
  title: 'Search',
  description:
    'Find records by words, over all granted connections at once; tolerates typos. Read a hit whole with fetch(id).',
  input,
  async run(args, context) {
    const { reader, cursors } = context;
    const { limit, warnings } = clampLimit(args.limit, DEFAULT_HITS, MAX_HITS);
    const clock = readClock(args.time_zone, context);
    const { streams, conditions } = await selectStreams(args, clock, context);
    const query = [
      args.query,
      args.streams,
      args.connection_id,
      args.since,
      args.until,
      args.filter,
      // Handles from before there were zones go on.
      ...(args.time_zone === undefined ? [] : [args.time_zone]),
      ...(args.also === undefined ? [] : [{ also: args.also }]),
    ];
    const place =
      args.cursor === undefined ? undefined : await cursors.open<Place>('search', query, args.cursor);

    const outcome = await searchWordings(
      [args.query, ...(args.also ?? [])],
      createSource(reader, { streams, conditions }),
      context.now.getTime(),
      place && unpackPlans(place),
    );
    const rest = pageOf(outcome.ranked, place && findPlace(place, outcome), outcome.ranked.length).page;
    const page = await foldCopies(reader, rest, limit);

    const notes: WarningCode[] = [...warnings];
    if (outcome.limited) notes.push('matches_limited');
    if (outcome.relaxed && outcome.ranked.length > 0) notes.push('words_relaxed');
    if (args.also === undefined && outcome.coverage < LITTLE_COVERAGE) notes.push('also_may_help');
    const escaped = { characters: 0 };
    const budget = new Budget();
    takeEnvelope(budget, {
      source_mix: page.slice(0, 10).map(({ last }) => sourceOf(last.candidate)),
      meta: makeMeta(context, { warnings: notes, clock }),
    });
    // Room for the handle of the record with the longest key.
    const longest = page
      .map(({ last }) => last)
      .toSorted((a, b) => b.candidate.found.key.length - a.candidate.found.key.length)[0];
    if (longest !== undefined) budget.reserveHandle(toPlace(outcome.plans, longest));
    const style = {
      origin: context.origin,
      timeZone: clock.timeZone,
      variants: outcome.variants,
      weights: outcome.weights,
      whoOf: await readWho(
        page.map(({ hit }) => hit.match),
        context,
      ),
    };
    const shown: typeof page = [];
    const results: unknown[] = [];
    for (const one of page) {
      const result = showHit(one.hit, one.copies, style, escaped);
      const { text: _, ...bare } = result;
      // A hit with a very long id may leave no room for its text; the first one is shown all the same.
      const fitting = [result, ...(results.length === 0 ? [bare] : [])].find((each) => budget.take(each));
      if (fitting === undefined) break;
      results.push(fitting);
      shown.push(one);
    }
    const last = shown.at(-1)?.last;
    const hasMore = last === undefined ? page.length > 0 : last !== rest.at(-1);
    const next =
      hasMore && last !== undefined ? cursors.seal('search', query, toPlace(outcome.plans, last)) : undefined;
    const mix = mixOf(shown.map((one) => one.hit.candidate));
    const sources = [...new Set(shown.map((one) => one.hit.candidate.found.stream))];
    return {
      body: {
        results,
        ...(mix.length > 1 ? { source_mix: mix } : {}),
        ...(outcome.ranked.length === 0 ? { searched: await describeSearched(args, streams, context) } : {}),
        has_more: hasMore,
        ...(next === undefined ? {} : { next_cursor: next }),
        meta: makeMeta(context, { warnings: notes, escaped, clock }),
      },
      disclosure: disclose(
        sources,
        namedFields(
          [],
          sources.flatMap((stream) =>
            [...searchedFields(stream), ...whoFields(stream), statusField(stream) ?? []].flat(),
          ),
          conditions,
        ),
        results.length,
      ),
    };
  },
});

function sourceOf(hit: Hit) {
  const { connection_id, connector_key, display_name } = hit.found.stream.connection;
  return { connection_id, connector_key, display_name: escapeText(display_name), hits: 1 };
}

/** How many of the shown hits each connection contributed, the most first. */
function mixOf(shown: readonly Hit[]) {
  const mix = new Map<string, ReturnType<typeof sourceOf>>();
  for (const hit of shown) {
    const source = sourceOf(hit);
    const known = mix.get(source.connection_id);
    if (known === undefined) mix.set(source.connection_id, source);
    else known.hits += 1;
  }
  return [...mix.values()].sort((a, b) => b.hits - a.hits).slice(0, 10);
}
