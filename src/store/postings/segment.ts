import { ByteReader, ByteWriter } from './bytes.ts';
import { type CollectedWord, REMOVED } from './collect-words.ts';
import { PostingWriter } from './posting-list.ts';

/** A chunk ends after this many bytes. A search reads one chunk of each segment. */
const CHUNK_BYTES = 1_000;

/** A part of a segment: entries of ascending keys, each a key and its posting list. */
export interface Chunk {
  readonly firstKey: string;
  readonly data: Buffer;
}

/** Encodes the words of a batch, which has one stream, as chunks. */
export function encodeSegment(rids: readonly number[], words: readonly CollectedWord[]): Chunk[] {
  const list = new ByteWriter();
  const chunks = new ChunkWriter();
  for (const { key, pairs } of words) {
    list.clear();
    const writer = new PostingWriter(list);
    for (let at = 0; at < pairs.length; ) {
      const index = pairs[at] as number;
      const positions: number[] = [];
      for (; pairs[at] === index; at += 2)
        if (pairs[at + 1] !== REMOVED) positions.push(pairs[at + 1] as number);
      writer.add(rids[index] as number, positions);
    }
    chunks.add(key, list.view());
  }
  return chunks.finish();
}

/** Writes entries into chunks. */
export class ChunkWriter {
  readonly #chunks: Chunk[] = [];
  readonly #bytes = new ByteWriter();
  #firstKey: string | undefined;

  /** Adds the next key and its posting list. */
  add(key: string, list: Uint8Array): void {
    this.#firstKey ??= key;
    const name = Buffer.from(key);
    this.#bytes.number(name.length);
    this.#bytes.bytes(name);
    this.#bytes.number(list.length);
    this.#bytes.bytes(list);
    if (this.#bytes.length >= CHUNK_BYTES) this.#cut();
  }

  finish(): Chunk[] {
    this.#cut();
    return this.#chunks;
  }

  #cut(): void {
    if (this.#firstKey === undefined) return;
    this.#chunks.push({ firstKey: this.#firstKey, data: this.#bytes.copy() });
    this.#bytes.clear();
    this.#firstKey = undefined;
  }
}

/** A posting list inside of larger data. */
export interface ListSlice {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

export interface Entry extends ListSlice {
  readonly key: string;
}

/** Yields the entries of a chunk. */
export function* readChunk(bytes: Buffer): Generator<Entry> {
  const reader = new ByteReader(bytes);
  while (reader.at < reader.end) {
    const keyEnd = reader.number() + reader.at;
    const key = bytes.toString('utf8', reader.at, keyEnd);
    reader.at = keyEnd;
    const length = reader.number();
    yield { key, bytes, start: reader.at, end: reader.at + length };
    reader.at += length;
  }
}

/** Finds the posting list of a key in a chunk. */
export function findInChunk(bytes: Buffer, key: Buffer): ListSlice | undefined {
  const reader = new ByteReader(bytes);
  while (reader.at < reader.end) {
    const length = reader.number();
    const isFound =
      length === key.length && bytes.compare(key, 0, length, reader.at, reader.at + length) === 0;
    reader.at += length;
    const size = reader.number();
    if (isFound) return { bytes, start: reader.at, end: reader.at + size };
    reader.at += size;
  }
  return undefined;
}
