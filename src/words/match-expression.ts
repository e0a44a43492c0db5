/**
 * The grammar of the full-text index, all of it that is used. Only quoted strings and column names of ours ever get
 * in, so that nothing anybody types is read as syntax.
 */

/** A way to write a word, or only its beginning. Words one after the other are a phrase. */
export interface Written {
  readonly word: string;
  readonly isBeginning: boolean;
}

export function quoteWord(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

/** Any of several ways to write a word. */
export function anyOf(spellings: readonly Written[]): string {
  return spellings
    .map(({ word, isBeginning }) => (isBeginning ? `${quoteWord(word)} *` : quoteWord(word)))
    .join(' OR ');
}

export function anyWordOf(words: readonly string[]): string {
  return words.map(quoteWord).join(' OR ');
}

export function allOf(expressions: readonly string[]): string {
  return expressions.map((one) => `(${one})`).join(' AND ');
}

/** The same in some of the numbered text columns only; in all of them where none is named. */
export function inColumns(columns: readonly number[] | undefined, expression: string): string {
  if (columns === undefined) return expression;
  return `{${columns.map((column) => `c${column}`).join(' ')}} : (${expression})`;
}
