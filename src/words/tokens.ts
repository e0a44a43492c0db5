/**
 * A word of a text and its offsets. The index, queries, the dictionary, ranking and snippets share this tokenizer, so
 * they agree on what a word is.
 */
export interface Token {
  /** Folded: lower case, without accents and vowel points. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Scripts written without spaces. Each character is a token, and a run of them is a phrase. */
const UNSPACED =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9f\\u{20000}-\\u{323af}';
const LETTERS = '\\p{L}\\p{N}\\p{M}\\p{Co}';
/** Invisible characters that do not split a word: joiners, soft hyphens, variation selectors. A zero width space does. */
const UNSEEN = '[\\p{Default_Ignorable_Code_Point}--\\u200b]';

const ACCENT = `[\\u0300-\\u036f${UNSEEN}]`;

/** Two characters that form one letter: a kana with its sound mark, and one Myanmar vowel. */
const PAIRED = `[\\u3040-\\u30ff](?:${ACCENT}*[\\u3099\\u309a])+|\\u1025${ACCENT}*\\u102e`;
/** One character of an unspaced script with its accents, or a run of the letters of all others. */
const WORD = new RegExp(
  `(?:${PAIRED}|[[[${LETTERS}]&&[${UNSPACED}]]--${UNSEEN}])${ACCENT}*|[[${LETTERS}${UNSEEN}]--[${UNSPACED}]]+`,
  'gv',
);
/** A run between ASCII separators. Only runs with other characters need the Unicode pattern. */
const CHUNK = /[A-Za-z0-9\u0080-\uffff]+/g;
const BEYOND_ASCII = /[\u0080-\uffff]/;
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'v');

/**
 * Characters that folding removes: Latin, Greek and Cyrillic accents, Hebrew points and cantillation, Arabic vowels,
 * tatweel and Quranic marks, and invisible characters. Indic vowel signs and the hamza stay: readers treat them as letters.
 */
const FOLDED_AWAY = new RegExp(
  `[\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u0652\\u0656-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u08ca-\\u08e1\\u08e3-\\u08ff${UNSEEN}]+`,
  'gv',
);

/** Whether a text is ASCII, so that folding changes only its case. */
export function isPlain(text: string): boolean {
  return !BEYOND_ASCII.test(text);
}

export function isUnspaced(word: string): boolean {
  return IS_UNSPACED.test(word);
}

/** Returns a word in the form in which words are compared. Both small forms of sigma become one letter. */
export function fold(word: string): string {
  if (isPlain(word)) return word.toLowerCase();
  return word.normalize('NFD').replace(FOLDED_AWAY, '').normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}

/** Yields the words of a text with their offsets. */
export function* readTokens(text: string): Generator<Token> {
  for (const { 0: chunk, index } of text.matchAll(CHUNK)) {
    if (isPlain(chunk)) yield { word: chunk.toLowerCase(), start: index, end: index + chunk.length };
    else yield* splitChunk(chunk, index);
  }
}

function* splitChunk(chunk: string, index: number): Generator<Token> {
  for (const match of chunk.matchAll(WORD)) {
    const word = fold(match[0]);
    const start = index + match.index;
    if (word !== '') yield { word, start, end: start + match[0].length };
  }
}

const BEYOND = 128;
/** The ASCII characters of a run: letters and digits. */
const RUN_CODES = Uint8Array.from({ length: BEYOND }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const isRunCode = (code: number): boolean => code >= BEYOND || RUN_CODES[code] === 1;

/** A set of ASCII letters that words begin with, in both cases, by character code. */
export type Initials = Uint8Array;

export function initialsOf(words: Iterable<string>): Initials {
  const initials = new Uint8Array(BEYOND);
  for (const word of words)
    for (const letter of [word.charAt(0), word.charAt(0).toUpperCase()]) {
      const code = letter.charCodeAt(0);
      if (code < BEYOND) initials[code] = 1;
    }
  return initials;
}

/**
 * Yields the words of a text that may begin with one of the initials: ASCII words that do, and all others. Most words of
 * a text are skipped without a string of their own, which takes about two thirds of the time.
 */
export function* readTokensWith(initials: Initials, text: string): Generator<Token> {
  for (let at = 0; at < text.length; at++) {
    const first = text.charCodeAt(at);
    if (!isRunCode(first)) continue;
    const start = at;
    let isAscii = true;
    for (let code = first; at < text.length && isRunCode(code); code = text.charCodeAt(++at))
      if (code >= BEYOND) isAscii = false;
    if (!isAscii) yield* splitChunk(text.slice(start, at), start);
    else if (initials[first] === 1) yield { word: text.slice(start, at).toLowerCase(), start, end: at };
  }
}
