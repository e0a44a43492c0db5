import { type FreshPosting, overlayLists } from '../../postings/merge-block.ts';
import { type ListSlice, readChunk } from '../../postings/segment.ts';
import { prefixKeys, termKey } from '../../postings/term-key.ts';
import { compareText } from '../../values.ts';
import type { Queries } from '../database.ts';
import { type Sql, sql } from '../sql.ts';
import { WordPostings } from './word-postings.ts';

/** Reads postings of some streams of an owner. */
export interface WordScope {
  readonly queries: Queries;
  readonly ownerId: number;
  readonly streamIds: readonly number[];
}

interface FoundRow {
  /** 0 for a block. */
  readonly segment_id: number;
  readonly stream_id: number;
  readonly term: string;
  readonly first_rid: number;
  readonly data: Buffer;
}

/** With more pairs of words and streams, the index is scanned by word instead of looking up every pair. */
const MAX_PAIRS = 128;

/**
 * Reads words in one statement: their segments, and the newest blocks below a row id. `blocks` limits the blocks of each
 * word and stream; without it, all are read.
 */
export async function readWords(
  scope: WordScope,
  words: readonly string[],
  { below = Number.MAX_SAFE_INTEGER, blocks }: { readonly below?: number; readonly blocks?: number },
): Promise<Map<string, WordPostings>> {
  const keys = [...new Set(words.map(termKey))];
  const rows = await scope.queries.query<FoundRow>(sql`
    ${selectBlocks(scope, keys, below, blocks)} union all ${selectChunks(scope, keys)}`);
  const wanted = new Set(keys);
  const fresh = readSegments(rows, (key) => wanted.has(key));
  const postings = new Map(keys.map((key) => [key, new WordPostings(fresh.get(key))]));
  addBlocks(postings, rows, blocks);
  return new Map(words.map((word) => [word, postings.get(termKey(word)) as WordPostings]));
}

/** Adds the newest blocks below a row id to words whose segments were read. */
export async function readOlderBlocks(
  scope: WordScope,
  words: ReadonlyMap<string, WordPostings>,
  below: number,
  blocks: number,
): Promise<void> {
  const byKey = new Map([...words].map(([word, postings]) => [termKey(word), postings]));
  for (const postings of byKey.values()) {
    postings.clearBlocks();
    postings.low = 0;
  }
  const keys = [...byKey.keys()];
  const rows = await scope.queries.query<FoundRow>(selectBlocks(scope, keys, below, blocks));
  addBlocks(byKey, rows, blocks);
}

/** Adds the blocks that may hold some records to words whose segments were read. */
export async function readBlocksInRanges(
  scope: WordScope,
  words: ReadonlyMap<string, WordPostings>,
  ranges: readonly { readonly streamId: number; readonly low: number; readonly high: number }[],
): Promise<void> {
  const byKey = new Map([...words].map(([word, postings]) => [termKey(word), postings]));
  for (const postings of byKey.values()) postings.clearBlocks();
  const whereWord = sql`b.owner_id = ${scope.ownerId} and b.term = w.term and b.stream_id = r.stream_id`;
  const rows = await scope.queries.query<FoundRow>(sql`
    with hit as (
      select distinct w.term, r.stream_id, b.first_rid
      from unnest(${[...byKey.keys()]}::text[]) w (term),
        unnest(${ranges.map(({ streamId }) => streamId)}::int4[], ${ranges.map(({ low }) => low)}::int8[],
          ${ranges.map(({ high }) => high)}::int8[]) r (stream_id, low, high),
        lateral (select (select b.first_rid from word_blocks b where ${whereWord} and b.first_rid <= r.low
          order by b.first_rid desc limit 1) as first_rid) before,
        word_blocks b
      where ${whereWord} and b.first_rid >= coalesce(before.first_rid, r.low) and b.first_rid <= r.high)
    select 0::int8 as segment_id, b.term, b.stream_id, b.first_rid, b.data
    from hit join word_blocks b on b.owner_id = ${scope.ownerId} and b.term = hit.term
      and b.stream_id = hit.stream_id and b.first_rid = hit.first_rid`);
  for (const { term, stream_id, first_rid, data } of rows)
    byKey.get(term)?.addBlock(stream_id, first_rid, data);
}

/** Reads all words with a prefix, by ascending key. */
export async function readPrefix(scope: WordScope, prefix: string): Promise<WordPostings[]> {
  const found = new Map<string, WordPostings>();
  for (const keyPrefix of prefixKeys(prefix))
    for (const [key, postings] of await readKeysWithPrefix(scope, keyPrefix)) found.set(key, postings);
  return [...found].sort(([a], [b]) => compareText(a, b)).map(([, postings]) => postings);
}

