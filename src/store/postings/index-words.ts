import { isPlain } from '../../words/tokens.ts';

/** A word of an index text in lower case. */
const WORD = /[a-z0-9\u0080-\uffff]+/g;
/** The full-text index of SQLite cuts longer words. */
const MAX_WORD_BYTES = 32_768;
/** A unit of UTF-16 has at most three bytes. */
const MAX_WORD_UNITS = Math.floor(MAX_WORD_BYTES / 3);

/**
 * Returns the words of an index text, in order. The full-text index of SQLite splits in the same way: at ASCII separators,
 * folding the case of ASCII only, because `indexText` has folded everything else.
 */
export function splitIndexText(text: string): readonly string[] {
  const lower = isPlain(text)
    ? text.toLowerCase()
    : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const words = lower.match(WORD) ?? [];
  return text.length > MAX_WORD_UNITS ? words.map(cutWord) : words;
}

function cutWord(word: string): string {
  if (word.length <= MAX_WORD_UNITS) return word;
  const bytes = Buffer.from(word);
  if (bytes.length <= MAX_WORD_BYTES) return word;
  return decodeCut(bytes.subarray(0, MAX_WORD_BYTES));
}

/** Decodes cut UTF-8 bytes, without an incomplete last character. */
export function decodeCut(bytes: Buffer): string {
  return bytes.toString().replace(/\ufffd$/, '');
}
