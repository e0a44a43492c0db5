import { z } from 'zod';
import type { GrantedReader } from '../reader/granted-reader.ts';
import type { Found, Match } from '../reader/granted-record.ts';
import type { FieldRole, MatchScope } from '../reader/granted-search.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import type { Role } from '../search/gather.ts';
import { type Candidate, pageOf, type Ranked } from '../search/rank.ts';
import { type SearchPlan, searchRecords } from '../search/search-records.ts';
import { BODY, PEOPLE, type SearchSource, TITLE } from '../search/search-source.ts';
import type { CandidateText } from '../search/share-out.ts';
import { makeSnippet } from '../search/snippet.ts';
import { escapeText } from '../text/escape-text.ts';
import { searchText } from '../words/index-text.ts';
import { namesInput } from './connection-input.ts';
import { invalidCursor } from './cursor.ts';
import { clampLimit, disclose, makeMeta, namedFields, takeEnvelope, type WarningCode } from './envelope.ts';
import { filterInput } from './filter-input.ts';
import { Budget } from './projector.ts';
import { writeRecordId } from './record-id.ts';
import { idOf, timeOf, titleOf } from './record-view.ts';
import { searchedFields, selectStreams } from './search-scope.ts';
import { defineTool } from './tool.ts';

const DEFAULT_HITS = 10;
const MOST_HITS = 50;
/** How much of a record is looked through for the passage that is shown. */
const SHOWN_CHARACTERS = 50_000;

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

/** A plan without its names: handles are paid for by the token. The first number tells plans of other versions apart. */
type PackedPlan = [
  version: typeof PLAN,
  length: number,
  recentTo: number,
  terms: [weight: number, flags: number, ...similar: string[]][],
  added: [word: string, weight: number][],
];

const PLAN = 2;
const ROLES: readonly Role[] = ['adds', 'gathers', 'anchors'];
const BEGINS = 4;

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

    const outcome = await searchRecords(
      args.query,
      createSource(reader, { streams, conditions }),
      context.now.getTime(),
      place && unpackPlan(place[0]),
    );
    const after = place && findPlace(place, outcome);
    const { page } = pageOf(outcome.ranked, after, limit + 1);

    const notes: WarningCode[] = [...warnings];
    if (outcome.limited) notes.push('matches_limited');
    if (outcome.relaxed && outcome.ranked.length > 0) notes.push('words_relaxed');
    const escaped = { characters: 0 };
    const budget = new Budget();
    takeEnvelope(budget, {
      source_mix: page.slice(0, 10).map((one) => sourceOf(one.candidate)),
      meta: makeMeta(context, { warnings: notes }),
    });
    // Room for the handle of the record with the longest key.
    const longest = page.toSorted((a, b) => b.candidate.found.key.length - a.candidate.found.key.length)[0];
    if (longest !== undefined) budget.reserveHandle(toPlace(outcome.plan, longest));
    const weights = outcome.plan.terms.map(({ weight }) => weight);
    const shown: Ranked<Hit>[] = [];
    const results: unknown[] = [];
    const ranked = page.slice(0, limit);
    const hits = ranked.map((one) => one.candidate);
    for await (const { candidate, texts, match } of readHits(reader, hits, SHOWN_CHARACTERS)) {
      const time = timeOf(match, reader.timeZone);
      const result = {
        id: candidate.id,
        title: titleOf(match, reader.timeZone),
        url: `${context.origin}/r/${candidate.id}`,
        text: escapeText(makeSnippet(texts, outcome.variants, weights, SHOWN_CHARACTERS), escaped),
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
        ...(outcome.ranked.length === 0 ? { searched: describeSearched(reader, streams) } : {}),
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

const MOST_NAMED = 10;

/** For an empty page: where was looked, and which granted streams have no text to look in. */
function describeSearched(reader: GrantedReader, streams: readonly GrantedStream[]) {
  const silent = reader.streams.filter((stream) => searchedFields(stream).length === 0);
  const names = (some: readonly GrantedStream[]) => [...new Set(some.map((stream) => stream.name))];
  return {
    streams: names(streams).slice(0, MOST_NAMED),
    streams_total: streams.length,
    without_text: names(silent).slice(0, MOST_NAMED),
  };
}

function toPlace(plan: SearchPlan, { score, candidate }: Ranked<Hit>): Place {
  const { stream, key } = candidate.found;
  return [packPlan(plan), score, candidate.t ?? null, stream.connection.connection_id, stream.name, key];
}

function packPlan({ length, recentTo, terms, added }: SearchPlan): PackedPlan {
  return [
    PLAN,
    length,
    recentTo,
    terms.map(({ role, weight, begins, similar }) => [
      weight,
      ROLES.indexOf(role) + (begins ? BEGINS : 0),
      ...similar,
    ]),
    added.map(({ word, weight }) => [word, weight]),
  ];
}

/** The place that a page ended with, in the order there is now. */
function findPlace([[version], score, t, ...record]: Place, { ranked }: { ranked: readonly Ranked<Hit>[] }) {
  const id = writeRecordId(...record);
  if (version === PLAN) return { score, t: t ?? undefined, id };
  // The handle of a version that ranked in another way, at most a day old: it goes on after the record it names.
  const last = ranked.find(({ candidate }) => candidate.id === id);
  if (last === undefined) throw invalidCursor();
  return { score: last.score, t: last.candidate.t, id };
}

function unpackPlan(packed: PackedPlan): SearchPlan | undefined {
  const [version, length, recentTo, terms, added] = packed;
  if (version !== PLAN) return undefined;
  return {
    length,
    recentTo,
    terms: terms.map(([weight, flags, ...similar]) => ({
      weight,
      role: ROLES[flags % BEGINS] ?? 'adds',
      begins: flags >= BEGINS,
      similar,
    })),
    added: added.map(([word, weight]) => ({ word, weight })),
  };
}

const PARTS: Record<FieldRole, number> = { title: TITLE, people: PEOPLE, body: BODY };

/** What a search reads, through the grant. */
function createSource(reader: GrantedReader, where: MatchScope): SearchSource<Hit> {
  return {
    countRecords: () => reader.search.countAll(where),
    countMatching: (expression, most) => reader.search.countMatching(where, expression, most),
    listMatching: (expression, most) => reader.search.matching(where, expression, most),
    listNewest: (expression, limit) => reader.search.newestMatching(where, { expression, limit }),
    findOccurrences: (spelling) => reader.search.places(where, spelling, PARTS),
    measureNewest: async (records, most) =>
      (await reader.search.newest(where, records, most)).map(({ record, found, words }) => ({
        record,
        words,
        candidate: { id: idOf(found), t: found.t, found },
      })),
    read: (hits, characters) => readHits(reader, hits, characters),
    findSimilar: (word, countTo) => reader.search.similarWords(where, word, countTo),
    findForms: (beginning, isForm, countTo) => reader.search.wordForms(where, beginning, isForm, countTo),
  };
}

/** The texts of hits, one after another, each cut after so many characters; and their titles. */
async function* readHits(
  reader: GrantedReader,
  hits: readonly Hit[],
  characters: number,
): AsyncGenerator<{ candidate: Hit; texts: CandidateText[]; match: Match }> {
  const byFound = new Map(hits.map((hit) => [hit.found, hit]));
  for await (const { found, record } of reader.search.texts([...byFound.keys()], neededFields, characters)) {
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
