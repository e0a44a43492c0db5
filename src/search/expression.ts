import type { Spelling } from './search-source.ts';

/** The full-text grammar, as far as a search uses it. Only quoted strings ever get in, so nothing typed has a meaning. */
export function anyOf(spellings: readonly Spelling[]): string {
  return spellings.map(write).join(' OR ');
}

export function allOf(expressions: readonly string[]): string {
  return expressions.map((one) => `(${one})`).join(' AND ');
}

/** Words one after the other are a phrase. */
function write({ word, isBeginning }: Spelling): string {
  return `"${word.replaceAll('"', '""')}"${isBeginning ? ' *' : ''}`;
}
