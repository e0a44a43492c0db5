import { giveTurn } from '../limits/give-turn.ts';
import { editDistance } from '../text/nearest-name.ts';
import { canBeMisspelt } from '../words/spellings.ts';
import { fold } from '../words/tokens.ts';
import { WordShelf } from './word-shelf.ts';

/**
 * Gives the words of the whole index that look like a word, nearest first; nothing as long as the dictionary is being
 * read. Whether they may be used is not its business.
 */
export type FindSimilar = (word: string) => Promise<string[] | undefined>;

/** A word that occurs in some record, under a number that grows with every word that is added. */
export interface NumberedWord {
  readonly id: number;
  readonly word: string;
}

/** Words after a number, at most so many, in order of their numbers. */
export type ReadWords = (after: number, limit: number) => Promise<NumberedWord[]>;

/** Words read at once: a few milliseconds. */
const PIECE = 4_000;
/** Words held in memory, about 40 MB. A million ordinary records share a quarter of this. */
const MOST_HELD = 400_000;
/** So many pieces are waited for, a tenth of a second. Pieces and not time, so that a busy machine gives the same answer. */
const PATIENCE = 32;

/**
 * A dictionary of the index's words, for typing errors. It is read from the start on, piece by piece, so that nobody else
 * waits, and brought up to date before every look-up by what was added since. Words beyond those that are held are gone
 * through on each look-up: slower, and with the same result.
 */
export function createDictionary(readWords: ReadWords, mostHeld = MOST_HELD): FindSimilar {
  const held = new WordShelf();
  let heldUpTo = 0;
  let piecesRead = 0;
  let reading: Promise<void> | undefined;
  let nextPiece: Promise<void> = Promise.resolve();

  const readPiece = async (): Promise<boolean> => {
    const words = await readWords(heldUpTo, Math.min(PIECE, mostHeld - held.size));
    for (const { id, word } of words) {
      held.add(word);
      heldUpTo = id;
    }
    piecesRead += 1;
    return words.length === PIECE && held.size < mostHeld;
  };
  const readAll = async () => {
    let isMore = held.size < mostHeld;
    while (isMore) {
      const piece = readPiece();
      // A piece that could not be read is told of by the reading itself; nobody may be waiting for this one.
      nextPiece = piece.then(giveTurn, giveTurn);
      isMore = await piece;
      await nextPiece;
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

  return async (word) => {
    const folded = fold(word);
    const farthest = farthestFor(folded);
    if (farthest === 0) return [];
    const until = piecesRead + PATIENCE;
    const wait = async () => {
      const done = read();
      while (reading !== undefined && piecesRead < until) await Promise.race([done, nextPiece]);
      return reading === undefined;
    };
    // A reading that was under way may have been past what was added just before this.
    const isUnderWay = reading !== undefined;
    if (!(await wait()) || (isUnderWay && !(await wait()))) return undefined;
    const similar: { word: string; distance: number }[] = [];
    const compare = (other: string) => {
      const distance = editDistance(folded, other, farthest + 1);
      if (distance > 0 && distance <= farthest) similar.push({ word: other, distance });
    };
    held.visitLike(folded, farthest, compare);
    if (held.size >= mostHeld) await walk(readWords, heldUpTo, compare);
    return similar
      .sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
      .map((one) => one.word);
  };
}

async function walk(readWords: ReadWords, after: number, visit: (word: string) => void): Promise<void> {
  let words = await readWords(after, PIECE);
  while (words.length > 0) {
    for (const { word } of words) visit(word);
    await giveTurn();
    words = await readWords((words.at(-1) as NumberedWord).id, PIECE);
  }
}

/** Short words are other words when one letter changes; long ones bear two errors. */
function farthestFor(word: string): number {
  if (word.length < 4 || !canBeMisspelt(word)) return 0;
  return word.length < 8 ? 1 : 2;
}
