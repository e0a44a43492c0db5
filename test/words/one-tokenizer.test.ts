import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { indexText } from '../../src/words/index-text.ts';
import { fold, isPlain, readTokens } from '../../src/words/tokens.ts';

const database = new Database(':memory:');
database.exec(`
  create virtual table texts using fts5 (c0, content = '', contentless_delete = 1, tokenize = 'ascii');
  create virtual table words using fts5vocab (texts, instance);
`);
afterAll(() => database.close());

/** Returns the tokens of the full-text index for a text, in order. */
function indexed(text: string): string[] {
  database.prepare('insert into texts (rowid, c0) values (1, ?)').run(indexText(text));
  const terms = database.prepare('select term from words order by offset').pluck().all() as string[];
  database.prepare('delete from texts where rowid = 1').run();
  return terms;
}

const ours = (text: string) => [...readTokens(text)].map((token) => token.word);

/** Letters, marks, digits, joiners and separators of many scripts, and any other Unicode character. */
const pieces = [
  ...[
    'a',
    'Z',
    '9',
    ' ',
    '.',
    '-',
    '_',
    "'",
    '\0',
    '\u007f',
    '\n',
    'é',
    'e\u0301',
    'İ',
    'ı',
    'ß',
    'ẞ',
    'ſ',
    'K',
  ],
  ...[
    'Σ',
    'σ',
    'ς',
    'ά',
    'й',
    'ё',
    'ش',
    'م\u064e',
    'ـ',
    'أ',
    'ا\u0654',
    'ש\u05c1',
    '\u05b4',
    'יִ',
    '־',
    'ﬁ',
    '½',
  ],
  ...['द', 'ि', 'ा', 'न', '़', '्', '\u200d', '\u200c', '\u200b', '\u00ad', '\u2060', '\ufe0f', '\u{e0100}'],
  ...[
    '東',
    '京',
    'か',
    '\u3099',
    'ん\u3099',
    'ဥ',
    '\u102e',
    'ｶ',
    'ﾞ',
    'ไ',
    '่',
    '฿',
    'ខ',
    '\u17b4',
    '한',
    'ᄒ',
    'ᅡ',
    '\u3164',
    '👩',
    '≠',
    '\ue000',
    '𝒳',
  ],
];
const text = fc.array(
  fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...pieces) }, fc.string({ unit: 'binary', maxLength: 3 })),
  { maxLength: 40 },
);

describe('the tokenizer', () => {
  it('agrees with the index and the dictionary on any text', () => {
    fc.assert(
      fc.property(text, (parts) => {
        const written = parts.join('').toWellFormed();
        const words = ours(written);
        expect(indexed(written)).toEqual(words);
        for (const word of new Set(words)) {
          expect(ours(word)).toEqual([word]);
          expect(fold(word)).toBe(word);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('gives the same tokens for ASCII text and for its words separated by spaces', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 200 }), (plain) => {
        expect(isPlain(plain)).toBe(true);
        expect(indexed(plain)).toEqual(ours(plain));
        expect(ours(`${plain} é`).slice(0, -1)).toEqual(ours(plain));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['keeps Indic vowel signs', 'दिन दान', ['दिन', 'दान']],
    ['removes Hebrew points and cantillation', 'שָׁל֣וֹם', ['שלום']],
    ['removes Arabic vowels, tatweel and Quranic marks', 'مُحَمَّدٌ كـتاب ٱلْعَـٰلَمِينَ', ['محمد', 'كتاب', 'ٱلعلمين']],
    ['keeps the hamza', 'أحمد', ['أحمد']],
    ['ignores the joiner in a Persian word', 'می\u200cخواهم میخواهم', ['میخواهم', 'میخواهم']],
    ['ignores soft hyphens and variation selectors', 'co\u00adop ❤\ufe0f 葛\u{e0100}', ['coop', '葛']],
    ['treats both small sigmas as one letter', 'ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
    ['makes each character of a script without spaces a token', '東京2024年', ['東', '京', '2024', '年']],
    ['splits words at a zero width space', 'a\u200bb', ['a', 'b']],
  ])('%s', (_, written, words) => {
    expect(ours(written)).toEqual(words);
    expect(indexed(written)).toEqual(words);
  });
});
