import { giveTurn } from '../limits/give-turn.ts';
import { editDistance } from '../text/nearest-name.ts';
import { canBeMisspelt, type Dictionary } from '../words/spellings.ts';
import { fold } from '../words/tokens.ts';
import { WordShelf } from './word-shelf.ts';

/** Words that occur in some record, and the highest of their numbers, which grow with every word that is added. */
export interface PieceOfWords {
  readonly words: readonly string[];
  readonly last: number;
}

/** Words after a number, at most so many, in order of their numbers. */
export type ReadWords = (after: number, limit: number) => Promise<PieceOfWords>;

/** Words read at once: a few milliseconds. */
const PIECE = 10_000;
/** Words held in memory, about 50 MB. A million ordinary records share a fortieth of this. */
const MOST_HELD = 4_000_000;

/**
 * A dictionary of the index's words, for typing errors and for words inside of others. It is read from the start on, piece by piece, so that nobody else
 * waits, and brought up to date before every look-up by what was added since. A look-up waits for it, however much there
 * is: an answer without it would tell how many words are stored, hidden ones included. Words beyond those that are held
 * are gone through on each look-up: slower, and with the same result.
 */
export function createDictionary(readWords: ReadWords, mostHeld = MOST_HELD): Dictionary {
  const held = new WordShelf();
  let heldUpTo = 0;
  let reading: Promise<void> | undefined;

  const readAll = async () => {
    while (held.size < mostHeld) {
      const limit = Math.min(PIECE, mostHeld - held.size);
      const { words, last } = await readWords(heldUpTo, limit);
      if (words.length > 0) {
        held.add(words);
        heldUpTo = last;
      }
      if (words.length < limit) return;
      await giveTurn();
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
    if (held.size >= mostHeld) await walk(readWords, heldUpTo, visit);
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
  const findHolding = async (letters: string) => {
    await catchUp();
    const holding: string[] = [];
    held.visitHolding(letters, (word) => holding.push(word));
    await visitRest((word) => {
      if (word.length > letters.length && word.includes(letters)) holding.push(word);
    });
    return holding;
  };
  return { findSimilar, findHolding };
}

async function walk(readWords: ReadWords, after: number, visit: (word: string) => void): Promise<void> {
  let piece = await readWords(after, PIECE);
  while (piece.words.length > 0) {
    for (const word of piece.words) visit(word);
    await giveTurn();
    piece = await readWords(piece.last, PIECE);
  }
}

/** Short words are other words when one letter changes; long ones bear two errors. */
function farthestFor(word: string): number {
  if (word.length < 4 || !canBeMisspelt(word)) return 0;
  return word.length < 8 ? 1 : 2;
}
