/**
 * Words as the full-text index sees them: runs of letters and digits, without case and accents. Ranking and
 * snippets must agree with the index on what a word is.
 */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** Accents of Latin, Greek and Cyrillic. Marks of other scripts are part of the letter, for the index as for readers. */
const ACCENTS = /[\u0300-\u036f]+/g;
const PLAIN = /^[\t-\r -~]*$/;

export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** The text without accents. What is indexed goes through here, so that index, dictionary and ranking see the same words. */
export function withoutAccents(text: string): string {
  return PLAIN.test(text) ? text : text.normalize('NFD').replace(ACCENTS, '').normalize('NFC');
}

export function fold(word: string): string {
  return withoutAccents(word).toLowerCase();
}

/** Words of a text with their places in it, at most `most` of them. */
export function tokenize(text: string, most = Number.POSITIVE_INFINITY): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(WORD)) {
    tokens.push({ word: fold(match[0]), start: match.index, end: match.index + match[0].length });
    if (tokens.length >= most) break;
  }
  return tokens;
}
