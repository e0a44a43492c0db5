const MIN_MISSPELT_CHARACTERS = 3;
const MAX_MISSPELT_CHARACTERS = 40;
const WORD = /[a-z0-9\u0080-\uffff]+/g;

/** Finds words in the whole index, including hidden records. Callers check which words are visible. */
export interface Dictionary {
  /** Returns words with a similar spelling, closest first. */
  findSimilar(word: string): Promise<string[]>;
  /** Returns longer words that contain these letters. */
  findContaining(letters: string): Promise<string[]>;
}

/** Whether spelling correction applies to a word. A word with more digits than letters is a number or a code. */
export function isSpellable(word: string): boolean {
  if (word.length < MIN_MISSPELT_CHARACTERS || word.length > MAX_MISSPELT_CHARACTERS) return false;
  let digits = 0;
  for (let at = 0; at < word.length; at++)
    if (word.charCodeAt(at) >= 48 && word.charCodeAt(at) <= 57) digits++;
  return digits * 2 <= word.length;
}

/**
 * Adds the words of an index text that are not `known` yet to `fresh`. It reads the whole text. Otherwise a word near the
 * end would become known only through another record, perhaps a hidden one.
 */
export function collectSpellings(text: string, known: ReadonlySet<string>, fresh: Set<string>): void {
  const words = text.toLowerCase().match(WORD);
  for (const word of words ?? []) if (!known.has(word) && isSpellable(word)) fresh.add(word);
}
