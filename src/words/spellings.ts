const SHORTEST = 3;
const LONGEST = 40;
const WORD = /[a-z0-9\u0080-\uffff]+/g;

/** Finds words of the whole index. Whether they may be used is not its business. */
export interface Dictionary {
  /** Words that look like a word, nearest first. */
  findSimilar(word: string): Promise<string[]>;
  /** Words that have these letters in them, and more. */
  findHolding(letters: string): Promise<string[]>;
}

/** Whether a word can be taken for a misspelling of another. What has more digits than letters is a number or a code. */
export function canBeMisspelt(word: string): boolean {
  if (word.length < SHORTEST || word.length > LONGEST) return false;
  let digits = 0;
  for (let at = 0; at < word.length; at++)
    if (word.charCodeAt(at) >= 48 && word.charCodeAt(at) <= 57) digits++;
  return digits * 2 <= word.length;
}

/**
 * Adds the words of an index text that are not `known` yet to `fresh`. Of the whole text: a word that stands far back
 * must not wait for another record, perhaps a hidden one, to teach it.
 */
export function learnSpellings(text: string, known: ReadonlySet<string>, fresh: Set<string>): void {
  const words = text.toLowerCase().match(WORD);
  for (const word of words ?? []) if (!known.has(word) && canBeMisspelt(word)) fresh.add(word);
}
