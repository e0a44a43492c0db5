import { z } from 'zod';
import { disclose, namedFields, type ReadContext } from '../reads/granted-read.ts';
import { pageOf } from '../search/rank.ts';
import { searchWordings } from '../search/search-wordings.ts';
import { escapeText } from '../text/escape-text.ts';
import { DAY_MS } from '../time/durations.ts';
import { Budget, clampLimit, makeMeta, readClock, type WarningCode } from './envelope.ts';
import { type FoldedHit, foldCopies } from './search/search-copies.ts';
import { findPosition, type Position, toPosition, unpackPlans } from './search/search-cursor.ts';
import { readWho, showHit, statusField, whoFields } from './search/search-hit.ts';
import { describeSearched, selectStreams } from './search/search-scope.ts';
import { createSource, type Hit, searchedFields } from './search/search-source.ts';
import { defineTool, filterInput, namesInput } from './tool.ts';

const DEFAULT_HITS = 10;
const MAX_HITS = 50;
const MAX_WORDINGS = 5;
const MAX_SOURCES = 10;
/** If the best hits cover less than this share of the query, the record probably uses other words. */
const LOW_COVERAGE = 0.5;

const input = z.object({
  query: z.string().min(1).describe('Plain words; any may match.'),
  also: z
    .array(z.string().min(1))
    .min(1)
    .max(MAX_WORDINGS)
    .optional()
    .describe('Up to 5 other wordings, in any language of the data.'),
  streams: z.array(z.string()).min(1).optional(),
  connection_id: namesInput.optional(),
  since: z.string().optional().describe('From.'),
  until: z.string().optional().describe('Before.'),
  time_zone: z.string().optional(),
  filter: filterInput.describe('As in query_records.'),
  limit: z.int().min(1).optional().describe('Default 10, max 50.'),
  cursor: z.string().optional(),
});

/** The memory of a hit in a cached search. */
const HIT_BYTES = 300;

type Outcome = Awaited<ReturnType<typeof searchWordings<Hit>>>;

export const search = defineTool({
  name: 'search',
  title: 'Search',
  description:
    'Find records by words in everything granted; tolerates typos. Read a hit whole with fetch(id).',
  input,
  async run(args, context) {
    const { reader, cursors } = context;
    const { limit, warnings } = clampLimit(args.limit, DEFAULT_HITS, MAX_HITS);
    const clock = readClock(args.time_zone, context);
    const scope = await selectStreams(args, clock, context);
    const query = [
      ...[args.query, args.streams, args.connection_id, args.since, args.until, args.filter],
      // Left out when absent: cursors from before these arguments existed stay valid.
      ...(args.time_zone === undefined ? [] : [args.time_zone]),
      ...(args.also === undefined ? [] : [{ also: args.also }]),
    ];
    const start =
      args.cursor === undefined ? undefined : await cursors.open<Position>('search', query, args.cursor);

    const wordings = [args.query, ...(args.also ?? [])];
    const plans = start && unpackPlans(start);
    const now = context.now.getTime();
    const outcome = await reader.search.cached(
      scope,
      // Recency counts in days.
      JSON.stringify([wordings, plans, Math.floor(now / DAY_MS)]),
      () => searchWordings(wordings, createSource(reader, scope), now, plans),
      ({ ranked }) => HIT_BYTES * ranked.length,
    );
    const { ranked } = outcome;
    const rest = pageOf(ranked, start && findPosition(start, outcome), ranked.length).page;
    const page = await foldCopies(reader, rest, limit);

    if (outcome.limited) warnings.push('matches_limited');
    if (outcome.relaxed && ranked.length > 0) warnings.push('words_relaxed');
    if (args.also === undefined && outcome.coverage < LOW_COVERAGE) warnings.push('also_may_help');
    const notes = { warnings, clock };
    const { shown, results, escaped } = await showPage(page, outcome, notes, context);
    const last = shown.at(-1)?.last;
    const hasMore = last === undefined ? page.length > 0 : last !== rest.at(-1);
    const hits = shown.map(({ hit }) => hit.candidate);
    const mix = countSources(hits);
    const streams = [...new Set(hits.map((hit) => hit.found.stream))];
    const fields = streams.flatMap((stream) =>
      [...searchedFields(stream), ...whoFields(stream), statusField(stream) ?? []].flat(),
    );
    return {
      body: {
        results,
        source_mix: mix.length > 1 ? mix : undefined,
        searched: ranked.length === 0 ? await describeSearched(args, scope.streams, context) : undefined,
        has_more: hasMore,
        next_cursor:
          hasMore && last ? cursors.seal('search', query, toPosition(outcome.plans, last)) : undefined,
        meta: makeMeta(context, { ...notes, escaped }),
      },
      disclosure: disclose(streams, namedFields([], fields, scope.conditions), results.length),
    };
  },
});

/** Shows as many hits of a page as fit. The first is shown without its text if need be. */
async function showPage(
  page: readonly FoldedHit[],
  { plans, variants, weights }: Outcome,
  notes: { warnings: WarningCode[]; clock: ReturnType<typeof readClock> },
  context: ReadContext,
) {
  const escaped = { characters: 0 };
  const budget = new Budget();
  budget.takeEnvelope({
    source_mix: page.slice(0, MAX_SOURCES).map(({ last }) => sourceOf(last.candidate)),
    meta: makeMeta(context, notes),
  });
  const keyLength = ({ last }: FoldedHit) => last.candidate.found.key.length;
  const [longest] = page.toSorted((a, b) => keyLength(b) - keyLength(a));
  if (longest !== undefined) budget.reserveCursor(toPosition(plans, longest.last));
  const whoOf = await readWho(
    page.map(({ hit }) => hit.match),
    context,
  );
  const style = { origin: context.origin, timeZone: notes.clock.timeZone, variants, weights, whoOf };
  const shown: FoldedHit[] = [];
  const results: unknown[] = [];
  for (const one of page) {
    const result = showHit(one.hit, one.copies, style, escaped);
    const { text: _, ...bare } = result;
    const fitting = [result, ...(results.length === 0 ? [bare] : [])].find((each) => budget.take(each));
    if (fitting === undefined) break;
    results.push(fitting);
    shown.push(one);
  }
  return { shown, results, escaped };
}

function sourceOf(hit: Hit) {
  const { connection_id, connector_key, display_name } = hit.found.stream.connection;
  return { connection_id, connector_key, display_name: escapeText(display_name), hits: 1 };
}

/** Counts the shown hits of each connection, most first. */
function countSources(shown: readonly Hit[]) {
  const sources = new Map<string, ReturnType<typeof sourceOf>>();
  for (const hit of shown) {
    const source = sourceOf(hit);
    const known = sources.get(source.connection_id);
    if (known === undefined) sources.set(source.connection_id, source);
    else known.hits += 1;
  }
  return [...sources.values()].sort((a, b) => b.hits - a.hits).slice(0, MAX_SOURCES);
}
