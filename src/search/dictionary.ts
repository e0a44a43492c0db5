import SearchableMap from 'minisearch/SearchableMap';
import { giveTurn } from '../limits/give-turn.ts';
import { editDistance } from '../text/nearest-name.ts';
import { canBeMisspelt } from '../words/spellings.ts';
import { fold } from '../words/tokens.ts';

/** A word that occurs in some record, under a number that grows with every word that is added. */
export interface NumberedWord {
  readonly id: number;
  readonly word: string;
}

/** Words after a number, at most so many, in order of their numbers. */
export type ReadWords = (after: number, limit: number) => Promise<NumberedWord[]>;

/** Words read at once: a few milliseconds. */
const PIECE = 1_000;
/** Words held in memory, about 40 MB. A million ordinary records share half of this. */
const MOST_HELD = 200_000;

/**
 * A dictionary of the index's words, for typing errors. It is brought up to date before every look-up, by
 * what was added since and piece by piece, so that nobody else waits. Words beyond those that are held are
 * gone through on each look-up: slower, and with the same result. The nearest come first; whether they may be
 * used is not its business.
 */
export function createDictionary(
  readWords: ReadWords,
  mostHeld = MOST_HELD,
): (word: string) => Promise<string[]> {
  const held = new SearchableMap<true>();
  let heldUpTo = 0;
  let updating: Promise<void> | undefined;

  const update = async () => {
    while (held.size < mostHeld) {
      const words = await readWords(heldUpTo, Math.min(PIECE, mostHeld - held.size));
      for (const { id, word } of words) {
        held.set(word, true);
        heldUpTo = id;
      }
      if (words.length < PIECE) return;
      await giveTurn();
    }
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
    const similar: { word: string; distance: number }[] = [];
    const compare = (other: string) => {
      const distance = editDistance(folded, other, farthest + 1);
      if (distance > 0 && distance <= farthest) similar.push({ word: other, distance });
    };
    // Its distance counts swapped neighbours twice and ours once, so it looks one further.
    for (const other of held.fuzzyGet(folded, farthest + 1).keys()) compare(other);
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
