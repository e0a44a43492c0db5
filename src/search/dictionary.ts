import MiniSearch from 'minisearch';
import { editDistance } from '../schema-index/nearest-name.ts';
import { fold } from './tokens.ts';

/** Gives the words of the whole index that look like a word, nearest first. Whether they may be used is not its business. */
export type FindSimilar = (word: string) => Promise<string[]>;

/** Up to so many words the dictionary is built anew as soon as the store changes; above, at most once a minute. */
const SMALL = 20_000;
const REBUILD_MS = 60_000;

/**
 * A dictionary of the index's words in memory, for typing errors. Only words are held, not documents, so
 * it stays small: a million records share about a hundred thousand words.
 */
export function createDictionary(
  readWords: () => Promise<string[]>,
  readVersion: () => Promise<number>,
): FindSimilar {
  let index: MiniSearch<{ word: string }> | undefined;
  let words = 0;
  let version = -1;
  let builtAt = 0;

  const build = async (current: number) => {
    const all = await readWords();
    const next = new MiniSearch<{ word: string }>({
      fields: ['word'],
      idField: 'word',
      tokenize: (text) => [text],
      processTerm: (term) => term,
    });
    await next.addAllAsync(
      all.map((word) => ({ word })),
      { chunkSize: 2_000 },
    );
    [index, words, version, builtAt] = [next, all.length, current, Date.now()];
  };

  return async (word) => {
    const current = await readVersion();
    const stale = current !== version && (words <= SMALL || Date.now() - builtAt > REBUILD_MS);
    if (index === undefined || stale) await build(current);
    const folded = fold(word);
    const farthest = farthestFor(folded);
    if (farthest === 0) return [];
    // Its distance counts swapped neighbours twice and ours once, so it looks one further.
    const found = index?.search(folded, { fuzzy: farthest + 1, prefix: false, maxFuzzy: farthest + 1 }) ?? [];
    return found
      .map(({ id }) => ({ word: id as string, distance: editDistance(folded, id as string, farthest + 1) }))
      .filter(({ distance }) => distance > 0 && distance <= farthest)
      .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
      .map((one) => one.word);
  };
}

/** Short words are other words when one letter changes; long ones bear two errors. */
function farthestFor(word: string): number {
  if (word.length < 4 || /^\d+$/.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}
