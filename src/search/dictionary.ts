import { yieldToEventLoop } from '../limits/yield-to-event-loop.ts';
import { editDistance } from '../words/edit-distance.ts';
import { type Dictionary, isSpellable } from '../words/spellings.ts';
import { fold } from '../words/tokens.ts';

/** Words of the index and the highest of their ids. Later words have higher ids. */
export interface WordBatch {
  readonly words: readonly string[];
  readonly last: number;
}

/** Reads up to `limit` words after an id, in order of id. */
export type ReadWords = (after: number, limit: number) => Promise<WordBatch>;

/** Reading a batch takes a few milliseconds. */
const BATCH_WORDS = 10_000;
/** Limit of words in memory, about 50 MB. A million ordinary records have a fortieth of this. */
const MAX_WORDS = 4_000_000;
/** New words are appended to a block that has fewer words than this. */
const SMALL_BLOCK_WORDS = 500;

/**
 * Creates a dictionary of the index's words, for typing errors and compounds. It loads in batches in the background, and
 * every lookup first loads the words added since. A lookup always waits for the whole dictionary: a partial answer would
 * reveal how many words are stored, including hidden ones. Words beyond the memory limit are scanned on each lookup.
 */
export function createDictionary(readWords: ReadWords, maxWords = MAX_WORDS): Dictionary {
  const index = new TermIndex();
  let lastLoaded = 0;
  let loading: Promise<void> | undefined;

  const loadAll = async () => {
    while (index.size < maxWords) {
      const limit = Math.min(BATCH_WORDS, maxWords - index.size);
      const { words, last } = await readWords(lastLoaded, limit);
      if (words.length > 0) {
        index.add(words);
        lastLoaded = last;
      }
      if (words.length < limit) return;
      await yieldToEventLoop();
    }
  };
  /** Loads new words. Concurrent callers share one run. */
  const load = () => {
    loading ??= loadAll().finally(() => {
      loading = undefined;
    });
    return loading;
  };
  // Ignored here: the next lookup loads again and reports the error.
  load().catch(() => {});

  const catchUp = async () => {
    // A run in progress may have missed words that were added just before this call.
    await loading?.catch(() => {});
    for (;;) {
      // A run that another call began ends with that call.
      const isShared = loading !== undefined;
      try {
        return await load();
      } catch (error) {
        if (!isShared) throw error;
      }
    }
  };
  const visitUnloaded = async (visit: (word: string) => void) => {
    if (index.size >= maxWords) await visitWords(readWords, lastLoaded, visit);
  };

  const findSimilar = async (word: string) => {
    const folded = fold(word);
    const maxErrors = maxErrorsFor(folded);
    if (maxErrors === 0) return [];
    await catchUp();
    const similar: { word: string; distance: number }[] = [];
    const compare = (other: string) => {
      const distance = editDistance(folded, other, maxErrors + 1);
      if (distance > 0 && distance <= maxErrors) similar.push({ word: other, distance });
    };
    index.visitSimilar(folded, maxErrors, compare);
    await visitUnloaded(compare);
    return similar
      .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
      .map((one) => one.word);
  };
  const findContaining = async (letters: string) => {
    await catchUp();
    const containing: string[] = [];
    index.visitContaining(letters, (word) => containing.push(word));
    await visitUnloaded((word) => {
      if (word.length > letters.length && word.includes(letters)) containing.push(word);
    });
    return containing;
  };
  return { findSimilar, findContaining };
}

async function visitWords(readWords: ReadWords, after: number, visit: (word: string) => void): Promise<void> {
  let batch = await readWords(after, BATCH_WORDS);
  while (batch.words.length > 0) {
    for (const word of batch.words) visit(word);
    await yieldToEventLoop();
    batch = await readWords(batch.last, BATCH_WORDS);
  }
}

/** Returns how many errors are corrected. In a short word, changing one letter usually gives a different word. */
function maxErrorsFor(word: string): number {
  if (word.length < 4 || !isSpellable(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

/** Words of one length, concatenated, with a bit set of the letters of each. */
interface Block {
  readonly text: string;
  readonly letterSets: Int32Array;
}

/**
 * Finds similar words without comparing all of them: one error changes the length by at most one and the letter set by at
 * most two. Concatenated words take 15 MB per million; single strings would take 100.
 */
class TermIndex {
  readonly #blocks: Block[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(words: readonly string[]): void {
    const byLength = new Map<number, string[]>();
    for (const word of words) {
      const same = byLength.get(word.length);
      if (same === undefined) byLength.set(word.length, [word]);
      else same.push(word);
    }
    for (const [length, same] of byLength) {
      const blocks = this.#blocks[length] ?? [];
      this.#blocks[length] = blocks;
      // Appends to a small block: a store that grows word by word would otherwise have one block per word.
      const lastSize = blocks.at(-1)?.letterSets.length ?? SMALL_BLOCK_WORDS;
      const last = lastSize < SMALL_BLOCK_WORDS ? blocks.pop() : undefined;
      blocks.push({
        text: (last?.text ?? '') + same.join(''),
        letterSets: Int32Array.from([...(last?.letterSets ?? []), ...same.map(letterSetOf)]),
      });
    }
    this.#size += words.length;
  }

  /** Visits every word within a number of errors of a word, and some others. */
  visitSimilar(word: string, errors: number, visit: (word: string) => void): void {
    const wanted = letterSetOf(word);
    for (let length = word.length - errors; length <= word.length + errors; length++) {
      for (const { text, letterSets } of this.#blocks[length] ?? [])
        for (let at = 0; at < letterSets.length; at++)
          if (countBits((letterSets[at] as number) ^ wanted) <= 2 * errors)
            visit(text.slice(at * length, (at + 1) * length));
    }
  }

  /** Visits every longer word that contains these letters. */
  visitContaining(letters: string, visit: (word: string) => void): void {
    for (let length = letters.length + 1; length < this.#blocks.length; length++)
      for (const { text } of this.#blocks[length] ?? []) {
        let at = text.indexOf(letters);
        while (at !== -1) {
          const start = at - (at % length);
          const isWithin = at + letters.length <= start + length;
          if (isWithin) visit(text.slice(start, start + length));
          at = text.indexOf(letters, isWithin ? start + length : at + 1);
        }
      }
  }
}

/** Returns a bit set of a word's letters; several letters may share a bit. */
function letterSetOf(word: string): number {
  let set = 0;
  for (let at = 0; at < word.length; at++) set |= 1 << (word.charCodeAt(at) & 31);
  return set;
}

function countBits(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return (((v + (v >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
