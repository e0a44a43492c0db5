import type { Disclosure, GrantedRead, ReadContext } from '../reads/granted-read.ts';
import { escapeText } from '../text/escape-text.ts';
import { replaceUnseen } from '../text/unseen.ts';
import { search } from '../tools/search.ts';
import type { StreamNames } from './describe-access.ts';

/** Matches in title and text stand between <mark> and </mark>. */
export interface SearchHit {
  readonly id: string;
  readonly title: string;
  readonly text?: string;
  /** From whom it is, by the names of the fields that say so. */
  readonly who?: Readonly<Record<string, string>>;
  /** What became of it, where its stream says so. */
  readonly status?: string;
  readonly copies?: readonly string[];
  readonly copies_total?: number;
  readonly connection_id: string;
  readonly stream: string;
  readonly time?: string;
}

/** By what the hits are ordered: how well they match, or their time. */
export type SearchOrder = 'best' | 'newest' | 'oldest';

export interface SearchHits {
  readonly query: string;
  /** Other than by how well they match, only the best hits are ordered. */
  readonly order: SearchOrder;
  /** Other wordings that were searched too. */
  readonly also: readonly string[];
  readonly results: readonly SearchHit[];
  /** What the connections of the hits are called, by id. */
  readonly connections: Readonly<Record<string, string>>;
  /** What their streams are called, by `connection/stream`. */
  readonly streams: Readonly<Record<string, string>>;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  /** The query was loosened or the matches were too many: codes as the search tool gives them. */
  readonly warnings: readonly string[];
}

export interface SearchInput {
  readonly query: string;
  readonly also?: readonly string[] | undefined;
  readonly cursor?: string | undefined;
  readonly connection_id?: string | undefined;
  readonly streams?: readonly string[] | undefined;
  /** An order of hits; any other text is the best first. */
  readonly sort?: string | undefined;
}

/** On a phone, hits with a few lines each fill three screens. */
const SHOWN = 10;
/** The best hits that are put into the order of their times. */
const MAX_ORDERED_HITS = 50;
const LONGEST_QUERY = 1_000;

/** The search tool itself, run for a page. */
export async function findHits(
  input: SearchInput,
  names: StreamNames,
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
    connections: nameConnections(results, context),
    streams: Object.fromEntries(
      results.map(({ connection_id, stream }) => [
        `${connection_id}/${stream}`,
        names(connection_id, stream).label,
      ]),
    ),
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

/** The best hits, page after page: an answer of the tool has room for fewer. */
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

/** Hits without a time come last, in the order in which they match. */
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

/** The words as they are shown again in the search box: without characters that nobody sees. */
function cleanQuery(text: string): string {
  const seen = replaceUnseen(text.slice(0, LONGEST_QUERY).toWellFormed(), () => '');
  return seen.trim() || ' ';
}

function nameConnections(results: readonly SearchHit[], { reader }: ReadContext): Record<string, string> {
  const ids = new Set(results.map((hit) => hit.connection_id));
  return Object.fromEntries(
    reader.streams
      .filter((stream) => ids.has(stream.connection.connection_id))
      .map(({ connection }) => [connection.connection_id, escapeText(connection.display_name)]),
  );
}

export const searchPage: GrantedRead<SearchInput & { readonly names: StreamNames }, SearchHits> = {
  name: 'search',
  async run({ names, ...input }, context) {
    const { hits, disclosure } = await findHits(input, names, context);
    return { body: hits, tokens: 0, disclosure };
  },
};

function withoutAbsent(input: object): object {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
