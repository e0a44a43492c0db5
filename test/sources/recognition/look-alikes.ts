/** A file that somebody may give, and what it is to be taken for: a format, or nothing. */
export interface LookAlike {
  readonly name: string;
  readonly path: string;
  readonly content: string;
  readonly verdict: string;
  /** How many records it holds, where it is data. */
  readonly records?: number;
}

const lines = (...all: string[]) => `${all.join('\n')}\n`;
const nothing = (name: string, path: string, ...content: string[]): LookAlike => ({
  name,
  path,
  content: lines(...content),
  verdict: 'nothing',
});
const rows = (name: string, path: string, records: number, ...content: string[]): LookAlike => ({
  name,
  path,
  content: lines(...content),
  verdict: 'generic',
  records,
});
const json = (name: string, records: number, value: unknown, path = 'data.json'): LookAlike => ({
  name,
  path,
  content: JSON.stringify(value),
  verdict: records === 0 ? 'nothing' : 'generic',
  ...(records === 0 ? {} : { records }),
});

const clipping = (title: string, words: string) =>
  lines(
    `${title} (Somebody, Anna)`,
    '- Your Highlight on page 12 | Location 170-172 | Added on Monday, January 15, 2024 10:00:00 AM',
    '',
    words,
    '==========',
  );

