import { describe, expect, it } from 'vitest';
import { createNotesWorld, note } from '../support/notes-source.ts';
import { useWorld } from '../support/use-world.ts';
import { readPages } from './read-pages.ts';

const COUNT = 60;
const AUTHORS = ['ana', 'bo', 'Cy', 'dé', '渡', '🛶'];

interface Note {
  id: string;
  created_at: string;
  [field: string]: unknown;
}

/** Notes with many ties, many gaps, and times that agree by the minute. */
const notes: Note[] = Array.from({ length: COUNT }, (_, index) => ({
  id: `n${(index * 37) % 100}`,
  title: `ferry ${index}`,
  created_at: new Date(Date.UTC(2026, 0, 1 + (index % 11), 12)).toISOString(),
  ...(index % 4 === 0 ? {} : { stars: (index * 7) % 5 }),
  ...(index % 3 === 0 ? {} : { price: ((index * 13) % 8) / 2 - 1 }),
  ...(index % 5 === 0 ? {} : { author: AUTHORS[index % AUTHORS.length] }),
  ...(index % 7 === 0 ? {} : { pinned: index % 2 === 0 }),
  ...(index % 6 === 0 ? {} : { due: `2026-02-0${1 + (index % 9)}` }),
  ...(index % 9 === 0 ? {} : { edited_at: new Date(Date.UTC(2026, 1, 1, index % 13)).toISOString() }),
}));

const world = await useWorld(
  createNotesWorld({
    connections: ['home', 'work'],
    notes: notes.map((data) => note(data.id, data)),
  }),
);
await world.ingest(
  'work',
  'notes',
  notes.slice(0, 40).map((data) => note(data.id, { ...data, title: `office ${data.title}` })),
);
await world.ingest(
  'home',
  'codes',
  ['b', 'a', 'B', 'é', '🛶', 'aa', '渡', ' ', 'a/b', 'z'.repeat(500)].map((id) => ({
    key: id,
    data: { id, label: 'x' },
  })),
);

const read = (args: Record<string, unknown>, sizes?: number[]) =>
  readPages(world, world.token, 'query_records', args, sizes === undefined ? {} : { sizes });

const bytes = (text: string) => Buffer.from(text);

/** The order that is promised: missing values lowest, then by value, ties by key, all in one direction. */
function inOrder(field: string, direction: 1 | -1): string[] {
  const rank = (value: unknown) =>
    typeof value === 'string' && field !== 'author' && field !== 'id' && field !== 'title'
      ? Date.parse(value)
      : value;
  const compare = (a: unknown, b: unknown): number => {
    if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
    if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(bytes(a), bytes(b));
    return Number(a) - Number(b);
  };
  return [...notes]
    .sort(
      (a, b) =>
        direction * (compare(rank(a[field]), rank(b[field])) || Buffer.compare(bytes(a.id), bytes(b.id))),
    )
    .map((one) => `home/notes/${one.id}`);
}

const idsOf = (rows: { id: string }[]) => rows.map((row) => row.id);
const fields = ['stars', 'price', 'author', 'pinned', 'due', 'edited_at', 'created_at', 'title', 'id'];
const home = { stream: 'notes', connection_id: 'home', fields: ['id'] };
const SIZES = [[1], [7], [100], [2, 30]];

