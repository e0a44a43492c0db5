import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';

const field = (number: number, content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content);
  const length: number[] = [];
  for (let rest = bytes.length; ; rest = Math.floor(rest / 128)) {
    length.push((rest % 128) | (rest >= 128 ? 128 : 0));
    if (rest < 128) break;
  }
  return Buffer.concat([Buffer.from([number * 8 + 2, ...length]), bytes]);
};

/** A text as Notes packs it: in a note, in a document, zipped. */
export const packNote = (text: string, link?: string): Buffer =>
  gzipSync(
    field(
      2,
      field(
        3,
        Buffer.concat([field(2, text), link === undefined ? Buffer.alloc(0) : field(5, field(9, link))]),
      ),
    ),
  );

/** A small NoteStore.sqlite of the form that macOS has, with words of nobody. Days are of 2026. */
export function makeNoteDatabase(path: string): void {
  const database = new Database(path);
  database.exec(`
    create table ZICCLOUDSYNCINGOBJECT (Z_PK integer primary key, Z_ENT integer, ZIDENTIFIER varchar, ZNAME varchar,
      ZTITLE1 varchar, ZTITLE2 varchar, ZSNIPPET varchar, ZFOLDER integer, ZACCOUNT7 integer, ZNOTE integer, ZMEDIA integer,
      ZCREATIONDATE1 timestamp, ZCREATIONDATE3 timestamp, ZMODIFICATIONDATE1 timestamp, ZISPASSWORDPROTECTED integer,
      ZISPINNED integer, ZMARKEDFORDELETION integer, ZFILENAME varchar, ZTYPEUTI varchar);
    create table ZICNOTEDATA (Z_PK integer primary key, ZNOTE integer, ZDATA blob);
    insert into ZICCLOUDSYNCINGOBJECT (Z_PK, ZNAME) values (1, 'iCloud');
    insert into ZICCLOUDSYNCINGOBJECT (Z_PK, ZTITLE2) values (2, 'Kitchen');
    insert into ZICCLOUDSYNCINGOBJECT (Z_PK, ZNOTE, ZMEDIA, ZTYPEUTI) values (20, 10, 21, 'public.jpeg'), (22, 10, null, 'com.apple.notes.table');
    insert into ZICCLOUDSYNCINGOBJECT (Z_PK, ZFILENAME) values (21, 'loaf.jpg');
  `);
  const day = (text: string) => (Date.parse(text) - Date.UTC(2001, 0, 1)) / 1_000;
  const add = database.prepare(
    `insert into ZICCLOUDSYNCINGOBJECT (Z_PK, ZIDENTIFIER, ZTITLE1, ZSNIPPET, ZFOLDER, ZACCOUNT7, ZCREATIONDATE1, ZCREATIONDATE3,
       ZMODIFICATIONDATE1, ZISPASSWORDPROTECTED, ZISPINNED) values (?, ?, ?, ?, 2, 1, ?, ?, ?, ?, ?)`,
  );
  const addBody = database.prepare('insert into ZICNOTEDATA (ZNOTE, ZDATA) values (?, ?)');
  const bread = 'Bread\nFlour, water\u2028and salt \ufffc';
  add.run(
    10,
    'N-1',
    'Bread',
    'Flour',
    null,
    day('2026-01-02T10:00:00Z'),
    day('2026-03-04T11:30:00.500Z'),
    0,
    1,
  );
  addBody.run(10, packNote(bread, 'https://example.org/bread'));
  add.run(11, 'N-2', 'Safe', null, day('2026-02-01T00:00:00Z'), null, day('2026-02-02T00:00:00Z'), 1, 0);
  addBody.run(11, Buffer.from('not to be read'));
  add.run(12, null, 'Broken', 'its beginning', null, day('2026-02-03T00:00:00Z'), null, 0, 0);
  addBody.run(12, Buffer.from('damaged'));
  database.close();
}