/** Texts, pages, code and settings. */
const words: readonly LookAlike[] = [
  nothing(
    'a letter',
    'letter.txt',
    'Dear Anna,',
    '',
    'thank you for your letter, which came on Monday, and for the book.',
    'We will come in May, or, if the weather allows it, a week earlier.',
    '',
    'Yours, Ben',
  ),
  nothing(
    'a statement with the headers of a mail and no address',
    'statement.txt',
    'From: 01/12/2025 to 31/12/2025',
    ' ',
    'Account: XXXX 1234',
    ' ',
    'Date: 31/12/2025',
    'Description: CARD PAYMENT TO SHOP',
    'Amount: -12.34',
    'Balance: 1234.56',
  ),
  nothing('a short letter with commas', 'letter.txt', 'Dear Anna, Ben', 'See you soon, Eve'),
  nothing('a shopping list', 'list.txt', 'Milk, 2', 'Bread', 'Eggs, a dozen', 'Tea'),
  nothing(
    'notes with colons and bars',
    'notes.txt',
    'Meeting | Monday',
    'Present: Anna, Ben, Eve',
    'We talked about the budget, the roof | and the garden.',
    'Next: Friday, 10:00',
  ),
  nothing(
    'a poem',
    'poem.txt',
    'Shall I compare thee to a summer day,',
    'Thou art more lovely, and more temperate,',
    'Rough winds do shake the buds of May,',
    'And summer, too, is short, and soon is gone,',
  ),
  nothing(
    'a licence',
    'LICENSE.txt',
    'MIT License',
    '',
    'Copyright (c) 2024 Anna Example',
    '',
    'Permission is hereby granted, free of charge, to any person obtaining a copy',
    'of this software and associated documentation files (the "Software"), to deal',
    'in the Software without restriction, including without limitation the rights',
    'to use, copy, modify, merge, publish, distribute, sublicense, and/or sell',
    'copies of the Software, and to permit persons to whom the Software is',
    'furnished to do so, subject to the following conditions:',
  ),
  nothing(
    'a log of a server',
    'server.log',
    '2024-01-15 10:00:00,123 INFO main: started, listening on 8080',
    '2024-01-15 10:00:01,456 WARN db: slow query, 1200 ms',
    '2024-01-15 10:00:02,789 ERROR http: refused, no token',
  ),
  nothing(
    'a log of a web server',
    'access.log',
    '10.0.0.1 - - [15/Jan/2024:10:00:00 +0000] "GET / HTTP/1.1" 200 512 "-" "Mozilla/5.0 (X11; Linux)"',
    '10.0.0.2 - - [15/Jan/2024:10:00:01 +0000] "GET /a HTTP/1.1" 404 12 "-" "curl/8.0"',
  ),
  nothing(
    'a log with brackets',
    'app.log',
    '[15.01.24, 10:00:00] INFO: started',
    '[15.01.24, 10:00:01] WARN: slow',
    '[15.01.24, 10:00:02] ERROR: failed',
  ),
  nothing(
    'settings of the old kind',
    'config.ini',
    '[main]',
    'name = Anna, Ben',
    'path = a;b;c',
    '[other]',
    'x = 1',
  ),
  nothing('settings as YAML', 'config.yaml', 'name: Anna', 'list: [a, b, c]', 'other: {x: 1, y: 2}'),
  nothing(
    'settings as TOML',
    'Cargo.toml',
    '[package]',
    'name = "x"',
    'authors = ["Anna", "Ben"]',
    '[dependencies]',
  ),
  nothing('an environment', '.env', 'A=1', 'B=2,3', 'C=x;y'),
  nothing(
    'a program in Python',
    'main.py',
    'import os, sys',
    'def main(a, b):',
    '    print(a, b)',
    '    return a, b',
    'main(1, 2)',
  ),
  nothing(
    'a program in C',
    'main.c',
    '#include <stdio.h>',
    'int main(int argc, char **argv) {',
    '  printf("%d, %s\\n", argc, argv[0]);',
    '  return 0;',
    '}',
  ),
  nothing(
    'a program in TypeScript',
    'main.ts',
    "import { a, b } from './x';",
    'export const c = [a, b, 3];',
    'export function d(e: number, f: string) { return e; }',
  ),
  nothing(
    'statements of SQL',
    'dump.sql',
    'CREATE TABLE a (id int, name text);',
    "INSERT INTO a VALUES (1, 'Anna');",
  ),
  nothing('a script', 'run.sh', '#!/bin/sh', 'a=1; b=2; c=3', 'echo "$a, $b; $c"', 'exit 0; true'),
  nothing(
    'styles',
    'style.css',
    'a, b { color: red; margin: 0 }',
    'c, d { top: 0; left: 0 }',
    'e, f { a: b; c: d }',
  ),
  nothing('a page', 'page.html', '<!doctype html><html><body>a, b, c</body></html>'),
  nothing(
    'a page without an ending',
    'page',
    '<html><head><title>x</title></head><body>a,b',
    'c,d',
    'e,f</body></html>',
  ),
  nothing('a drawing', 'drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0,0 L1,1"/></svg>'),
  nothing(
    'subtitles',
    'film.srt',
    '1',
    '00:00:01,000 --> 00:00:02,000',
    'Hello, Anna',
    '',
    '2',
    '00:00:03,000 --> 00:00:04,000',
    'Bye, Ben',
  ),
  nothing(
    'verses of songs',
    'song.lrc',
    '[00:01.00]One, two',
    '[00:02.00]Three, four',
    '[00:03.00]Five, six',
  ),
  nothing(
    'changes to a program',
    'fix.patch',
    '--- a/x.c',
    '+++ b/x.c',
    '@@ -1,2 +1,2 @@',
    '-int a, b;',
    '+int a, c;',
  ),
  nothing(
    'a key',
    'id.pem',
    '-----BEGIN CERTIFICATE-----',
    'MIIB,AAA',
    'MIIC,BBB',
    '-----END CERTIFICATE-----',
  ),
  nothing(
    'what a terminal said',
    'out.txt',
    'total 12',
    'drwxr-xr-x 2 a a 4096 Jan 15 10:00 x',
    '-rw-r--r-- 1 a a 12 Jan 15 10:00 y',
  ),
  nothing(
    'the notice about an encrypted Timeline',
    'Takeout/Location History (Timeline)/Encrypted Backups.txt',
    'The following encrypted Timeline backups are stored on Google servers.',
    'They are encrypted, so Google cannot export them, and they are not in this archive.',
    'Device, Last backup',
  ),
  {
    name: 'clippings of a Kindle',
    path: 'My Clippings.txt',
    content: Array.from({ length: 17 }, (_, n) =>
      clipping(`A Book, Part ${n}`, `Words, and more words, ${n}`),
    ).join(''),
    verdict: 'kindle',
  },
];

