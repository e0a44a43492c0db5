import { isPlain, readTokens } from './tokens.ts';

/** What of a field's value is searched, for the index as for ranking and snippets. */
export function searchText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').join(' \n ');
  return typeof value === 'number' ? String(value) : '';
}

/** Runs between ASCII separators that hold something beyond ASCII. */
const BEYOND_ASCII = /[A-Za-z0-9]*[\u0080-\uffff][A-Za-z0-9\u0080-\uffff]*/g;

/**
 * A text as the full-text index is given it. The index knows ASCII letters and digits, takes everything beyond
 * ASCII for a letter and ignores the case of ASCII only. So it may have plain text as it is, and in place of the
 * rest our words with spaces between them: no Unicode table but ours has a say.
 */
export function indexText(text: string): string {
  const words = isPlain(text) ? text : text.replace(BEYOND_ASCII, recallWords);
  return words.length > MAX_PLACED_WORDS * 2 ? boundPlaces(words) : words;
}

/**
 * Words of a text that are indexed where they stand. A search reads every place of a word, so a text of megabytes must
 * not have a million of them. Further words are indexed once each: a search finds them, a phrase does not.
 */
export const MAX_PLACED_WORDS = 50_000;
/** A word as the index splits text. */
const INDEXED = /[A-Za-z0-9\u0080-\uffff]+/g;

function boundPlaces(text: string): string {
  const known = new Set<string>();
  const further: string[] = [];
  let end = 0;
  let count = 0;
  for (const { 0: found, index } of text.matchAll(INDEXED)) {
    const word = found.toLowerCase();
    count += 1;
    if (count <= MAX_PLACED_WORDS) end = index + found.length;
    else if (!known.has(word)) further.push(word);
    known.add(word);
  }
  return count <= MAX_PLACED_WORDS ? text : `${text.slice(0, end)} ${further.join(' ')}`;
}

/** Words repeat, and folding one costs as much as taking in a whole plain text. */
const recent = new Map<string, string>();
const MAX_RECENT = 20_000;
const LONGEST_RECENT = 40;

function recallWords(run: string): string {
  if (run.length > LONGEST_RECENT) return joinWords(run);
  let words = recent.get(run);
  if (words === undefined) {
    if (recent.size >= MAX_RECENT) recent.clear();
    words = joinWords(run);
    recent.set(run, words);
  }
  return words;
}

function joinWords(text: string): string {
  let words = '';
  for (const { word } of readTokens(text)) words += words === '' ? word : ` ${word}`;
  return words;
}
