import { describe, expect, it } from 'vitest';
import { readAnswer } from '../support/answers.ts';
import { createNotesWorld, note } from '../support/notes-source.ts';
import type { Line, World } from '../support/world.ts';
import { readPages } from './read-pages.ts';

const COUNT = 24;
const EARLY = '2025-01-01T00:00:00Z';
const LATE = '2026-10-01T00:00:00Z';

function makeNote(index: number, data: Record<string, unknown> = {}): ReturnType<typeof note> {
  return note(`n${String(index).padStart(2, '0')}`, {
    title: `ferry ${index}`,
    created_at: new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 2))).toISOString(),
    ...(index % 3 === 0 ? {} : { stars: index % 7 }),
    author: index % 2 === 0 ? 'ana' : 'bo',
    ...data,
  });
}

let moment = 0;
/** The same record, said anew: a later word counts. */
const again = (line: Line): Line => {
  moment += 1;
  return { ...line, emitted_at: new Date(Date.UTC(2026, 10, 2) + moment * 60_000).toISOString() };
};
const remove = (key: string): Line => again({ key, op: 'delete' });

const keysFrom = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

/** What happens to the store between the pages, and which records it may make vanish. */
const storms: [string, (world: World, page: number) => Promise<unknown>, string[]][] = [
  [
    'new records at both ends',
    (world, page) =>
      world.ingest('home', 'notes', [
        again(makeNote(100 + page, { created_at: LATE, stars: 99 })),
        again(makeNote(200 + page, { created_at: EARLY, stars: -99 })),
        again(makeNote(300 + page, { created_at: '2026-01-06T00:00:00Z' })),
      ]),
    [],
  ],
  [
    'every record moving to the newest end',
    (world, page) =>
      world.ingest(
        'home',
        'notes',
        keysFrom(0, COUNT).map((index) =>
          again(makeNote(index, { created_at: LATE, title: `ferry moved ${page}` })),
        ),
      ),
    [],
  ],
  [
    'every record moving to the oldest end',
    (world, page) =>
      world.ingest(
        'home',
        'notes',
        keysFrom(0, COUNT).map((index) =>
          again(makeNote(index, { created_at: EARLY, title: `ferry moved ${page}` })),
        ),
      ),
    [],
  ],
  [
    'half of the records changing what they are sorted and filtered by',
    (world, page) =>
      world.ingest(
        'home',
        'notes',
        keysFrom(0, COUNT)
          .filter((index) => (index + page) % 2 === 0)
          .map((index) => again(makeNote(index, { stars: 50 + page, author: 'cy' }))),
      ),
    [],
  ],
  [
    'records losing what they are sorted by',
    (world) =>
      world.ingest(
        'home',
        'notes',
        keysFrom(0, COUNT).map((index) => again(makeNote(index, { stars: undefined, author: undefined }))),
      ),
    [],
  ],
  [
    'records being deleted',
    (world, page) =>
      world.ingest('home', 'notes', page === 0 ? ['n05', 'n18', 'n00', 'n23'].map(remove) : []),
    ['n05', 'n18', 'n00', 'n23'],
  ],
  [
    'records changing and then being deleted, some coming back',
    async (world, page) => {
      if (page > 0) return;
      await world.ingest('home', 'notes', [
        again(makeNote(4, { created_at: LATE })),
        again(makeNote(19, { stars: 3 })),
      ]);
      await world.ingest('home', 'notes', ['n04', 'n19'].map(remove));
      await world.ingest('home', 'notes', [
        again(makeNote(19, { created_at: EARLY, title: 'ferry returned' })),
      ]);
    },
    ['n04', 'n19'],
  ],
];

const queries: [string, Record<string, unknown>][] = [
  ['newest first', {}],
  ['oldest first', { sort: 'created_at' }],
  ['by stars', { sort: 'stars' }],
  ['by stars, falling', { sort: '-stars' }],
  ['by author', { sort: 'author' }],
  ['filtered by author', { filter: { author: 'ana' } }],
  ['filtered by a range, by stars', { filter: { stars: { gte: 1 } }, sort: '-stars' }],
  ['filtered by time', { filter: { created_at: { gte: '2026-01-03', lt: '2026-01-10' } } }],
];

