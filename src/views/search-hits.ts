import { escapeText } from '../text/escape-text.ts';
import { replaceUnseen } from '../text/unseen.ts';
import type { Disclosure, ToolContext } from '../tools/granted-read.ts';
import { search } from '../tools/search.ts';
import type { ShownPage } from './page-read.ts';
import type { StreamNames } from './stream-names.ts';

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

export interface SearchHits {
  readonly query: string;
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
}

/** On a phone, hits with a few lines each fill three screens. */
const SHOWN = 10;
const LONGEST_QUERY = 1_000;

/** The search tool itself, run for a page. */
export async function findHits(
  input: SearchInput,
  names: StreamNames,
  context: ToolContext,
): Promise<{ hits: SearchHits; disclosure: Disclosure }> {
  const query = cleanQuery(input.query);
  const also = (input.also ?? []).map(cleanQuery).filter((wording) => wording !== ' ');
  const asked = { ...input, query, also: also.length === 0 ? undefined : also, limit: SHOWN };
  const { body, disclosure } = await search.run(withoutAbsent(asked), context);
  const { results, has_more, next_cursor, meta } = body as {
    results: SearchHit[];
    has_more: boolean;
    next_cursor?: string;
    meta: { warnings?: string[] };
  };
  const hits = {
    query,
    also,
    results,
    connections: nameConnections(results, context),
    streams: Object.fromEntries(
      results.map(({ connection_id, stream }) => [
        `${connection_id}/${stream}`,
        names(connection_id, stream).label,
      ]),
    ),
    has_more,
    next_cursor: next_cursor ?? null,
    warnings: meta.warnings ?? [],
  };
  return { hits, disclosure };
}

/** The words as they are shown again in the search box: without characters that nobody sees. */
function cleanQuery(text: string): string {
  const seen = replaceUnseen(text.slice(0, LONGEST_QUERY).toWellFormed(), () => '');
  return seen.trim() || ' ';
}

function nameConnections(results: readonly SearchHit[], { reader }: ToolContext): Record<string, string> {
  const ids = new Set(results.map((hit) => hit.connection_id));
  return Object.fromEntries(
    reader.streams
      .filter((stream) => ids.has(stream.connection.connection_id))
      .map(({ connection }) => [connection.connection_id, escapeText(connection.display_name)]),
  );
}

export const searchPage: ShownPage<SearchInput & { readonly names: StreamNames }, SearchHits> = {
  name: 'search',
  async read({ names, ...input }, context) {
    const { hits, disclosure } = await findHits(input, names, context);
    return { view: hits, disclosure };
  },
};

function withoutAbsent(input: object): object {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
