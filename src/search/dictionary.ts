import MiniSearch from 'minisearch';
import { editDistance } from '../schema-index/nearest-name.ts';
import { segment } from './segment.ts';
import { fold, tokenize } from './tokens.ts';

/** Gives the words of the whole index that look like a word, nearest first. Whether they may be used is not its business. */
export type FindSimilar = (word: string) => Promise<string[]>;

/** Where the dictionary gets its words from. */
export interface WordSource {
  readAll(): Promise<string[]>;
  /** The change number of the store. */
  readVersion(): Promise<number>;
  /** JSON of records that changed since, at most `limit` of them. */
  readChanged(since: number, limit: number): Promise<string[]>;
}

/** With more changed records than this, reading all words anew is quicker than reading the records. */
const MOST_CHANGED = 5_000;

/**
 * A dictionary of the index's words in memory, for typing errors. Only words are held, not documents, so it
 * stays small: a million records share about a hundred thousand words. It is brought up to date before
 * every look-up; words of deleted records stay, which does no harm, since only words that occur are used.
 */
export function createDictionary(source: WordSource): FindSimilar {
  let index = createIndex();
  let version = -1;
  let updating: Promise<void> | undefined;

  const update = async () => {
    const current = await source.readVersion();
    if (current === version) return;
    const changed = version === -1 ? [] : await source.readChanged(version, MOST_CHANGED + 1);
    if (version === -1 || changed.length > MOST_CHANGED) {
      const all = (await source.readAll()).map((word) => ({ word }));
      index = createIndex();
      await index.addAllAsync(all, { chunkSize: 2_000 });
    } else {
      for (const data of changed) addWords(index, JSON.parse(data));
    }
    version = current;
  };

  return async (word) => {
    const folded = fold(word);
    const farthest = farthestFor(folded);
    if (farthest === 0) return [];
    // One update at a time; whoever comes meanwhile waits for it.
    updating ??= update().finally(() => {
      updating = undefined;
    });
    await updating;
    // Its distance counts swapped neighbours twice and ours once, so it looks one further.
    const found = index.search(folded, { fuzzy: farthest + 1, prefix: false, maxFuzzy: farthest + 1 });
    return found
      .map(({ id }) => ({ word: id as string, distance: editDistance(folded, id as string, farthest + 1) }))
      .filter(({ distance }) => distance > 0 && distance <= farthest)
      .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
      .map((one) => one.word);
  };
}

function createIndex(): MiniSearch<{ word: string }> {
  return new MiniSearch<{ word: string }>({
    fields: ['word'],
    idField: 'word',
    tokenize: (text) => [text],
    processTerm: (term) => term,
  });
}

function addWords(index: MiniSearch<{ word: string }>, value: unknown): void {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) addWords(index, inner);
    return;
  }
  if (typeof value !== 'string') return;
  for (const { word } of tokenize(segment(value))) {
    if (word.length >= 3 && word.length <= 40 && !index.has(word)) index.add({ word });
  }
}

/** Short words are other words when one letter changes; long ones bear two errors. */
function farthestFor(word: string): number {
  if (word.length < 4 || /^\d+$/.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}
