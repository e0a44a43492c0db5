import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { type Variation, vary } from './variation.ts';

/** The bytes of a database that was made by these statements. */
function makeDatabase(...statements: string[]): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-variation-'));
  try {
    const database = new Database(join(folder, 'data.db'));
    for (const statement of statements) database.exec(statement);
    database.close();
    return readFileSync(join(folder, 'data.db'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Texts of the time before Unicode, which Node can read but not write. */
const OLD = {
  'Shift JIS':
    '82a282c22c82c882c90a323032342d30312d31352c834a83748346938c8b9e0a323032342d30312d31362c8e52936382b382f10a',
  'EUC-JP':
    'a4a4a4c42ca4caa4cb0a323032342d30312d31352ca5aba5d5a5a7c5ecb5fe0a323032342d30312d31362cbbb3c5c4a4b5a4f30a',
  'EUC-KR':
    'bef0c1a62cb9abbef90a323032342d30312d31352cc4abc6e420bcadbfef0a323032342d30312d31362cb1e820bcb1bbfdb4d40a',
  GB18030:
    'c8d5c6da2cc4dac8dd0a323032342d30312d31352cb1b1bea9b5c4bfa7b7c8b9dd0a323032342d30312d31362cc9cfbaa3b5c4b9abcbbe0a',
  Big5: 'a4e9b4c12ca4baae650a323032342d30312d31352ca578a55faabaa940b0d8a9b10a323032342d30312d31362ca7daaabaa4bda5710a',
  'Windows-1251':
    'caeee3e4e03bd7f2ee0a31352e30312e323032343bcae0f4e520ede020f3e3ebf30a31362e30312e323032343bc7e0f0efebe0f2e00a',
};
const oldLetters: Readonly<Record<string, { hex: string; word: string }>> = {
  'Windows-1250': {
    hex: Buffer.from('co,ile\nP\xb3atno\x9c\xe6 kart\xb9,1\nksi\xb9\xbfka,2\n', 'latin1').toString('hex'),
    word: 'Płatność kartą',
  },
  'ISO 8859-2': {
    hex: Buffer.from('co,ile\nP\xb3atno\xb6\xe6 kart\xb1,1\nksi\xb1\xbfka,2\n', 'latin1').toString('hex'),
    word: 'Płatność kartą',
  },
  'Windows-1254': {
    hex: Buffer.from('co,ile\nal\xfd\xfeveri\xfe \xf6demesi,1\nde\xf0i\xfeim i\xe7in,2\n', 'latin1').toString(
      'hex',
    ),
    word: 'alışveriş ödemesi',
  },
  'Windows-1252, with signs that are letters elsewhere': {
    hex: Buffer.from('co,ile\n\xbfQu\xe9 pas\xf3? n\xba 3 y 20 m\xb3,1\nni\xf1o,2\n', 'latin1').toString(
      'hex',
    ),
    word: '¿Qué pasó? nº 3 y 20 m³',
  },
};
const COLUMN = {
  'Shift JIS': 'なに',
  'EUC-JP': 'なに',
  'EUC-KR': '무엇',
  GB18030: '内容',
  Big5: '內容',
  'Windows-1251': 'что',
} as const;
const oldWords = {
  'Shift JIS': ['カフェ東京', '山田さん'],
  'EUC-JP': ['カフェ東京', '山田さん'],
  'EUC-KR': ['카페 서울', '김 선생님'],
  GB18030: ['北京的咖啡馆', '上海的公司'],
  Big5: ['台北的咖啡店', '我的公司'],
  'Windows-1251': ['Кафе на углу', 'Зарплата'],
} as const;

export const genericVariations: readonly Variation[] = [
  ...vary(
    'generic',
    'things.csv',
    {
      commas: 'id,when,what,price\n1,2024-04-15,Tea,1234.5\n2,2024-04-16,Jam,3\n',
      'semicolons and decimal commas':
        'id;when;what;price\n1;15.04.2024;Tea;1.234,50\n2;16.04.2024;Jam;3,00\n',
      tabs: 'id\twhen\twhat\tprice\n1\t2024-04-15\tTea\t1234.5\n2\t2024-04-16\tJam\t3\n',
    },
    {
      rows: [
        { id: 1, when: '2024-04-15', what: 'Tea', price: 1234.5 },
        { id: 2, price: 3 },
      ],
    },
  ),
  ...vary(
    'generic',
    'things.json',
    {
      'a list': '[{"id":1,"when":"2024-04-15","what":"Tea"},{"id":2,"what":"Jam"}]',
      lines: '{"id":1,"when":"2024-04-15","what":"Tea"}\n{"id":2,"what":"Jam"}\n',
      'in an object':
        '{"version":2,"items":[{"id":1,"when":"2024-04-15","what":"Tea"},{"id":2,"what":"Jam"}]}',
      'two deep': '{"data":{"items":[{"id":1,"when":"2024-04-15","what":"Tea"},{"id":2,"what":"Jam"}]}}',
      'lines with returns and a mark':
        '\ufeff{"id":1,"when":"2024-04-15","what":"Tea"}\r\n{"id":2,"what":"Jam"}\r\n',
    },
    { rows: [{ what: 'Tea' }, { what: 'Jam' }] },
  ),
  ...vary(
    'generic',
    'walks.csv',
    {
      'a preamble whose rows are filled up with empty cells':
        '"10:48 16/04/2024",,,\n,,,\n"Name:","Anna",,\n"Day","Where","Steps","Note"\n2024-04-15,Park,1200,fine\n2024-04-16,Lake,900,wet\n',
      'rows with a comma more than the header, below a preamble':
        '\n\nWalks of,Anna\nAs at:,30 Apr 2024\n\nDay,Where,Steps,Note\n\n15 Apr 2024,Park,1200,fine,\n16 Apr 2024,Lake,900,wet,\n',
      'the header once more at the end':
        'Day,Where,Steps,Note\n2024-04-15,Park,1200,fine\n2024-04-16,Lake,900,wet\nDay,Where,Steps,Note\n',
      'lines that end in a return alone':
        'Day,Where,Steps,Note\r2024-04-15,Park,1200,fine\r2024-04-16,Lake,900,wet\r',
      'a line that names the separator':
        'sep=;\nDay;Where;Steps;Note\n2024-04-15;Park;1200;fine\n2024-04-16;Lake;900;wet\n',
      'marks between thousands':
        'Day,Where,Steps,Note\n4/15/2024,Park,"1,200",fine\n4/16/2024,Lake,900,wet\n',
      'dates in one word': 'Day,Where,Steps,Note\n20240415,Park,1200,fine\n20240416,Lake,900,wet\n',
    },
    {
      rows: [
        { day: '2024-04-15', where: 'Park', steps: 1200, note: 'fine' },
        { day: '2024-04-16', where: 'Lake', steps: 900, note: 'wet' },
      ],
    },
  ),
  ...vary(
    'generic',
    'calls.csv',
    {
      'numbers of phones': 'who,number\nAnn,+1 555\nBen,+1 556\n',
      'numbers of phones with a zero first': 'who,number\nAnn,030 555\nBen,030 556\n',
      'two days in a cell': 'who,number\nAnn,2024/01/20-2024/02/03\nBen,2024/03/01-2024/03/04\n',
      'a day and what was paid on it':
        'who,number\nAnn,"Visa: April 15, 2024: $4.22; "\nBen,"Visa: April 16, 2024: $5.00; "\n',
      'a day within a text': 'who,number\nAnn,Invoice of 2024-01-20\nBen,Receipt of 2024-02-20\n',
    },
    { rows: [{ number: expect.stringMatching(/ \d|-2024/) }, { number: expect.any(String) }] },
  ),
  ...vary(
    'generic',
    'numbers.csv',
    {
      'thousands alone': 'id,visits\n1,"1,234"\n2,"2,500"\n',
      'thousands with a fraction': 'id,visits\n1,"1,234.0"\n2,"2,500.0"\n',
      'Swiss thousands': "id,visits\n1,1'234\n2,2'500\n",
    },
    { rows: [{ visits: 1234 }, { visits: 2500 }] },
  ),
  ...vary(
    'generic',
    'plain.csv',
    { 'no names of columns': '1,2024-04-15,Tea,12.5\n2,2024-04-16,Jam,3.5\n3,2024-04-17,Oil,4.5\n' },
    { rows: [{ column_2: '2024-04-15', column_3: 'Tea', column_4: 12.5 }, {}, { column_3: 'Oil' }] },
  ),
  ...vary(
    'generic',
    'ticks.csv',
    {
      seconds: 'when,what\n1700000000,Tea\n1700003600,Jam\n',
      milliseconds: 'when,what\n1700000000000,Tea\n1700003600000,Jam\n',
      'seconds in lines of JSON':
        '{"when":1700000000,"what":"Tea"}\n{"what":"Jam","when":1700003600,"more":{"a":1}}\n',
      'nothing written as a word': 'when,what\n1700000000,Tea\n1700003600,Jam\nN/A,\n',
    },
    { rows: [{ when: '2023-11-14T22:13:20Z' }, { when: '2023-11-14T23:13:20Z' }] },
  ).map((one) =>
    one.name.startsWith('nothing') ? { ...one, has: { rows: [...(one.has.rows ?? []), {}] } } : one,
  ),
  ...vary(
    'generic',
    'shop.json',
    {
      'several lists':
        '{"version":3,"users":[{"id":1,"name":"Anna"}],"orders":[{"id":9,"user":{"id":1,"name":"Anna"},"at":"2024-01-02T03:04:05Z"}]}',
    },
    { users: [{ id: 1, name: 'Anna' }], orders: [{ id: 9, user_id: 1, user_name: 'Anna' }] },
  ),
  ...vary(
    'generic',
    'people.json',
    {
      'an object that names its rows': '{"a1":{"name":"Anna"},"b2":{"name":"Ben"}}',
      'lists whose first names the columns': '[["key","name"],["a1","Anna"],["b2","Ben"]]',
    },
    {
      rows: [
        { key: 'a1', name: 'Anna' },
        { key: 'b2', name: 'Ben' },
      ],
    },
  ),
  ...vary(
    'generic',
    'odd.db',
    {
      'a text index, bytes as a key, two columns as a key, a view': makeDatabase(
        "create virtual table docs using fts5(title, body); insert into docs values ('Tea', 'is hot')",
        "create table parts (chunk blob primary key, name text) without rowid; insert into parts values (x'01', 'one')",
        "create table pairs (x integer, y text, z real, primary key (x, y)); insert into pairs values (1, 'a', 1.5), (1, 'b', 2)",
        'create view all_pairs as select * from pairs',
      ),
    },
    {
      docs: [{ title: 'Tea', body: 'is hot' }],
      parts: [{ name: 'one' }],
      pairs: [{ x: 1, y: 'a' }, { y: 'b' }],
    },
  ),
  ...Object.entries(oldLetters).map(
    ([name, { hex, word }]): Variation => ({
      name: `written in ${name}`,
      format: 'generic',
      files: { 'things.csv': Buffer.from(hex, 'hex') },
      has: { rows: [{ co: word }, {}] },
    }),
  ),
  ...Object.entries(oldWords).map(
    ([name, words]): Variation => ({
      name: `written in ${name}`,
      format: 'generic',
      files: { 'things.csv': Buffer.from(OLD[name as keyof typeof OLD], 'hex') },
      has: { rows: words.map((word) => ({ [COLUMN[name as keyof typeof COLUMN]]: word })) },
    }),
  ),
];
