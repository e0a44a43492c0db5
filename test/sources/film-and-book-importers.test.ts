import { describe, expect, it } from 'vitest';
import type { Importer } from '../../src/import/importer.ts';
import { goodreadsImporter } from '../../src/sources/goodreads/goodreads-importer.ts';
import { letterboxdImporter } from '../../src/sources/letterboxd/letterboxd-importer.ts';
import { netflixImporter } from '../../src/sources/netflix/netflix-importer.ts';
import { splitTitle } from '../../src/sources/netflix/netflix-tables.ts';
import { collect, makeInputFile, readInputFolder } from '../support/input-file.ts';

const read = (importer: Importer, name: string) =>
  collect(importer, readInputFolder(`test/sources/fixtures/${importer.format}/${name}`));
const count = (records: Record<string, unknown[]>) =>
  Object.fromEntries(Object.entries(records).map(([stream, all]) => [stream, all.length]));

describe('Netflix', () => {
  it('reads the short list with the date order of the whole file', async () => {
    const { recognised, records, problems, notes } = await read(netflixImporter, 'list');
    expect(recognised[0]?.certainty).toBe('likely');
    expect(records.viewing).toEqual([
      {
        title: 'Dark: Staffel 1: Geheimnisse',
        series: 'Dark',
        season: 'Staffel 1',
        episode: 'Geheimnisse',
        watched_on: '2023-12-25',
      },
      {
        title: 'The Crown: Season 2: Misadventure',
        series: 'The Crown',
        season: 'Season 2',
        episode: 'Misadventure',
        watched_on: '2023-12-24',
      },
      { title: 'Roma', watched_on: '2023-02-01' },
    ]);
    expect(notes).toEqual(['dates are read day-first; month-first would be impossible']);
    expect(problems.map(({ place }) => place)).toEqual(['line 5']);
  });

  it('reads the full export in UTC, with dates in the owner’s zone', async () => {
    const { recognised, records, problems } = await read(netflixImporter, 'whole');
    expect(recognised.map(({ certainty }) => certainty)).toEqual(['certain']);
    expect(count(records)).toEqual({ viewing: 2, ratings: 1, my_list: 1, searches: 1 });
    expect(records.viewing?.[0]).toMatchInlineSnapshot(`
      {
        "bookmark_s": 2530,
        "country": "DE (Germany)",
        "device": "Sony PS4",
        "duration_s": 2530,
        "episode": "Misadventure",
        "is_latest": true,
        "profile": "Anna",
        "season": "Season 2",
        "series": "The Crown",
        "started_at": "2024-01-15T23:14:03Z",
        "title": "The Crown: Season 2: Misadventure",
        "watched_on": "2024-01-16",
      }
    `);
    expect(records.viewing?.[1]).toMatchObject({ kind: 'hook', is_latest: false });
    expect(problems.map(({ path, place }) => [path, place])).toEqual([['ViewingActivity.csv', 'line 4']]);
  });

  it('distinguishes films with a colon from episodes', () => {
    expect(splitTitle('Star Wars: A New Hope')).toEqual({ title: 'Star Wars: A New Hope' });
    expect(splitTitle('Money Heist: Part 3: We Are Back')).toMatchObject({
      series: 'Money Heist',
      season: 'Part 3',
    });
  });
});

describe('Goodreads', () => {
  it('reads books with reviews, and keeps unknown columns', async () => {
    const { records, problems } = await read(goodreadsImporter, 'library');
    expect(records.books).toHaveLength(2);
    expect(records.books?.[0]).toMatchInlineSnapshot(`
      {
        "added_on": "2023-12-24",
        "author": "Jane Austen",
        "average_rating": 4.03,
        "binding": "Paperback",
        "first_published": 1815,
        "has_spoiler": true,
        "id": "77",
        "isbn": "0141439580",
        "isbn13": "9780141439587",
        "other_authors": [
          "Fiona Stafford",
          "Ed Itor",
        ],
        "other_columns": {
          "Recommended By": "Ben",
        },
        "owned_copies": 1,
        "pages": 512,
        "private_notes": "lent to Ben",
        "published": 2003,
        "publisher": "Penguin",
        "rating": 5,
        "read_count": 2,
        "read_on": "2024-02-03",
        "review": "Warm & sharp.
      Read it twice.",
        "shelf": "read",
        "shelves": [
          "classics",
          "favorites",
        ],
        "title": "Emma, a Novel",
      }
    `);
    expect(records.books?.[1]).toEqual({
      id: '78',
      title: 'Ohne Wertung',
      author: 'Ü. Autor',
      shelf: 'to-read',
      shelves: ['to-read'],
      added_on: '2024-01-01',
      read_count: 0,
      owned_copies: 0,
    });
    expect(problems).toEqual([
      { path: 'goodreads_library_export.csv', place: 'line 4', reason: 'has no title' },
    ]);
  });
});

describe('Letterboxd', () => {
  it('reads every table of the export', async () => {
    const { records, problems, self } = await read(letterboxdImporter, 'export');
    expect(count(records)).toEqual({
      diary: 3,
      likes: 1,
      list_films: 2,
      ratings: 1,
      reviews: 1,
      watched: 1,
      watchlist: 1,
    });
    expect(self).toEqual(['anna_films']);
    expect(records.diary?.[0]).toMatchInlineSnapshot(`
      {
        "added_on": "2024-02-02",
        "id": "https://boxd.it/d1",
        "rating": 4.5,
        "tags": [
          "cinema",
          "with ben",
        ],
        "title": "Whiplash",
        "url": "https://boxd.it/d1",
        "watched_on": "2024-02-01",
        "year": 2014,
      }
    `);
    expect(records.reviews?.[0]).toMatchObject({ review: 'Not my tempo.\nBut loud.' });
    expect(records.list_films?.[1]).toMatchObject({ list: 'Summer, later', position: 2, note: 'quiet' });
    expect(problems.map(({ place, reason }) => [place, reason])).toEqual([
      ['line 4', 'has an invalid rating; the film was imported without it'],
    ]);
  });

  it('separates two days with the same URL', async () => {
    const { records } = await read(letterboxdImporter, 'export');
    expect(records.diary?.map(({ id }) => id)).toEqual([
      'https://boxd.it/d1',
      'https://boxd.it/d2',
      undefined,
    ]);
  });

  it('reports when only the file name could identify a list', async () => {
    const file = makeInputFile(
      'renamed.csv',
      'Date,Name,Year,Letterboxd URI\n2024-01-01,A,2000,https://boxd.it/a\n',
    );
    const { records, notes } = await collect(letterboxdImporter, [file]);
    expect(count(records)).toEqual({ watched: 1 });
    expect(notes).toEqual(['films without a date or rating were imported as watched']);
  });
});
