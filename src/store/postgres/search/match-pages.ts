import { yieldToEventLoop } from '../../../limits/yield-to-event-loop.ts';
import { streamOf } from '../../records/rid.ts';
import {
  type FindPostings,
  matchLists,
  type WantedLists,
  type WantedPhrase,
  type WantedWord,
} from './match-words.ts';
import { readBlocksInRanges, readOlderBlocks, readPrefix, readWords, type WordScope } from './read-words.ts';
import type { WordCache } from './word-cache.ts';
import type { ColumnMasks, WordPostings } from './word-postings.ts';

/** Blocks of each word and stream that are read at first: some thousand records. Of many pairs, most have few blocks. */
const FIRST_BLOCKS = 16;
const FIRST_BLOCKS_OF_MANY = 8;
const MANY_PAIRS = 8;
/** Blocks of a list that a page grows to: some 100,000 records. */
const MAX_PAGE_BLOCKS = 256;
/** With more candidates in a stream, all blocks between the first and the last are read. */
const MAX_PROBES = 200;

/** All matching records with a row id of at least `low` and below that of the previous page. */
export interface MatchPage {
  readonly rids: readonly number[];
  readonly low: number;
}

/**
 * Yields matching records in pages from high row ids to low ones. The first page needs one statement, and is all if the
 * words are rare. Otherwise the rarest list leads: its postings are read page by page, and of the other words the blocks
 * that may hold its records.
 */
export async function* matchPages(
  scope: WordScope,
  lists: WantedLists,
  masks: ColumnMasks,
  cache?: WordCache,
): AsyncGenerator<MatchPage> {
  const isNever = lists.length === 0 || lists.some((list) => list.length === 0);
  if (isNever || scope.streamIds.length === 0) return;
  const wanted = lists.flat(2);
  const words = [...new Set(wanted.filter(({ isPrefix }) => !isPrefix).map(({ word }) => word))];
  const prefixes = new Map<string, WordPostings[]>();
  for (const { word, isPrefix } of wanted)
    if (isPrefix && !prefixes.has(word)) prefixes.set(word, await readPrefix(scope, word));
  const isMany = words.length * scope.streamIds.length > MANY_PAIRS;
  let blocks = isMany ? FIRST_BLOCKS_OF_MANY : FIRST_BLOCKS;
  const known = await readUncached(scope, words, blocks, cache);
  const find: FindPostings = ({ word, isPrefix }) =>
    isPrefix ? (prefixes.get(word) ?? []) : [known.get(word) as WordPostings];
  const lowOf = (word: WantedWord) => (word.isPrefix ? 0 : (known.get(word.word)?.low ?? 0));
  const low = Math.max(0, ...wanted.map(lowOf));
  let to = Number.MAX_SAFE_INTEGER;
  yield { rids: [...matchLists(lists, find, masks, { from: low, to })], low };
  if (low === 0) return;

  to = low;
  const leading = chooseLeading(lists, lowOf);
  const leadLists: WantedLists = [leading.map((word) => [word])];
  // Words that were read completely are not read again.
  const partial = [...known].filter(([, postings]) => postings.low > 0);
  const isLeading = (word: string) => leading.some((one) => !one.isPrefix && one.word === word);
  const leaders = new Map(partial.filter(([word]) => isLeading(word)));
  const others = new Map(partial.filter(([word]) => !isLeading(word)));
  while (to > 0) {
    blocks = Math.min(MAX_PAGE_BLOCKS, blocks * 4);
    if (leaders.size > 0) await readOlderBlocks(scope, leaders, to, blocks);
    const from = Math.max(0, ...[...leaders.values()].map((postings) => postings.low));
    const candidates = matchLists(leadLists, find, masks, { from, to });
    if (others.size > 0) await readBlocksInRanges(scope, others, rangesOf(candidates));
    yield { rids: [...matchLists([...leadLists, ...lists], find, masks, { from, to })], low: from };
    to = from;
    await yieldToEventLoop();
  }
}

async function readUncached(
  scope: WordScope,
  words: readonly string[],
  blocks: number,
  cache: WordCache | undefined,
): Promise<Map<string, WordPostings>> {
  const unread = words.filter((word) => cache?.get(word) === undefined);
  const read =
    unread.length === 0 ? new Map<string, WordPostings>() : await readWords(scope, unread, { blocks });
  for (const [word, postings] of read) cache?.add(word, postings);
  return new Map(words.map((word) => [word, (read.get(word) ?? cache?.get(word)) as WordPostings]));
}

/** Returns one word of each phrase of the rarest list: the one whose first blocks go back furthest in time. */
function chooseLeading(lists: WantedLists, lowOf: (word: WantedWord) => number): WantedWord[] {
  const rarest = (phrase: WantedPhrase) =>
    phrase.reduce((best, word) => (lowOf(word) < lowOf(best) ? word : best));
  const leading = lists.map((list) => list.map(rarest));
  const lowestOf = (words: readonly WantedWord[]) => Math.max(...words.map(lowOf));
  return leading.reduce((best, words) => (lowestOf(words) < lowestOf(best) ? words : best));
}

/** Returns ranges of row ids that cover some records. */
function rangesOf(rids: ReadonlySet<number>): { streamId: number; low: number; high: number }[] {
  const byStream = new Map<number, number[]>();
  for (const rid of rids) {
    const own = byStream.get(streamOf(rid)) ?? [];
    byStream.set(streamOf(rid), own);
    own.push(rid);
  }
  return [...byStream].flatMap(([streamId, own]) =>
    own.length <= MAX_PROBES
      ? own.map((rid) => ({ streamId, low: rid, high: rid }))
      : [{ streamId, low: own.reduce((a, b) => Math.min(a, b)), high: own.reduce((a, b) => Math.max(a, b)) }],
  );
}
