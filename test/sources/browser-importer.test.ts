import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { browserImporter } from '../../src/sources/browser/browser-importer.ts';
import { collect, makeInputFile } from '../support/input-file.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { checkRecords, countRecords, pickRecord, readFixture } from './count-records.ts';

describe('Chrome history from Google Takeout', async () => {
  const found = await readFixture(browserImporter, 'takeout');

  it('has one record per visit', () => {
    expect(countRecords(found)).toEqual({ visits: 2 });
    expect(found.problems).toEqual([{ path: 'History.json', place: 'visit 3', reason: 'has no address' }]);
    expect(pickRecord(found, 'visits', 0)).toMatchInlineSnapshot(`
      {
        "browser": "Chrome",
        "host": "example.org",
        "how": "link",
        "id": "WubBJ_KtPXboNkx9ndZ8fD",
        "title": "Bread",
        "url": "https://www.example.org/bread?a=1",
        "visited_at": "2023-11-14T22:13:20.123Z",
      }
    `);
  });
});

describe('bookmarks', async () => {
  const found = await readFixture(browserImporter, 'bookmarks');

  it('keep folders and tags from bookmark files and profiles', () => {
    expect(found.records.bookmarks?.map(({ title, folder }) => [title, folder])).toEqual([
      ['Rye', 'Bookmarks bar'],
      ['Inner', 'Bookmarks bar / Folder'],
      ['Example & more', undefined],
      ['PHP', 'Dev / PHP'],
      ['PHP again', 'Dev / PHP'],
      ['https://example.net/', 'Dev'],
    ]);
    expect(found.problems).toEqual([
      { path: 'bookmarks.html', place: 'bookmark 5', reason: 'has no address' },
    ]);
    expect(pickRecord(found, 'bookmarks', 2)).toMatchInlineSnapshot(`
      {
        "added_at": "2016-06-15T17:04:26Z",
        "description": "About bread and rye",
        "host": "example.org",
        "id": "aXeipioFpdZ1kDf1L9q7jt",
        "tags": [
          "bread",
          "rye",
        ],
        "title": "Example & more",
        "updated_at": "2016-06-15T17:05:00Z",
        "url": "https://example.org/",
      }
    `);
  });

  it('get separate keys if a folder holds them twice', () => {
    const ids = found.records.bookmarks?.map(({ id }) => id);
    expect(new Set(ids).size).toBe(6);
  });
});

/** A database as a browser makes it, read back as a file of any name. */
function makeDatabase(sql: string) {
  const place = join(makeFolder(), 'database');
  const database = new Database(place);
  database.exec(sql);
  database.close();
  return makeInputFile('Default/some file', readFileSync(place), 4_096);
}

describe('the database of Chrome', () => {
  const tables = `create table meta (key text, value text);
    create table urls (id integer primary key, url text, title text);
    insert into urls values (1, 'https://example.org/rye', 'Rye'), (2, 'https://example.org/', '');`;

  it('is recognised under any name', async () => {
    const found = await collect(browserImporter, [
      makeDatabase(`${tables}
        create table visits (id integer primary key, url integer, visit_time integer, transition integer, visit_duration integer);
        insert into visits values (7, 1, 13344473600123456, 805306369, 5000000), (8, 2, 13344473700000000, 0, 0);`),
    ]);
    await checkRecords(browserImporter, found);
    expect(countRecords(found)).toEqual({ visits: 2 });
    expect(pickRecord(found, 'visits', 0)).toMatchInlineSnapshot(`
      {
        "browser": "Chrome",
        "host": "example.org",
        "how": "typed",
        "id": "7-1700000000123",
        "seconds": 5,
        "title": "Rye",
        "url": "https://example.org/rye",
        "visited_at": "2023-11-14T22:13:20.123Z",
      }
    `);
  });

  it('is read without newer columns', async () => {
    const found = await collect(browserImporter, [
      makeDatabase(`${tables}
        create table visits (id integer primary key, url integer, visit_time integer, transition integer);
        insert into visits values (7, 1, 13044473600000000, 1);`),
    ]);
    expect(found.records.visits?.[0]).toMatchObject({ how: 'typed', visited_at: '2014-05-13T16:53:20Z' });
  });
});

describe('the database of Firefox', () => {
  it('has visits, and bookmarks with tags', async () => {
    const found = await collect(browserImporter, [
      makeDatabase(`create table moz_places (id integer primary key, url text, title text);
        create table moz_historyvisits (id integer primary key, from_visit integer, place_id integer, visit_date integer, visit_type integer);
        create table moz_bookmarks (id integer primary key, type integer, fk integer, parent integer, title text, dateAdded integer, lastModified integer);
        insert into moz_places values (1, 'https://example.org/rye', 'Rye');
        insert into moz_historyvisits values (3, 0, 1, 1700000000123456, 2);
        insert into moz_bookmarks values (1, 2, null, 0, '', 0, 0), (2, 2, null, 1, 'menu', 0, 0), (3, 2, null, 1, 'tags', 0, 0),
          (4, 2, null, 3, 'bread', 0, 0), (5, 1, 1, 2, 'My rye', 1700000000000000, 1700000001000000), (6, 1, 1, 4, null, 0, 0);`),
    ]);
    await checkRecords(browserImporter, found);
    expect(countRecords(found)).toEqual({ visits: 1, bookmarks: 1 });
    expect(pickRecord(found, 'bookmarks', 0)).toMatchInlineSnapshot(`
      {
        "added_at": "2023-11-14T22:13:20Z",
        "folder": "menu",
        "host": "example.org",
        "id": "b9unVgZ7msPLNTnYHNvDre",
        "tags": [
          "bread",
        ],
        "title": "My rye",
        "updated_at": "2023-11-14T22:13:21Z",
        "url": "https://example.org/rye",
      }
    `);
    expect(found.records.visits?.[0]).toMatchObject({
      browser: 'Firefox',
      how: 'typed',
      visited_at: '2023-11-14T22:13:20.123Z',
    });
  });
});

describe('the database of Safari', () => {
  it('has times counted from 2001', async () => {
    const found = await collect(browserImporter, [
      makeDatabase(`create table history_items (id integer primary key, url text, visit_count integer);
        create table history_visits (id integer primary key, history_item integer, visit_time real, title text);
        insert into history_items values (1, 'https://example.org/', 1);
        insert into history_visits values (2, 1, 700000000.5, 'Home');`),
    ]);
    expect(found.records.visits?.[0]).toMatchObject({
      browser: 'Safari',
      visited_at: '2023-03-08T20:26:40.500Z',
    });
  });
});

describe('other databases', () => {
  it('are not recognised', async () => {
    const file = makeDatabase('create table visits (id integer primary key, place text)');
    expect(await browserImporter.recognise([file])).toEqual([]);
  });

  it('are reported if damaged', async () => {
    const whole = makeDatabase(`create table history_items (id integer primary key, url text);
      create table history_visits (id integer primary key, history_item integer, visit_time real, title text);`);
    const bytes = Buffer.from(await whole.head());
    const found = await collect(browserImporter, [makeInputFile('History.db', bytes.subarray(0, 5_000))]);
    expect(found.problems.map(({ path }) => path)).toEqual(['History.db']);
  });
});