/** JSON that is no export of ours: data of others, and settings. */
const documents: readonly LookAlike[] = [
  json('a profile and orders of a shop', 3, {
    profile: { name: 'Anna', emails: ['anna@example.org'] },
    orders: [{ id: 1, item: 'Tea' }],
  }),
  json('a profile alone', 0, { profile: { name: 'Anna', email: 'anna@example.org' } }),
  json('a conversation of another app', 3, {
    title: 'Talk',
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi' },
    ],
  }),
  json('messages of another app', 2, [
    { id: 1, author: 'Anna', text: 'Hello', timestamp: '2024-01-15T10:00:00Z' },
    { id: 2, author: 'Ben', text: 'Hi', timestamp: '2024-01-15T10:01:00Z' },
  ]),
  json('songs of another app', 2, [
    { track: 'One', artist: 'Two', played_at: '2024-01-15T10:00:00Z' },
    { track: 'Three', artist: 'Four', played_at: '2024-01-15T11:00:00Z' },
  ]),
  json('places of another app', 2, {
    features: [
      { type: 'Feature', id: 1 },
      { type: 'Feature', id: 2 },
    ],
  }),
  json('notes of another app', 2, {
    notes: [
      { title: 'One', text: 'Two' },
      { title: 'Three', text: 'Four' },
    ],
  }),
  json('users of another app', 2, [
    { id: 'U1', name: 'anna', email: 'anna@example.org' },
    { id: 'U2', name: 'ben', email: 'ben@example.org' },
  ]),
  json(
    'settings of a compiler',
    0,
    { compilerOptions: { strict: true, lib: ['es2022'] }, include: ['src'] },
    'tsconfig.json',
  ),
  json(
    'what a package needs',
    0,
    { name: 'x', version: '1.0.0', dependencies: { a: '1', b: '2' }, files: ['dist'] },
    'package.json',
  ),
  json('an empty list', 0, []),
  json('an empty object', 0, {}),
  json('a number', 0, 42),
  json('ads in French', 2, {
    impressions_history_ads_seen: [
      { auteur: 'Marque, SA', date: '2024-01-15', montant: 1, libelle: 'vu' },
      { auteur: 'Autre', date: '2024-01-16', montant: 2, libelle: 'vu' },
    ],
  }),
];

/** Tables that are no statement of a bank and no list of films. */
const tables: readonly LookAlike[] = [
  rows(
    'orders',
    'orders.csv',
    2,
    'Order ID,Date,Total,Item',
    'A1,2024-01-15,12.50,Tea',
    'A2,2024-01-16,3.00,Jam',
  ),
  rows(
    'shares',
    'trades.csv',
    2,
    'Date,Symbol,Quantity,Amount,Description',
    '2024-01-15,ABC,2,12.5,Buy',
    '2024-01-16,DEF,1,3,Sell',
  ),
  rows('weights', 'weight.csv', 2, 'Date,Weight,Fat', '2024-01-15,70.5,20', '2024-01-16,70.1,19.9'),
  rows(
    'sleep',
    'sleep.csv',
    2,
    'Start,End,Quality',
    '2024-01-15 23:00,2024-01-16 07:00,80',
    '2024-01-16 23:00,2024-01-17 07:00,75',
  ),
  rows('addresses', 'people.csv', 2, 'Name,Street,City', 'Anna,Way 1,Kiel', 'Ben,Way 2,Bonn'),
  rows('a table with one row', 'one.csv', 1, 'Name,Street,City', 'Anna,Way 1,Kiel'),
  rows(
    'a table in a text',
    'steps.txt',
    3,
    'Day\tSteps\tKm',
    '2024-01-15\t1200\t1.1',
    '2024-01-16\t900\t0.8',
    '2024-01-17\t300\t0.2',
  ),
  rows(
    'a table with long texts',
    'reviews.csv',
    2,
    'id,stars,text',
    '1,5,"Good, really good, and, well, cheap"',
    '2,1,"Bad, very bad, and dear"',
  ),
  rows(
    'ratings of films',
    'ratings.csv',
    2,
    'Const,Your Rating,Date Rated,Title,Year',
    'tt1,8,2024-01-15,One,1999',
    'tt2,7,2024-01-16,Two,2001',
  ),
];

export const lookAlikes: readonly LookAlike[] = [...words, ...documents, ...tables];
