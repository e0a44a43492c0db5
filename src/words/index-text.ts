import { isPlain, readTokens } from './tokens.ts';

/** Returns the searchable text of a field's value, for the index, ranking and snippets. */
export function searchText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').join(' \n ');
  return typeof value === 'number' ? String(value) : '';
}

/** Words with at least one character that is not ASCII. */
const BEYOND_ASCII = /[A-Za-z0-9]*[\u0080-\uffff][A-Za-z0-9\u0080-\uffff]*/g;

/**
 * Returns a text in the form in which it is written to the full-text index. The index splits at ASCII separators, treats
 * other characters as letters and folds ASCII case only. So ASCII stays as it is, and the rest becomes our folded tokens.
 */
export function indexText(text: string): string {
  const words = isPlain(text) ? text : text.replace(BEYOND_ASCII, foldRun);
  return words.length > MAX_POSITIONED_WORDS * 2 ? limitPositions(words) : words;
}

/**
 * Words of a text that are indexed with their positions. A search reads every position of a word, so this bounds its cost.
 * Each further word is indexed once: a search finds it, a phrase query does not.
 */
export const MAX_POSITIONED_WORDS = 50_000;
/** A word as the index splits text. */
const INDEXED = /[A-Za-z0-9\u0080-\uffff]+/g;

function limitPositions(text: string): string {
  const known = new Set<string>();
  const further: string[] = [];
  let end = 0;
  let count = 0;
  for (const { 0: found, index } of text.matchAll(INDEXED)) {
    const word = found.toLowerCase();
    count += 1;
    if (count <= MAX_POSITIONED_WORDS) end = index + found.length;
    else if (!known.has(word)) further.push(word);
    known.add(word);
  }
  return count <= MAX_POSITIONED_WORDS ? text : `${text.slice(0, end)} ${further.join(' ')}`;
}

/** Caches folded runs: words repeat, and folding one costs as much as indexing a whole ASCII text. */
const foldedRuns = new Map<string, string>();
const MAX_CACHED_RUNS = 20_000;
const MAX_CACHED_RUN_CHARACTERS = 40;

function foldRun(run: string): string {
  if (run.length > MAX_CACHED_RUN_CHARACTERS) return joinWords(run);
  let words = foldedRuns.get(run);
  if (words === undefined) {
    if (foldedRuns.size >= MAX_CACHED_RUNS) foldedRuns.clear();
    words = joinWords(run);
    foldedRuns.set(run, words);
  }
  return words;
}

function joinWords(text: string): string {
  let words = '';
  for (const { word } of readTokens(text)) words += words === '' ? word : ` ${word}`;
  return words;
}
