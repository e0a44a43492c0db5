import { ChunkWriter, type ListSlice, readChunk } from '../../postings/segment.ts';
import { compareText } from '../../values.ts';
import type { Queries, WriteDatabase } from '../database.ts';
import { sql } from '../sql.ts';
import { rewriteBlocks, type WordChange } from './rewrite-blocks.ts';

/** A search reads one chunk of each segment, so their number is limited. */
const MAX_SEGMENTS = 32;
const MAX_SEGMENT_BYTES = 8_000_000;
/** Chunks that one transaction merges. Others of the owner can write in between. */
const STEP_CHUNKS = 128;

/** Merges all segments into blocks if there are many. */
export async function mergeIfNeeded(database: WriteDatabase): Promise<void> {
  const [fresh] = await database.query<{ segments: number; bytes: number }>(sql`
    select count(*) as segments, coalesce(sum(bytes), 0)::int8 as bytes from word_segments
    where owner_id = ${database.ownerId}`);
  if (fresh !== undefined && (fresh.segments >= MAX_SEGMENTS || fresh.bytes >= MAX_SEGMENT_BYTES))
    await mergeWords(database);
}

/**
 * Merges the current segments into blocks, some words at a time. A reader finds a change of a word either in segments or
 * in blocks, because a step is one transaction. A pass that is interrupted leaves segments to the next one.
 */
export async function mergeWords(database: WriteDatabase): Promise<void> {
  const owner = database.ownerId;
  const [found] = await database.query<{ segments: number; last: number | null }>(sql`
    select count(*) as segments, max(segment_id) as last from word_segments where owner_id = ${owner}`);
  const last = found?.last ?? null;
  if (found === undefined || last === null) return;
  const perSegment = Math.max(1, Math.floor(STEP_CHUNKS / found.segments));
  while (await database.transact((queries) => mergeStep(queries, owner, last, perSegment)));
  await database.run(sql`delete from word_segments s where owner_id = ${owner} and segment_id <= ${last}
    and not exists (select 1 from word_chunks c where c.owner_id = ${owner} and c.segment_id = s.segment_id)`);
}

interface ChunkRow {
  readonly segment_id: number;
  readonly stream_id: number;
  readonly first_term: string;
  readonly data: Buffer;
}

/** Merges the lowest words of all segments up to `last`. Returns whether there are more. */
async function mergeStep(
  queries: Queries,
  owner: number,
  last: number,
  perSegment: number,
): Promise<boolean> {
  const rows = await queries.query<ChunkRow>(sql`
    select s.segment_id, s.stream_id, c.first_term, c.data
    from word_segments s, lateral (
      select first_term, data from word_chunks where owner_id = ${owner} and segment_id = s.segment_id
      order by first_term limit ${perSegment + 1}) c
    where s.owner_id = ${owner} and s.segment_id <= ${last}
    order by s.segment_id, c.first_term`);
  const end = findEnd(rows, perSegment);
  const merged = end === undefined ? rows : rows.filter((row) => compareText(row.first_term, end) < 0);
  const { changes, rest } = splitChunks(merged, end);
  await rewriteBlocks(queries, owner, changes);
  await queries.run(sql`delete from word_chunks c
    using unnest(${merged.map((row) => row.segment_id)}::int8[], ${merged.map((row) => row.first_term)}::text[]) as m (segment_id, first_term)
    where c.owner_id = ${owner} and c.segment_id = m.segment_id and c.first_term = m.first_term`);
  await queries.copyRows('word_chunks', {
    segment_id: { type: 'int8', values: rest.map((row) => row.segment_id) },
    first_term: { type: 'text', values: rest.map((row) => row.first_term) },
    data: { type: 'bytea', values: rest.map((row) => row.data) },
  });
  return end !== undefined;
}

/** Returns the first word of which some segment may have more in chunks that were not read. */
function findEnd(rows: readonly ChunkRow[], perSegment: number): string | undefined {
  const counts = new Map<number, number>();
  let end: string | undefined;
  for (const { segment_id, first_term } of rows) {
    const count = (counts.get(segment_id) ?? 0) + 1;
    counts.set(segment_id, count);
    if (count > perSegment && (end === undefined || compareText(first_term, end) < 0)) end = first_term;
  }
  return end;
}

/** Returns the posting lists before `end` by word and stream, and chunks of the others. */
function splitChunks(rows: readonly ChunkRow[], end: string | undefined) {
  const changes = new Map<string, WordChange & { readonly lists: ListSlice[] }>();
  const rest: Omit<ChunkRow, 'stream_id'>[] = [];
  for (const { segment_id, stream_id, data } of rows) {
    const left = new ChunkWriter();
    for (const entry of readChunk(data)) {
      const { key, bytes, start, end: listEnd } = entry;
      if (end !== undefined && compareText(key, end) >= 0) {
        left.add(key, bytes.subarray(start, listEnd));
        continue;
      }
      const name = `${stream_id} ${key}`;
      const change = changes.get(name) ?? { term: key, streamId: stream_id, lists: [] };
      change.lists.push(entry);
      changes.set(name, change);
    }
    for (const { firstKey, data: bytes } of left.finish())
      rest.push({ segment_id, first_term: firstKey, data: bytes });
  }
  return { changes: [...changes.values()], rest };
}
