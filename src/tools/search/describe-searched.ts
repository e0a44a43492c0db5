import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ToolContext } from '../../reads/granted-read.ts';
import { findNearestWords } from '../../search/nearest-words.ts';
import { parseQuery } from '../../search/parse-query.ts';
import { type SearchScope, searchedFields } from './search-scope.ts';
import { createSource } from './search-source.ts';

const MAX_NAMED_STREAMS = 10;

/** For an empty page: what was searched in full, what was not, and which words there are. */
export async function describeSearched(
  args: SearchScope & { readonly query: string },
  streams: readonly GrantedStream[],
  context: ToolContext,
) {
  const granted = context.reader.streams;
  const silent = granted.filter((stream) => searchedFields(stream).length === 0);
  const fields = new Map<string, Set<string>>();
  for (const stream of streams)
    fields.set(stream.name, new Set([...(fields.get(stream.name) ?? []), ...searchedFields(stream)]));
  // Without the conditions, so that a word that they kept away shows.
  const source = createSource(context.reader, { streams, conditions: new Map() });
  const nearest = await findNearestWords(parseQuery(args.query), source);
  return {
    summary: summarize(args, { granted: granted.length, silent: silent.length, searched: streams.length }),
    streams: Object.fromEntries(
      [...fields].slice(0, MAX_NAMED_STREAMS).map(([name, searched]) => [name, [...searched]]),
    ),
    streams_total: streams.length,
    ...(silent.length === 0
      ? {}
      : { without_text: [...new Set(silent.map((stream) => stream.name))].slice(0, MAX_NAMED_STREAMS) }),
    ...(nearest === undefined ? {} : { words_that_exist: nearest }),
  };
}

/** One sentence about what an empty answer means. */
function summarize(
  { since, until, filter }: SearchScope,
  { granted, silent, searched }: { granted: number; silent: number; searched: number },
): string {
  const narrowed = since !== undefined || until !== undefined || filter !== undefined;
  const within = narrowed ? ', but only the records that meet since, until and filter' : ' in full';
  if (searched === granted) return `All ${granted} granted streams were searched${within}.`;
  const left = granted - silent - searched;
  return [
    `${searched} of ${granted} granted streams were searched${within}`,
    ...(silent === 0 ? [] : [`without text to search: ${silent}`]),
    ...(left === 0 ? [] : [`left out by the arguments of the call: ${left}`]),
  ]
    .join('; ')
    .concat('.');
}
