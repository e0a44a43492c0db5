import type { Disclosure, GrantedRead, ReadContext } from '../reads/granted-read.ts';
import { escapeText } from '../text/escape-text.ts';
import { replaceInvisible } from '../text/unseen.ts';
import { search } from '../tools/search.ts';

/** Matches in title and text stand between <mark> and </mark>. */
export interface SearchHit {
  readonly id: string;
  readonly title: string;
  readonly text?: string;
  /** People, by field name. */
  readonly who?: Readonly<Record<string, string>>;
  /** Its status, if the stream has one. */
  readonly status?: string;
  readonly copies?: readonly string[];
  readonly copies_total?: number;
  readonly connection_id: string;
  readonly stream: string;
  readonly time?: string;
}

/** The order of the hits. */
export type SearchOrder = 'best' | 'newest' | 'oldest';

export interface SearchHits {
  readonly query: string;
  /** When ordered by time, only the best hits are included. */
  readonly order: SearchOrder;
  /** Synonyms that were searched too. */
  readonly also: readonly string[];
  readonly results: readonly SearchHit[];
  /** Connection names by id. */
  readonly connections: Readonly<Record<string, string>>;
  /** Stream labels by `connection/stream`. */
  readonly streams: Readonly<Record<string, string>>;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  /** Warning codes of the search tool. */
  readonly warnings: readonly string[];
}

export interface SearchInput {
  readonly query: string;
  readonly also?: readonly string[] | undefined;
  readonly cursor?: string | undefined;
  readonly connection_id?: string | undefined;
  readonly streams?: readonly string[] | undefined;
  /** The order; unknown values mean best first. */
  readonly sort?: string | undefined;
}

/** About three screens on a phone. */
const SHOWN = 10;
/** The number of best hits that are ordered by time. */
const MAX_ORDERED_HITS = 50;
const MAX_QUERY_CHARACTERS = 1_000;

/** Runs the search tool for a page. */
export async function findHits(
  input: SearchInput,
  context: ReadContext,
): Promise<{ hits: SearchHits; disclosure: Disclosure }> {
  const { sort, ...asked } = input;
  const order: SearchOrder = sort === 'newest' || sort === 'oldest' ? sort : 'best';
  const query = cleanQuery(input.query);
  const also = (input.also ?? []).map(cleanQuery).filter((wording) => wording !== ' ');
  const args = withoutAbsent({ ...asked, query, also: also.length === 0 ? undefined : also });
  const { found, disclosure } = await (order === 'best'
    ? runSearch({ ...args, limit: SHOWN }, context)
    : findBest(args, context));
  const { has_more, next_cursor, meta } = found;
  const results = order === 'best' ? found.results : orderByTime(found.results, order);
  const hits = {
    query,
    also,
    order,
    results,
    ...nameSources(results, context),
    has_more,
    next_cursor: order === 'best' ? (next_cursor ?? null) : null,
    warnings: meta.warnings ?? [],
  };
  return { hits, disclosure };
}

interface Found {
  readonly results: readonly SearchHit[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
  readonly meta: { readonly warnings?: string[] };
}

async function runSearch(
  args: object,
  context: ReadContext,
): Promise<{ found: Found; disclosure: Disclosure }> {
  const { body, disclosure } = await search.run(args as Parameters<typeof search.run>[0], context);
  return { found: body as unknown as Found, disclosure };
}

/** Collects the best hits from several pages of the tool. */
async function findBest(
  args: object,
  context: ReadContext,
): Promise<{ found: Found; disclosure: Disclosure }> {
  let all = await runSearch({ ...args, limit: MAX_ORDERED_HITS }, context);
  while (all.found.next_cursor !== undefined && all.found.results.length < MAX_ORDERED_HITS) {
    const limit = MAX_ORDERED_HITS - all.found.results.length;
    const { found, disclosure } = await runSearch({ ...args, cursor: all.found.next_cursor, limit }, context);
    all = {
      found: { ...found, results: [...all.found.results, ...found.results], meta: all.found.meta },
      disclosure: joinDisclosures(all.disclosure, disclosure),
    };
  }
  return all;
}

function joinDisclosures(one: Disclosure, other: Disclosure): Disclosure {
  const join = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])];
  return {
    ...one,
    connectionIds: join(one.connectionIds, other.connectionIds),
    streams: join(one.streams, other.streams),
    fields: join(one.fields, other.fields),
    records: one.records + other.records,
  };
}

/** Sorts hits by time. Hits without a time come last. */
function orderByTime(hits: readonly SearchHit[], order: 'newest' | 'oldest'): SearchHit[] {
  const sign = order === 'newest' ? -1 : 1;
  const timeOf = ({ time }: SearchHit) => (time === undefined ? undefined : Date.parse(time));
  return hits.toSorted((a, b) => {
    const [one, other] = [timeOf(a), timeOf(b)];
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined);
    return sign * (one - other);
  });
}

/** Removes invisible characters from the query. */
function cleanQuery(text: string): string {
  const seen = replaceInvisible(text.slice(0, MAX_QUERY_CHARACTERS).toWellFormed(), () => '');
  return seen.trim() || ' ';
}

/** Names the connections and streams of hits. */
function nameSources(
  results: readonly SearchHit[],
  { reader }: ReadContext,
): Pick<SearchHits, 'connections' | 'streams'> {
  const streams = results.flatMap(
    (hit) =>
      reader.streams.find(
        (one) => one.name === hit.stream && one.connection.connection_id === hit.connection_id,
      ) ?? [],
  );
  const ids = new Set(results.map((hit) => hit.connection_id));
  return {
    connections: Object.fromEntries(
      reader.streams
        .filter(({ connection }) => ids.has(connection.connection_id))
        .map(({ connection }) => [connection.connection_id, escapeText(connection.display_name)]),
    ),
    streams: Object.fromEntries(
      streams.map(({ connection, name, label }) => [
        `${connection.connection_id}/${name}`,
        escapeText(label),
      ]),
    ),
  };
}

export const searchPage: GrantedRead<SearchInput, SearchHits> = {
  name: 'search',
  inWorker: 'search_page',
  async run(input, context) {
    const { hits, disclosure } = await findHits(input, context);
    return { body: hits, tokens: 0, disclosure };
  },
};

function withoutAbsent(input: object): object {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