describe('pages of query_records', () => {
  it('come newest first unless asked otherwise, without a gap and without a repeat', async () => {
    const expected = inOrder('created_at', -1);
    for (const sizes of SIZES) expect(idsOf((await read(home, sizes)).rows)).toEqual(expected);
  });

  it.each(fields)('follow one another in order of %s, both ways', async (field) => {
    for (const [sort, direction] of [
      [field, 1],
      [`-${field}`, -1],
    ] as const) {
      const expected = inOrder(field, direction);
      for (const sizes of SIZES)
        expect(idsOf((await read({ ...home, sort }, sizes)).rows), `${sort} ${sizes}`).toEqual(expected);
    }
  });

  it.each([
    ['a value', { author: 'ana' }, (one: Note) => one.author === 'ana'],
    [
      'a list',
      { author: ['ana', '🛶'], stars: [0, 1, 2] },
      (one: Note) => ['ana', '🛶'].includes(String(one.author)) && [0, 1, 2].includes(one.stars as number),
    ],
    [
      'a range',
      { stars: { gte: 2, lt: 4 } },
      (one: Note) => (one.stars as number) >= 2 && (one.stars as number) < 4,
    ],
    ['absence', { stars: { exists: false } }, (one: Note) => one.stars === undefined],
  ])('agree with the whole under a filter on %s', async (_, filter, matches) => {
    const wanted = new Set(notes.filter(matches).map((one) => `home/notes/${one.id}`));
    expect(wanted.size).toBeGreaterThan(3);
    for (const [sort, expected] of [
      ['-price', inOrder('price', -1)],
      [undefined, inOrder('created_at', -1)],
    ] as const) {
      for (const sizes of SIZES) {
        const { rows } = await read({ ...home, filter, ...(sort === undefined ? {} : { sort }) }, sizes);
        expect(idsOf(rows)).toEqual(expected.filter((id) => wanted.has(id)));
      }
    }
  });

  it('go by key where a stream has no time', async () => {
    const whole = (await read({ stream: 'codes', connection_id: 'home' })).rows;
    const keys = whole.map((row) => row.record.id);
    expect(keys).toEqual([...keys].sort((a, b) => Buffer.compare(bytes(a), bytes(b))));
    expect(keys).toHaveLength(10);
    for (const sizes of SIZES)
      expect((await read({ stream: 'codes', connection_id: 'home' }, sizes)).rows).toEqual(whole);
  });

  it.each([undefined, 'created_at', 'stars', '-stars', 'author', '-edited_at', '-pinned'])(
    'weave two accounts into one order: %s',
    async (sort) => {
      const args = {
        stream: 'notes',
        connection_id: '*',
        fields: ['id'],
        ...(sort === undefined ? {} : { sort }),
      };
      const whole = idsOf((await read(args, [50])).rows);
      expect(whole).toHaveLength(100);
      expect(new Set(whole).size).toBe(100);
      for (const sizes of [[3], [17], [2, 60]]) expect(idsOf((await read(args, sizes)).rows)).toEqual(whole);
      for (const account of ['home', 'work']) {
        const own = idsOf((await read({ ...args, connection_id: account })).rows);
        expect(whole.filter((id) => id.startsWith(account))).toEqual(own);
      }
    },
  );

  it('end by saying so, also when the last page is exactly full', async () => {
    for (const sizes of [[60], [30], [20]]) {
      const { pages, last } = await read(home, sizes);
      expect(pages).toBe(60 / (sizes[0] as number));
      expect(last).toMatchObject({ has_more: false });
      expect(last).not.toHaveProperty('next_cursor');
    }
  });
});

describe('pages of changes', () => {
  it('are every record once, at every page size', async () => {
    const args = { ...home, changes_since: 'beginning' };
    const whole = idsOf((await read(args)).rows);
    expect([...whole].sort()).toEqual(inOrder('id', 1).sort());
    for (const sizes of SIZES) expect(idsOf((await read(args, sizes)).rows)).toEqual(whole);
  });

  it('go from one account to the next', async () => {
    const args = { ...home, connection_id: '*', changes_since: 'beginning' };
    for (const sizes of [[1], [7], [40], [60], [100]]) {
      const ids = idsOf((await read(args, sizes)).rows);
      expect(ids).toHaveLength(100);
      expect(new Set(ids).size).toBe(100);
    }
  });
});

describe('pages of search', () => {
  it.each([
    ['ferry', 100],
    ['office', 40],
    ['ferry 7', 2],
    ['office ferry', 40],
  ])('are the hits of %j in one order, at every page size', async (query, least) => {
    const whole = idsOf((await readPages(world, world.token, 'search', { query }, { sizes: [50] })).rows);
    expect(whole.length).toBeGreaterThanOrEqual(least);
    expect(new Set(whole).size).toBe(whole.length);
    for (const sizes of [[1], [3], [10], [2, 40]]) {
      const { rows } = await readPages(world, world.token, 'search', { query }, { sizes });
      expect(idsOf(rows)).toEqual(whole);
    }
  });
});