/** Reads all keys with a prefix, in one statement. */
async function readKeysWithPrefix(scope: WordScope, prefix: string): Promise<Map<string, WordPostings>> {
  const { queries, ownerId, streamIds } = scope;
  const end = `${prefix}\u{10ffff}`;
  const rows = await queries.query<FoundRow>(sql`
    select 0::int8 as segment_id, stream_id, term, first_rid, data from word_blocks
    where owner_id = ${ownerId} and term >= ${prefix} and term < ${end} and stream_id = any(${streamIds}::int4[])
    union all
    select s.segment_id, s.stream_id, c.first_term, 0, c.data
    from word_segments s, lateral (
      select (select first_term from word_chunks where owner_id = ${ownerId} and segment_id = s.segment_id
        and first_term <= ${prefix} order by first_term desc limit 1) as first_term) before,
      word_chunks c
    where s.owner_id = ${ownerId} and s.stream_id = any(${streamIds}::int4[])
      and c.owner_id = ${ownerId} and c.segment_id = s.segment_id and c.first_term < ${end}
      and c.first_term >= coalesce(before.first_term, ${prefix})`);
  const fresh = readSegments(rows, (key) => compareText(key, prefix) >= 0 && compareText(key, end) < 0);
  const postings = new Map([...fresh].map(([key, found]) => [key, new WordPostings(found)]));
  for (const { segment_id, stream_id, term, first_rid, data } of rows) {
    if (segment_id !== 0) continue;
    const known = postings.get(term) ?? new WordPostings();
    postings.set(term, known);
    known.addBlock(stream_id, first_rid, data);
  }
  return postings;
}

function selectBlocks(
  { ownerId, streamIds }: WordScope,
  keys: readonly string[],
  below: number,
  blocks: number | undefined,
): Sql {
  const columns = sql`0::int8 as segment_id, b.stream_id, w.term, b.first_rid, b.data`;
  const words = sql`unnest(${keys}::text[]) w (term)`;
  const found = sql`b.owner_id = ${ownerId} and b.term = w.term and b.first_rid < ${below}`;
  if (blocks === undefined)
    return sql`select ${columns} from ${words}, word_blocks b where ${found} and b.stream_id = any(${streamIds}::int4[])`;
  if (keys.length * streamIds.length <= MAX_PAIRS)
    return sql`select ${columns} from ${words}, unnest(${streamIds}::int4[]) s (stream_id), lateral (
      select * from word_blocks b where ${found} and b.stream_id = s.stream_id
      order by b.first_rid desc limit ${blocks}) b`;
  return sql`select ${columns} from (
      select b.term, b.stream_id, b.first_rid,
        row_number() over (partition by b.term, b.stream_id order by b.first_rid desc) as nth
      from word_blocks b where b.owner_id = ${ownerId} and b.term = any(${keys}::text[])
        and b.stream_id = any(${streamIds}::int4[]) and b.first_rid < ${below}) w
    join word_blocks b on b.owner_id = ${ownerId} and b.term = w.term and b.stream_id = w.stream_id
      and b.first_rid = w.first_rid
    where w.nth <= ${blocks}`;
}

/** Selects the chunk of each segment that would hold a word. */
function selectChunks({ ownerId, streamIds }: WordScope, keys: readonly string[]): Sql {
  return sql`select c.segment_id, h.stream_id, c.first_term, 0, c.data
    from (select distinct s.segment_id, s.stream_id, c.first_term
      from word_segments s, unnest(${keys}::text[]) w (term), lateral (
        select first_term from word_chunks where owner_id = ${ownerId} and segment_id = s.segment_id
          and first_term <= w.term order by first_term desc limit 1) c
      where s.owner_id = ${ownerId} and s.stream_id = any(${streamIds}::int4[])) h
    join word_chunks c on c.owner_id = ${ownerId} and c.segment_id = h.segment_id and c.first_term = h.first_term`;
}

/** Adds blocks to words. If a word has as many blocks as the limit, it may have older postings that were not read. */
function addBlocks(
  words: ReadonlyMap<string, WordPostings>,
  rows: readonly FoundRow[],
  limit: number | undefined,
): void {
  const lists = new Map<string, { count: number; low: number; readonly postings: WordPostings }>();
  for (const row of rows) {
    const postings = words.get(row.term);
    if (row.segment_id !== 0 || postings === undefined) continue;
    postings.addBlock(row.stream_id, row.first_rid, row.data);
    // Blocks of one word and stream do not overlap, those of several streams do.
    const name = `${row.stream_id} ${row.term}`;
    const list = lists.get(name) ?? { count: 0, low: row.first_rid, postings };
    lists.set(name, list);
    list.count += 1;
    list.low = Math.min(list.low, row.first_rid);
  }
  for (const { count, low, postings } of lists.values())
    if (count === limit) postings.low = Math.max(postings.low, low);
}

/** Returns the newest postings in segments by key. */
function readSegments(
  rows: readonly FoundRow[],
  isWanted: (key: string) => boolean,
): Map<string, Map<number, FreshPosting>> {
  const lists = new Map<string, Map<number, ListSlice[]>>();
  const chunks = rows
    .filter(({ segment_id }) => segment_id !== 0)
    .sort((a, b) => a.segment_id - b.segment_id);
  for (const { stream_id, data } of chunks)
    for (const entry of readChunk(data)) {
      if (!isWanted(entry.key)) continue;
      const byStream = lists.get(entry.key) ?? new Map<number, ListSlice[]>();
      lists.set(entry.key, byStream);
      byStream.set(stream_id, [...(byStream.get(stream_id) ?? []), entry]);
    }
  return new Map(
    [...lists].map(([key, byStream]) => [
      key,
      new Map(
        [...byStream].flatMap(([stream, own]) =>
          overlayLists(own, stream).map((one) => [one.rid, one] as const),
        ),
      ),
    ]),
  );
}
