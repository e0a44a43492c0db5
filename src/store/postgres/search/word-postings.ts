import type { FreshPosting } from '../../postings/merge-block.ts';
import { PostingReader } from '../../postings/posting-list.ts';
import { streamOf } from '../../records/rid.ts';

/** Receives a record that holds a word: its row id, the granted columns with the word, and where its positions are. */
export type VisitPosting = (
  rid: number,
  columns: number,
  bytes: Uint8Array,
  start: number,
  end: number,
) => void;

/** The granted text columns of each stream, a bit for each. */
export type ColumnMasks = ReadonlyMap<number, number>;

/** The postings of one word that were read so far, in granted streams. */
export class WordPostings {
  /** Blocks by first row id, in each stream. */
  readonly #blocks = new Map<number, Map<number, Buffer>>();
  /** Postings in segments, which override blocks. */
  readonly fresh: Map<number, FreshPosting>;
  /** All postings with at least this row id are known. */
  low: number;
  /** Bytes of the blocks and, roughly, of the fresh postings. */
  bytes = 0;

  constructor(fresh: Map<number, FreshPosting> = new Map(), low = 0) {
    this.fresh = fresh;
    this.bytes = fresh.size * 100;
    this.low = low;
  }

  addBlock(streamId: number, firstRid: number, data: Buffer): void {
    const blocks = this.#blocks.get(streamId) ?? new Map<number, Buffer>();
    this.#blocks.set(streamId, blocks);
    blocks.set(firstRid, data);
    this.bytes += data.length;
  }

  /** Forgets blocks, so that others can be read. Segments stay. */
  clearBlocks(): void {
    this.#blocks.clear();
  }

  /** Visits the postings in granted columns with a row id from `from` to below `to`, in any order. */
  visit(masks: ColumnMasks, from: number, to: number, visit: VisitPosting): void {
    const { fresh } = this;
    for (const [streamId, blocks] of this.#blocks) {
      const mask = masks.get(streamId) ?? 0;
      for (const data of blocks.values()) {
        const reader = new PostingReader(data, streamId);
        while (reader.next()) {
          const { rid } = reader;
          if (rid < from || rid >= to || (reader.columns & mask) === 0) continue;
          if (fresh.size > 0 && fresh.has(rid)) continue;
          visit(rid, reader.columns & mask, data, reader.positionsStart, reader.positionsEnd);
        }
      }
    }
    for (const { rid, columns, bytes, start, end } of fresh.values()) {
      const granted = columns & (masks.get(streamOf(rid)) ?? 0);
      if (rid >= from && rid < to && granted !== 0) visit(rid, granted, bytes, start, end);
    }
  }
}
