import { compareText } from '../values.ts';
import { splitIndexText } from './index-words.ts';
import { COLUMN_SPAN } from './posting-list.ts';
import { termKey } from './term-key.ts';

/** The index texts of a record, one per text column. */
export type Texts = readonly string[];

/** What a batch does to the words of one record. */
export interface TextChange {
  readonly rid: number;
  /** Texts that were indexed before. Words that are not in `after` are removed from the record. */
  readonly before: readonly Texts[];
  readonly after: Texts | undefined;
}

/** The new postings of one word: pairs of a record's position in the list of records, and of the word's position in it. */
export interface CollectedWord {
  readonly key: string;
  readonly pairs: readonly number[];
}

/** Stands for the position of a word that was removed. */
export const REMOVED = -1;

/**
 * Collects the words of some records, which are given by ascending row id. Returns them by ascending key, in the order of
 * code points.
 */
export function collectWords(changes: readonly TextChange[]): CollectedWord[] {
  const words = new Map<string, number[]>();
  for (const [index, { before, after = [] }] of changes.entries()) {
    for (const [column, text] of after.entries()) if (text !== '') addPositions(words, index, column, text);
    for (const texts of before) for (const text of texts) if (text !== '') addRemovals(words, index, text);
  }
  const collected = [...words].map(([word, pairs]) => ({ key: termKey(word), pairs }));
  return collected.sort((a, b) => compareText(a.key, b.key));
}

function addPositions(words: Map<string, number[]>, index: number, column: number, text: string): void {
  let position = column * COLUMN_SPAN;
  for (const word of splitIndexText(text)) {
    const pairs = words.get(word);
    if (pairs === undefined) words.set(word, [index, position]);
    else pairs.push(index, position);
    position += 1;
  }
}

function addRemovals(words: Map<string, number[]>, index: number, text: string): void {
  for (const word of splitIndexText(text)) {
    const pairs = words.get(word);
    if (pairs === undefined) words.set(word, [index, REMOVED]);
    else if (pairs.at(-2) !== index) pairs.push(index, REMOVED);
  }
}
