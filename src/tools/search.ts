import { z } from 'zod';
import type { Found, GrantedReader, Match } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import type { Candidate, Ranked } from '../search/rank.ts';
import { pageOf, type SearchPlan, searchRecords } from '../search/search-records.ts';
import type { CandidateText } from '../search/share-out.ts';
import { makeSnippet } from '../search/snippet.ts';
import { escapeText } from '../text/escape-text.ts';
import { searchText } from '../words/index-text.ts';
import { namesInput } from './connection-input.ts';
import { clampLimit, disclose, makeMeta, namedFields, takeEnvelope, type WarningCode } from './envelope.ts';
import { filterInput } from './filter-input.ts';
import { Budget } from './projector.ts';
import { writeRecordId } from './record-id.ts';
import { idOf, timeOf, titleOf } from './record-view.ts';
import { searchedFields, selectStreams } from './search-scope.ts';
import { defineTool } from './tool.ts';

const DEFAULT_HITS = 10;
const MOST_HITS = 50;

const input = z.object({
  query: z.string().min(1).describe('Plain words; no syntax.'),
  streams: z.array(z.string()).min(1).optional().describe('Only these streams.'),
  connection_id: namesInput.optional(),
  since: z.string().optional().describe('From, e.g. 2026-01-31 or last_30_days.'),
  until: z.string().optional().describe('Before.'),
  filter: filterInput.describe('As in query_records.'),
  limit: z.int().min(1).optional().describe('Default 10, at most 50.'),
  cursor: z.string().optional(),
});

interface Hit extends Candidate {
  readonly found: Found;
}

/** What later pages keep to: the plan, and the score, time and record that the last page ended with. */
type Place = [
  plan: PackedPlan,
  score: number,
  t: number | null,
  connectionId: string,
  stream: string,
  key: string,
];

/** A plan without its names: handles are paid for by the token. */
type PackedPlan = [any: 0 | 1, ...terms: [prefix: 0 | 1, weight: number, ...similar: string[]][]];

export const search = defineTool({
  name: 'search',
  title: 'Search',
  description:
    'Find records by words, over all granted connections at once; tolerates typos. Read a hit whole with fetch(id).',
  input,
  async run(args, context) {
    const { reader, cursors } = context;
    const { limit, warnings } = clampLimit(args.limit, DEFAULT_HITS, MOST_HITS);
    const { streams, conditions } = selectStreams(args, context);
    const query = [args.query, args.streams, args.connection_id, args.since, args.until, args.filter];
    const place =
      args.cursor === undefined ? undefined : await cursors.open<Place>('search', query, args.cursor);

    const where = { streams, conditions };
    const outcome = await searchRecords<Hit>(
      args.query,
      {
        find: async (expression, most) =>
          (await reader.matches(where, { expression, limit: most })).map(toHit),
        occurs: (expression) => reader.hasMatch(where, expression),
        read: (hits, characters) => readHits(reader, hits, characters),
        findSimilar: (word) => reader.similarWords(streams, word),
      },
      place && unpackPlan(place[0]),
    );
    const after = place && {
      score: place[1],
      t: place[2] ?? undefined,
      id: writeRecordId(place[3], place[4], place[5]),
    };
    const { page } = pageOf(outcome.ranked, after, limit + 1);

    const notes: WarningCode[] = [...warnings];
    if (outcome.limited) notes.push('matches_limited');
    if (outcome.plan.join === 'any') notes.push('words_relaxed');
    const escaped = { characters: 0 };
    const budget = new Budget();
    takeEnvelope(budget, {
      source_mix: page.slice(0, 10).map((one) => sourceOf(one.candidate)),
      meta: makeMeta(context, { warnings: notes }),
    });
    // Room for the handle of the record with the longest key.
    const longest = page.toSorted((a, b) => b.candidate.found.key.length - a.candidate.found.key.length)[0];
    if (longest !== undefined) budget.reserveHandle(toPlace(outcome.plan, longest));
    const shown: Ranked<Hit>[] = [];
    const results: unknown[] = [];
    const ranked = page.slice(0, limit);
    const hits = ranked.map((one) => one.candidate);
    for await (const { candidate, texts, match } of readHits(reader, hits, outcome.characters)) {
      const time = timeOf(match, reader.timeZone);
      const result = {
        id: candidate.id,
        title: titleOf(match, reader.timeZone),
        url: `${context.origin}/r/${candidate.id}`,
        text: escapeText(makeSnippet(texts, outcome.variants, outcome.characters), escaped),
        connection_id: match.stream.connection.connection_id,
        stream: match.stream.name,
        ...(time === undefined ? {} : { time }),
      };
      const { text: _, ...bare } = result;
      // A hit with a very long id may leave no room for its text; the first one is shown all the same.
      const fitting = [result, ...(results.length === 0 ? [bare] : [])].find((one) => budget.take(one));
      if (fitting === undefined) break;
      results.push(fitting);
      shown.push(ranked[hits.indexOf(candidate)] as Ranked<Hit>);
    }
    const last = shown.at(-1);
    const hasMore = shown.length < page.length;
    const next =
      hasMore && last !== undefined
        ? await cursors.seal('search', query, toPlace(outcome.plan, last))
        : undefined;
    const mix = mixOf(shown);
    const sources = [...new Set(shown.map((one) => one.candidate.found.stream))];
    return {
      body: {
        results,
        ...(mix.length > 1 ? { source_mix: mix } : {}),
        has_more: hasMore,
        ...(next === undefined ? {} : { next_cursor: next }),
        meta: makeMeta(context, { warnings: notes, escaped }),
      },
      disclosure: disclose(
        sources,
        namedFields([], sources.flatMap(searchedFields), conditions),
        results.length,
      ),
    };
  },
});

