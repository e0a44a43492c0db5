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
  return isPlain(text) ? text : text.replace(BEYOND_ASCII, recallWords);
}

/** Words repeat, and folding one costs as much as taking in a whole plain text. */
const recent = new Map<string, string>();
const MOST_RECENT = 20_000;
const LONGEST_RECENT = 40;

function recallWords(run: string): string {
  if (run.length > LONGEST_RECENT) return joinWords(run);
  let words = recent.get(run);
  if (words === undefined) {
    if (recent.size >= MOST_RECENT) recent.clear();
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
