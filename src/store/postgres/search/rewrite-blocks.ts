import { type Block, type FreshPosting, mergeBlock, overlayLists } from '../../postings/merge-block.ts';
import type { ListSlice } from '../../postings/segment.ts';
import { minuteOfRid } from '../../records/rid.ts';
import type { Queries } from '../database.ts';
import { sql } from '../sql.ts';

/** Records this close together are merged into blocks that are read as one range: 30 days. */
const MAX_GAP_MINUTES = 30 * 24 * 60;

/** The fresh posting lists of one word in one stream, the oldest first. */
export interface WordChange {
  readonly term: string;
  readonly streamId: number;
  readonly lists: readonly ListSlice[];
}

interface Merging extends WordChange {
  readonly fresh: readonly FreshPosting[];
  /** The blocks that the records belong to, by first row id. */
  readonly blocks: Map<number, Buffer>;
}

/** Merges fresh posting lists into the blocks of their words. */
export async function rewriteBlocks(
  queries: Queries,
  owner: number,
  changes: readonly WordChange[],
): Promise<void> {
  const merging = changes.map(
    (change): Merging => ({
      ...change,
      fresh: overlayLists(change.lists, change.streamId),
      blocks: new Map(),
    }),
  );
  await readBlocks(queries, owner, merging);
  const removed: Row[] = [];
  const written: (Row & { readonly data: Buffer })[] = [];
  for (const { term, streamId, fresh, blocks } of merging) {
    const old = [...blocks].sort(([a], [b]) => a - b);
    for (const [at, [first, block]] of (old.length === 0 ? [[0, undefined] as const] : old).entries()) {
      const next = old[at + 1]?.[0] ?? Number.POSITIVE_INFINITY;
      const own = fresh.filter(({ rid }) => (at === 0 || rid >= first) && rid < next);
      if (own.length === 0) continue;
      const merged = mergeBlock(block, streamId, own);
      if (block !== undefined && !merged.some(({ firstRid }) => firstRid === first))
        removed.push({ term, streamId, firstRid: first });
      for (const { firstRid, data } of merged) written.push({ term, streamId, firstRid, data });
    }
  }
  await removeBlocks(queries, owner, removed);
  await writeBlocks(queries, owner, written);
}

interface Row extends Pick<Block, 'firstRid'> {
  readonly term: string;
  readonly streamId: number;
}

/** Reads the blocks that the fresh records belong to: the last one that begins before a record, or else the next. */
async function readBlocks(queries: Queries, owner: number, merging: readonly Merging[]): Promise<void> {
  const ranges = merging.flatMap((one, index) =>
    splitRanges(one.fresh).map(([low, high]) => ({ ...one, index, low, high })),
  );
  const whereWord = sql`b.owner_id = ${owner} and b.term = r.term and b.stream_id = r.stream_id`;
  const rows = await queries.query<{ index: number; first_rid: number; data: Buffer }>(sql`
    select r.index, b.first_rid, b.data
    from unnest(${ranges.map(({ index }) => index)}::int4[], ${ranges.map(({ term }) => term)}::text[],
        ${ranges.map(({ streamId }) => streamId)}::int4[], ${ranges.map(({ low }) => low)}::int8[],
        ${ranges.map(({ high }) => high)}::int8[]) r (index, term, stream_id, low, high),
      lateral (select (select b.first_rid from word_blocks b where ${whereWord} and b.first_rid <= r.low
        order by b.first_rid desc limit 1) as first_rid) before,
      lateral (select (select b.first_rid from word_blocks b where ${whereWord} and b.first_rid > r.low
        and before.first_rid is null order by b.first_rid limit 1) as first_rid) after,
      word_blocks b
    where ${whereWord} and b.first_rid >= coalesce(before.first_rid, r.low)
      and b.first_rid <= greatest(r.high, after.first_rid)`);
  for (const { index, first_rid, data } of rows) merging[index]?.blocks.set(first_rid, data);
}

/** Divides records, by row id, into ranges without long gaps. */
function splitRanges(fresh: readonly FreshPosting[]): [low: number, high: number][] {
  const ranges: [number, number][] = [];
  for (const { rid } of fresh) {
    const last = ranges.at(-1);
    if (last !== undefined && minuteOfRid(rid) - minuteOfRid(last[1]) < MAX_GAP_MINUTES) last[1] = rid;
    else ranges.push([rid, rid]);
  }
  return ranges;
}

async function removeBlocks(queries: Queries, owner: number, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await queries.run(sql`delete from word_blocks b
    using unnest(${rows.map((row) => row.term)}::text[], ${rows.map((row) => row.streamId)}::int4[],
      ${rows.map((row) => row.firstRid)}::int8[]) r (term, stream_id, first_rid)
    where b.owner_id = ${owner} and b.term = r.term and b.stream_id = r.stream_id and b.first_rid = r.first_rid`);
}

async function writeBlocks(
  queries: Queries,
  owner: number,
  rows: readonly (Row & { readonly data: Buffer })[],
): Promise<void> {
  if (rows.length === 0) return;
  await queries.run(sql`insert into word_blocks (owner_id, term, stream_id, first_rid, data)
    select ${owner}::int4, r.term, r.stream_id, r.first_rid, r.data
    from unnest(${rows.map((row) => row.term)}::text[], ${rows.map((row) => row.streamId)}::int4[],
      ${rows.map((row) => row.firstRid)}::int8[], ${rows.map((row) => row.data)}::bytea[])
      r (term, stream_id, first_rid, data)
    on conflict (owner_id, term, stream_id, first_rid) do update set data = excluded.data`);
}
