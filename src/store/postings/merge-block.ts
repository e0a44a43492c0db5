import { ByteWriter } from './bytes.ts';
import { PostingReader, PostingWriter } from './posting-list.ts';
import type { ListSlice } from './segment.ts';

/**
 * Blocks of this size are stored in the page of their row, four to a page. A record with more positions has a block of
 * its own.
 */
const MAX_BLOCK_BYTES = 1_800;
/** Bytes that a row id takes at most. */
const MAX_ID_BYTES = 8;

/** A posting list of limited size. */
export interface Block {
  readonly firstRid: number;
  readonly data: Buffer;
}

/** The newest positions of a word in a record, as bytes of some posting list. */
export interface FreshPosting {
  readonly rid: number;
  /** None if the word was removed. */
  readonly columns: number;
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Returns the newest posting of each record in some lists of one word and stream, the oldest list first, by row id. */
export function overlayLists(lists: readonly ListSlice[], streamId: number): FreshPosting[] {
  const newest = new Map<number, FreshPosting>();
  for (const { bytes, start, end } of lists) {
    const reader = new PostingReader(bytes, streamId, start, end);
    while (reader.next())
      newest.set(reader.rid, {
        rid: reader.rid,
        columns: reader.columns,
        bytes,
        start: reader.positionsStart,
        end: reader.positionsEnd,
      });
  }
  const postings = [...newest.values()];
  return lists.length === 1 ? postings : postings.sort((a, b) => a.rid - b.rid);
}

/** Applies fresh postings to a block, and returns the blocks that replace it. */
export function mergeBlock(
  old: Buffer | undefined,
  streamId: number,
  fresh: readonly FreshPosting[],
): Block[] {
  const blocks = new BlockWriter(chooseSize(old, streamId, fresh));
  const reader = new PostingReader(old ?? Buffer.alloc(0), streamId);
  let at = 0;
  const addFresh = (below: number) => {
    for (; at < fresh.length && (fresh[at] as FreshPosting).rid < below; at++) {
      const { rid, columns, bytes, start, end } = fresh[at] as FreshPosting;
      if (columns !== 0) blocks.add(rid, bytes, start, end);
    }
  };
  while (reader.next()) {
    addFresh(reader.rid);
    if (fresh[at]?.rid === reader.rid) addFresh(reader.rid + 1);
    else blocks.add(reader.rid, reader.bytes, reader.positionsStart, reader.positionsEnd);
  }
  addFresh(Number.POSITIVE_INFINITY);
  return blocks.finish();
}

/** Newer records fill blocks; records in between divide a full block evenly, because more may follow. */
function chooseSize(old: Buffer | undefined, streamId: number, fresh: readonly FreshPosting[]): number {
  const added = fresh.reduce((sum, { start, end }) => sum + end - start + 3, 0);
  const size = (old?.length ?? 0) + added;
  if (old === undefined || size <= MAX_BLOCK_BYTES) return MAX_BLOCK_BYTES;
  const reader = new PostingReader(old, streamId);
  while (reader.next());
  if (reader.rid < (fresh[0]?.rid ?? 0)) return MAX_BLOCK_BYTES;
  return Math.ceil(size / Math.ceil(size / MAX_BLOCK_BYTES));
}

/** Writes postings into blocks of about one size. */
class BlockWriter {
  readonly #size: number;
  readonly #blocks: Block[] = [];
  readonly #bytes = new ByteWriter();
  #writer = new PostingWriter(this.#bytes);
  #firstRid: number | undefined;

  constructor(size: number) {
    this.#size = size;
  }

  add(rid: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.#bytes.length + end - start + MAX_ID_BYTES > this.#size) this.#cut();
    this.#firstRid ??= rid;
    this.#writer.copy(rid, bytes, start, end);
  }

  finish(): Block[] {
    this.#cut();
    return this.#blocks;
  }

  #cut(): void {
    if (this.#firstRid === undefined) return;
    this.#blocks.push({ firstRid: this.#firstRid, data: this.#bytes.copy() });
    this.#bytes.clear();
    this.#writer = new PostingWriter(this.#bytes);
    this.#firstRid = undefined;
  }
}
