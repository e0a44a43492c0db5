import { createHash } from 'node:crypto';
import { COLUMN_SPAN } from '../postings/posting-list.ts';
import { termKey } from '../postings/term-key.ts';

const TWO_TO_32 = 2 ** 32;

/**
 * A checksum of a word index: every position of every word, in any order. It has 64 bits. A position is the column and the
 * offset of a word in a record.
 */
export class WordDigest {
  words = 0;
  positions = 0;
  #first = 0;
  #second = 0;
  #seeds: readonly [number, number] = [0, 0];
  #isEmpty = true;

  /** Begins with the positions of another word. */
  startWord(word: string): void {
    const hash = createHash('sha256').update(termKey(word)).digest();
    this.#seeds = [hash.readInt32LE(0), hash.readInt32LE(4)];
    this.#isEmpty = true;
  }

  add(rid: number, position: number): void {
    if (this.#isEmpty) this.words += 1;
    this.#isEmpty = false;
    this.positions += 1;
    const column = Math.floor(position / COLUMN_SPAN);
    const parts = [Math.floor(rid / TWO_TO_32), rid | 0, column, position - column * COLUMN_SPAN] as const;
    this.#first = (this.#first + mixAll(this.#seeds[0], parts)) | 0;
    this.#second = (this.#second + mixAll(this.#seeds[1], parts)) | 0;
  }

  toString(): string {
    return [this.#first, this.#second].map((one) => (one >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

function mixAll(seed: number, parts: readonly [number, number, number, number]): number {
  return mix(mix(mix(mix(seed, parts[0]), parts[1]), parts[2]), parts[3]);
}

/** The final step of MurmurHash3 over two numbers. */
function mix(hash: number, value: number): number {
  let mixed = hash ^ Math.imul(value, 0xcc9e2d51);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
