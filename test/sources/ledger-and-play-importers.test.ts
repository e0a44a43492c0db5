import { describe, expect, it } from 'vitest';
import type { Importer } from '../../src/import/importer.ts';
import { amazonImporter } from '../../src/sources/amazon/amazon-importer.ts';
import { lastfmImporter } from '../../src/sources/scrobbles/lastfm-importer.ts';
import { listenbrainzImporter } from '../../src/sources/scrobbles/listenbrainz-importer.ts';
import { traktImporter } from '../../src/sources/trakt/trakt-importer.ts';
import { ynabImporter } from '../../src/sources/ynab/ynab-importer.ts';
import { collect, readInputFolder } from '../support/input-file.ts';

const read = (importer: Importer, name: string) =>
  collect(importer, readInputFolder(`test/sources/fixtures/${importer.format}/${name}`));

describe('Last.fm', () => {
  it('reads pages of plays without the current track', async () => {
    const { records, problems } = await read(lastfmImporter, 'pages');
    expect(problems).toEqual([]);
    expect(records.plays).toEqual([
      {
        title: 'Because I sing',
        artist: 'Ana & Bo',
        album: 'Tides',
        played_at: '2025-06-13T00:55:00Z',
        url: 'https://www.last.fm/music/x',
        track_mbid: 't1',
        artist_mbid: 'a1',
      },
      { title: 'Loneliest Time', artist: 'Cleo', played_at: '2025-05-09T07:35:00Z' },
    ]);
  });

  it.each(['stats', 'table', 'semicolons'])('reads the file of other programs: %s', async (name) => {
    const { records, problems } = await read(lastfmImporter, name);
    expect(problems).toEqual([]);
    expect(records.plays).toHaveLength(2);
    expect(records.plays?.[0]).toMatchObject({
      title: 'Blue',
      artist: 'Cleo',
      album: 'Hours',
      played_at: '2023-11-14T22:13:20Z',
    });
  });
});

describe('ListenBrainz', () => {
  it.each(['list', 'zip'])('reads listens with their times: %s', async (name) => {
    const { records, problems } = await read(listenbrainzImporter, name);
    expect(problems).toEqual([]);
    expect(records.plays).toHaveLength(2);
    expect(records.plays?.[0]).toMatchObject({
      title: 'Blue',
      player: 'Strawberry',
      duration_ms: 180_000,
      track_mbid: 'r1',
      artist_mbid: 'a1',
      played_at: '2023-11-14T22:13:20Z',
    });
  });

  it('reads loved and hated tracks', async () => {
    const { records } = await read(listenbrainzImporter, 'zip');
    expect(records.ratings?.map(({ rating, title }) => [rating, title])).toEqual([
      ['loved', 'Blue'],
      ['hated', undefined],
    ]);
  });
});

describe('Trakt', () => {
  it('reads viewing, ratings and lists', async () => {
    const { records, problems } = await read(traktImporter, 'export');
    expect(problems).toEqual([]);
    expect(records.viewing?.[1]).toEqual({
      id: '9002',
      kind: 'episode',
      title: 'Lies',
      year: 2017,
      series: 'Dark',
      season: 1,
      episode: 2,
      imdb_id: 'tt1',
      trakt_id: '33',
      action: 'scrobble',
      watched_at: '2024-06-06T19:20:21Z',
    });
    expect(records.ratings).toMatchObject([{ title: 'Roma', rating: 9 }]);
    expect(records.listed).toMatchObject([{ series: 'Dark', list: 'watchlist', note: 'with Bo' }]);
  });
});

describe('Amazon', () => {
  it('reads each item of each order, with its own currency', async () => {
    const { records } = await read(amazonImporter, 'today');
    expect(records.order_items?.[0]).toMatchObject({
      order_id: '302-1',
      title: 'Teapot, 1 l',
      quantity: 2,
      unit_price: 19.99,
      total: 39.98,
      currency: 'EUR',
      ordered_at: '2024-02-03T10:11:12Z',
      shipped_at: '2024-02-04T08:00:00Z',
    });
    expect(records.order_items?.[1]).not.toHaveProperty('shipped_at');
  });

  it.each([
    ['report', { title: 'Desk lamp', total: 26.5, seller: 'Lights Inc', asin: 'B00LAMP' }],
    ['flat', { title: 'Coffee maker', total: 39.95, brand: 'Press', status: 'Delivered' }],
  ])('reads the layout %s', async (name, first) => {
    const { records, problems } = await read(amazonImporter, name);
    expect(problems).toEqual([]);
    expect(records.order_items?.[0]).toMatchObject(first);
  });
});

describe('YNAB', () => {
  it('reads a budget as JSON, with the parts of split transactions', async () => {
    const { records, problems, notes } = await read(ynabImporter, 'json');
    expect(problems).toEqual([]);
    expect(records.accounts).toMatchObject([{ name: 'Giro', balance: 700, currency: 'EUR' }]);
    expect(
      records.transactions?.map(({ id, amount, payee, category, date, split_of }) => [
        id,
        amount,
        payee,
        category,
        date,
        split_of,
      ]),
    ).toEqual([
      ['t1', -12.34, 'Bakery', 'Bread', '2023-08-04', undefined],
      ['s1', -60, 'Bakery', 'Bread', '2023-08-05', 't2'],
      ['s2', -40, 'Bakery', 'Gifts', '2023-08-05', 't2'],
    ]);
    expect(records.budgets).toMatchObject([{ month: '2023-08-01', budgeted: 50, available: 37.66 }]);
    expect(records.scheduled_transactions).toMatchObject([
      { id: 'x1', next_on: '2023-10-01', frequency: 'monthly', amount: -900, category: 'Gifts' },
    ]);
    expect(notes).toEqual(['1 parts of planned transactions skipped']);
  });

  it('reads register and plan as CSV in the local number format', async () => {
    const { records, problems } = await read(ynabImporter, 'csv');
    expect(problems).toEqual([]);
    expect(records.transactions).toMatchObject([
      { account: 'Giro', date: '2023-08-04', amount: -12.34, currency: 'EUR', category: 'Bread' },
      { date: '2023-08-13', amount: 1500, cleared: 'reconciled' },
    ]);
    expect(records.budgets).toMatchObject([{ month: '2023-08-01', activity: -12.34 }]);
  });

  it('reads a register with day-first dates and unquoted amounts', async () => {
    const { records, problems } = await read(ynabImporter, 'register');
    expect(problems).toEqual([]);
    expect(records.transactions).toMatchObject([
      { account: 'Checking', date: '2024-04-15', amount: -1234.5, currency: 'EUR', payee: 'Shop' },
      { date: '2024-04-02', amount: 20, payee: 'Ben' },
    ]);
  });
});