async function createStormyWorld() {
  return createNotesWorld({ notes: keysFrom(0, COUNT).map((index) => makeNote(index)) });
}

/** The rows without those that the storm may take away. */
const without = (rows: { id: string }[], keys: string[]) =>
  rows.filter((row) => !keys.some((key) => row.id.endsWith(`/${key}`)));

describe.each(storms)('while the store changes between pages: %s', (_, storm, mayVanish) => {
  it.each(queries)(
    'query_records shows everything once, as it was at the first page: %s',
    async (__, query) => {
      const world = await createStormyWorld();
      const args = { stream: 'notes', ...query };
      const before = (await readPages(world, world.token, 'query_records', args)).rows;
      const { rows, pages } = await readPages(world, world.token, 'query_records', args, {
        sizes: [1, 3],
        between: async (page) => {
          if (page < 4) await storm(world, page);
        },
      });
      expect(pages).toBeGreaterThan(1);
      expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
      expect(without(rows, mayVanish)).toEqual(without(before, mayVanish));
      world.close();
    },
  );

  it('query_records by key shows everything once where a stream has no time', async () => {
    const world = await createStormyWorld();
    const codes = keysFrom(0, 12).map((index) => ({
      key: `k${index}`,
      data: { id: `k${index}`, label: 'old' },
    }));
    await world.ingest('home', 'codes', codes);
    const before = (await readPages(world, world.token, 'query_records', { stream: 'codes' })).rows;
    const { rows } = await readPages(
      world,
      world.token,
      'query_records',
      { stream: 'codes' },
      {
        sizes: [2],
        between: async (page) => {
          await storm(world, page);
          await world.ingest(
            'home',
            'codes',
            [...codes, { key: `k0${page}`, data: { id: `k0${page}` } }].map((line) =>
              again({ ...line, data: { ...line.data, label: `new ${page}` } }),
            ),
          );
        },
      },
    );
    expect(rows).toEqual(before);
    world.close();
  });

  it('changes_since shows one moment, and its next handle everything after it', async () => {
    const world = await createStormyWorld();
    const args = { stream: 'notes' };
    const replica = new Map<string, unknown>();
    let since = 'beginning';
    for (let round = 0; round < 4; round++) {
      const { rows, last } = await readPages(
        world,
        world.token,
        'query_records',
        { ...args, changes_since: since },
        {
          sizes: [5],
          between: async (page) => {
            if (round < 2) await storm(world, page);
          },
        },
      );
      expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
      for (const row of rows) {
        if (row.removed) replica.delete(row.id);
        else replica.set(row.id, row.record);
      }
      since = last.next_changes_since;
    }
    const now = (await readPages(world, world.token, 'query_records', args)).rows;
    expect(new Map([...replica].sort())).toEqual(
      new Map(now.map((row) => [row.id, row.record] as const).sort()),
    );
    const { data } = readAnswer(
      await world.call(world.token, 'query_records', { ...args, changes_since: since }),
    );
    expect(data).toEqual([]);
    world.close();
  });

  it('search keeps hits that nobody changed, once and in order', async () => {
    const world = await createStormyWorld();
    const state = async () => {
      const { rows } = await readPages(world, world.token, 'query_records', { stream: 'notes' });
      return new Map(rows.map((row) => [row.id, JSON.stringify(row)] as const));
    };
    const before = await state();
    const hits = (await readPages(world, world.token, 'search', { query: 'ferry' }, { sizes: [50] })).rows;
    const { rows } = await readPages(
      world,
      world.token,
      'search',
      { query: 'ferry' },
      { sizes: [5], between: async (page) => void (page === 0 && (await storm(world, page))) },
    );
    const after = await state();
    const unchanged = (row: { id: string }) => before.has(row.id) && before.get(row.id) === after.get(row.id);
    expect(rows.filter(unchanged)).toEqual(hits.filter(unchanged));
    world.close();
  });
});