function toPlace(plan: SearchPlan, { score, candidate }: Ranked<Hit>): Place {
  const { stream, key } = candidate.found;
  return [packPlan(plan), score, candidate.t ?? null, stream.connection.connection_id, stream.name, key];
}

function packPlan({ join, terms }: SearchPlan): PackedPlan {
  return [
    join === 'any' ? 1 : 0,
    ...terms.map((term): PackedPlan[1] => [term.prefix ? 1 : 0, term.weight, ...term.similar]),
  ];
}

function unpackPlan([any, ...terms]: PackedPlan): SearchPlan {
  return {
    join: any === 1 ? 'any' : 'all',
    terms: terms.map(([prefix, weight, ...similar]) => ({ prefix: prefix === 1, weight, similar })),
  };
}

function toHit(found: Found): Hit {
  return { id: idOf(found), t: found.t, found };
}

/** The texts of hits, one after another, each cut after so many characters; and their titles. */
async function* readHits(
  reader: GrantedReader,
  hits: readonly Hit[],
  characters: number,
): AsyncGenerator<{ candidate: Hit; texts: CandidateText[]; match: Match }> {
  const byFound = new Map(hits.map((hit) => [hit.found, hit]));
  for await (const { found, record } of reader.texts([...byFound.keys()], neededFields, characters)) {
    const { stream } = found;
    const texts = searchedFields(stream).flatMap((field) => {
      const text = searchText(record[field]);
      return text === '' ? [] : [{ text, isTitle: field === stream.titleField }];
    });
    yield { candidate: byFound.get(found) as Hit, texts, match: { ...found, record } };
  }
}

function neededFields(stream: GrantedStream): string[] {
  return [...searchedFields(stream), ...(stream.titleField === undefined ? [] : [stream.titleField])];
}

function sourceOf(hit: Hit) {
  const { connection_id, connector_key, display_name } = hit.found.stream.connection;
  return { connection_id, connector_key, display_name: escapeText(display_name), hits: 1 };
}

/** How many of the shown hits each connection contributed, the most first. */
function mixOf(shown: readonly Ranked<Hit>[]) {
  const mix = new Map<string, ReturnType<typeof sourceOf>>();
  for (const { candidate } of shown) {
    const source = sourceOf(candidate);
    const known = mix.get(source.connection_id);
    if (known === undefined) mix.set(source.connection_id, source);
    else known.hits += 1;
  }
  return [...mix.values()].sort((a, b) => b.hits - a.hits).slice(0, 10);
}
