import { yieldToEventLoop } from '../limits/yield-to-event-loop.ts';
import { editDistance } from '../words/edit-distance.ts';
import { canBeMisspelt, type Dictionary } from '../words/spellings.ts';
import { fold } from '../words/tokens.ts';

/** Words that occur in some record, and the highest of their numbers, which grow with every word that is added. */
export interface PieceOfWords {
  readonly words: readonly string[];
  readonly last: number;
}

/** Words after a number, at most so many, in order of their numbers. */
export type ReadWords = (after: number, limit: number) => Promise<PieceOfWords>;

/** Words read at once: a few milliseconds. */
const PIECE_WORDS = 10_000;
/** Words held in memory, about 50 MB. A million ordinary records share a fortieth of this. */
const MAX_WORDS = 4_000_000;
/** A block with fewer words takes further ones. */
const SMALL = 500;

/**
 * A dictionary of the index's words, for typing errors and for words inside of others. It is read from the start on, piece by piece, so that nobody else
 * waits, and brought up to date before every look-up by what was added since. A look-up waits for it, however much there
 * is: an answer without it would tell how many words are stored, hidden ones included. Words beyond those that are held
 * are gone through on each look-up: slower, and with the same result.
 */
export function createDictionary(readWords: ReadWords, maxWords = MAX_WORDS): Dictionary {
  const held = new TermIndex();
  let heldUpTo = 0;
  let reading: Promise<void> | undefined;

  const readAll = async () => {
    while (held.size < maxWords) {
      const limit = Math.min(PIECE_WORDS, maxWords - held.size);
      const { words, last } = await readWords(heldUpTo, limit);
      if (words.length > 0) {
        held.add(words);
        heldUpTo = last;
      }
      if (words.length < limit) return;
      await yieldToEventLoop();
    }
  };
  /** One reader at a time; whoever comes meanwhile waits for it. */
  const read = () => {
    reading ??= readAll().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  // Who looks a word up hears of what went wrong here.
  read().catch(() => {});

  const catchUp = async () => {
    // A reading that was under way may have been past what was added just before this.
    if (reading !== undefined) await reading;
    await read();
  };
  /** Those that are not held. */
  const visitRest = async (visit: (word: string) => void) => {
    if (held.size >= maxWords) await walk(readWords, heldUpTo, visit);
  };

  const findSimilar = async (word: string) => {
    const folded = fold(word);
    const farthest = farthestFor(folded);
    if (farthest === 0) return [];
    await catchUp();
    const similar: { word: string; distance: number }[] = [];
    const compare = (other: string) => {
      const distance = editDistance(folded, other, farthest + 1);
      if (distance > 0 && distance <= farthest) similar.push({ word: other, distance });
    };
    held.visitLike(folded, farthest, compare);
    await visitRest(compare);
    return similar
      .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
      .map((one) => one.word);
  };
  const findContaining = async (letters: string) => {
    await catchUp();
    const holding: string[] = [];
    held.visitHolding(letters, (word) => holding.push(word));
    await visitRest((word) => {
      if (word.length > letters.length && word.includes(letters)) holding.push(word);
    });
    return holding;
  };
  return { findSimilar, findContaining };
}

async function walk(readWords: ReadWords, after: number, visit: (word: string) => void): Promise<void> {
  let piece = await readWords(after, PIECE_WORDS);
  while (piece.words.length > 0) {
    for (const word of piece.words) visit(word);
    await yieldToEventLoop();
    piece = await readWords(piece.last, PIECE_WORDS);
  }
}

/** Short words are other words when one letter changes; long ones bear two errors. */
function farthestFor(word: string): number {
  if (word.length < 4 || !canBeMisspelt(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

/** Words of one length, one after the other in a single text, each with a number that tells which letters it has. */
interface Block {
  readonly text: string;
  readonly letters: Int32Array;
}

/**
 * Finds words like another one without comparing all of them: an error changes the length by one at most, and which
 * letters there are by two. Holds texts, not single words: a million words take 15 MB in place of 100.
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
      // Joins small additions: a store that grows word by word would otherwise have as many blocks.
      const last = (blocks.at(-1)?.letters.length ?? SMALL) < SMALL ? blocks.pop() : undefined;
      blocks.push({
        text: (last?.text ?? '') + same.join(''),
        letters: Int32Array.from([...(last?.letters ?? []), ...same.map(lettersOf)]),
      });
    }
    this.#size += words.length;
  }

  /** Visits every word within so many errors of a word, and some others. */
  visitLike(word: string, errors: number, visit: (word: string) => void): void {
    const wanted = lettersOf(word);
    for (let length = word.length - errors; length <= word.length + errors; length++) {
      for (const { text, letters } of this.#blocks[length] ?? [])
        for (let at = 0; at < letters.length; at++)
          if (countBits((letters[at] as number) ^ wanted) <= 2 * errors)
            visit(text.slice(at * length, (at + 1) * length));
    }
  }

  /** Visits every word that has these letters in it, and more. */
  visitHolding(letters: string, visit: (word: string) => void): void {
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

/** One bit for each letter that occurs; several letters may share one. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function countBits(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return (((v + (v >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
