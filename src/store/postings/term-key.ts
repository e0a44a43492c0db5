import { createHash } from 'node:crypto';
import { decodeCut } from './index-words.ts';

/** PostgreSQL limits keys of a B-tree to 2,704 bytes. */
const MAX_KEY_BYTES = 2_000;
/** The bytes of a long word that are in its key. */
const HEAD_BYTES = 1_900;
/** Separates the head from the hash. No word contains it, and it sorts before all characters of words. */
const SEPARATOR = '\u0003';

/** Returns the key of a word in the index: the word itself, or the beginning of a long word and a hash. */
export function termKey(word: string): string {
  // A unit of UTF-16 has at most three bytes.
  if (word.length * 3 <= MAX_KEY_BYTES) return word;
  const bytes = Buffer.from(word);
  if (bytes.length <= MAX_KEY_BYTES) return word;
  return headOf(bytes) + createHash('sha256').update(bytes).digest('base64url');
}

/**
 * Returns the key prefixes that find all words with a prefix. For a prefix longer than the head, they also find other long
 * words with the same head.
 */
export function prefixKeys(prefix: string): readonly string[] {
  if (prefix.length * 3 <= HEAD_BYTES) return [prefix];
  const bytes = Buffer.from(prefix);
  return bytes.length <= HEAD_BYTES ? [prefix] : [prefix, headOf(bytes)];
}

function headOf(bytes: Buffer): string {
  return decodeCut(bytes.subarray(0, HEAD_BYTES)) + SEPARATOR;
}
