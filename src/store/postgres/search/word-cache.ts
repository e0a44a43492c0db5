import type { MatchPart } from '../../search-reads.ts';
import type { SnapshotDatabase } from './join-snapshots.ts';
import type { WordPostings } from './word-postings.ts';

/** Bytes of blocks that are cached for a search. */
const MAX_CACHED_BYTES = 2_000_000;

/** Words that were read completely, for later reads of the same search: a word is counted before its positions are read. */
export class WordCache {
  readonly #words = new Map<string, WordPostings>();
  #bytes = 0;

  get(word: string): WordPostings | undefined {
    return this.#words.get(word);
  }

  add(word: string, postings: WordPostings): void {
    if (postings.low > 0 || this.#bytes + postings.bytes > MAX_CACHED_BYTES) return;
    this.#words.set(word, postings);
    this.#bytes += postings.bytes;
  }
}

/** Words are cached by snapshot, so that a search never mixes versions of them, and by streams. */
const caches = new WeakMap<object, WeakMap<readonly MatchPart[], WordCache>>();

/** Returns the cache of a search. Reads outside of a snapshot have none. */
export function wordCache(
  { findSnapshot }: SnapshotDatabase,
  parts: readonly MatchPart[],
): WordCache | undefined {
  const snapshot = findSnapshot();
  if (snapshot === undefined) return undefined;
  const byParts = caches.get(snapshot) ?? new WeakMap<readonly MatchPart[], WordCache>();
  caches.set(snapshot, byParts);
  const known = byParts.get(parts) ?? new WordCache();
  byParts.set(parts, known);
  return known;
}
