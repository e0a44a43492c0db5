import { beforeEach, describe, expect, it } from 'vitest';
import { readAnswer, readRefusal } from '../support/answers.ts';
import { createNotesWorld, note } from '../support/notes-source.ts';
import { useWorld } from '../support/use-world.ts';
import { NOW } from '../support/world.ts';

const SECRET_WORD = 'chrysanthemum';
const query = { stream: 'notes', connection_id: 'home', limit: 2 };
const words = { query: 'ferry', limit: 2 };

const world = await useWorld(
  createNotesWorld({
    connections: ['home', 'work'],
    notes: Array.from({ length: 12 }, (_, index) =>
      note(`${SECRET_WORD}-${index}`, {
        title: `ferry ${SECRET_WORD}`,
        author: `${SECRET_WORD} ${index}`,
        stars: index,
      }),
    ),
  }),
);
await world.ingest(
  'work',
  'notes',
  Array.from({ length: 5 }, (_, index) => note(`w${index}`, { title: 'ferry' })),
);
const other = (await world.grant([{ connection_id: 'home' }, { connection_id: 'work' }])).token;
beforeEach(() => world.setNow(NOW));

const ask = (tool: string, args: object, token = world.token) => world.call(token, tool, args);
const cursorOf = async (tool: string, args: object) =>
  readAnswer(await ask(tool, args)).next_cursor as string;

const kinds: [string, string, Record<string, unknown>][] = [
  ['a page', 'query_records', query],
  ['a sorted page', 'query_records', { ...query, sort: '-author' }],
  ['a page over two accounts', 'query_records', { ...query, connection_id: '*' }],
  ['a page of changes', 'query_records', { ...query, changes_since: 'beginning' }],
  ['a page of hits', 'search', words],
];

describe.each(kinds)('the handle of %s', (_, tool, args) => {
  it('works again and again, and with another limit', async () => {
    const cursor = await cursorOf(tool, args);
    const next = async (limit: number) => {
      const answer = readAnswer(await ask(tool, { ...args, limit, cursor }));
      return (answer.data ?? answer.results).map((row: { id: string }) => row.id);
    };
    const two = await next(2);
    expect(await next(2)).toEqual(two);
    expect((await next(6)).slice(0, 2)).toEqual(two);
  });

  it('is nothing to another grant, even one with the same terms', async () => {
    const cursor = await cursorOf(tool, args);
    expect(readRefusal(await ask(tool, { ...args, cursor }, other)).code).toBe('invalid_cursor');
  });

  it('breaks when a single bit of it changes', async () => {
    const cursor = await cursorOf(tool, args);
    for (const place of [0, 5, 20, Math.floor(cursor.length / 2), cursor.length - 5]) {
      if (cursor[place] === '.') continue;
      const flipped = `${cursor.slice(0, place)}${cursor[place] === 'A' ? 'B' : 'A'}${cursor.slice(place + 1)}`;
      expect(readRefusal(await ask(tool, { ...args, cursor: flipped })).code, String(place)).toBe(
        'invalid_cursor',
      );
    }
    for (const broken of [
      cursor.slice(0, -1),
      cursor.slice(1),
      `${cursor}A`,
      cursor.split('.').reverse().join('.'),
      `${cursor}.${cursor}`,
    ])
      expect(readRefusal(await ask(tool, { ...args, cursor: broken })).code).toBe('invalid_cursor');
  });

  it('expires', async () => {
    const cursor = await cursorOf(tool, args);
    world.setNow(new Date(NOW.getTime() + 23 * 3_600_000));
    readAnswer(await ask(tool, { ...args, cursor }));
    world.setNow(new Date(NOW.getTime() + 25 * 3_600_000));
    expect(readRefusal(await ask(tool, { ...args, cursor })).code).toBe('invalid_cursor');
  });

  it('shows nothing of a record to someone who decodes it', async () => {
    const cursor = await cursorOf(tool, args);
    const decoded = cursor
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
      .join(' ');
    for (const seen of [cursor, decoded]) {
      expect(seen).not.toContain(SECRET_WORD.slice(0, 5));
      expect(seen).not.toContain('ferry');
      expect(seen).not.toContain('notes');
    }
  });
});

describe('a handle', () => {
  it.each([
    ['another stream', 'query_records', { ...query, stream: 'codes' }],
    ['another account', 'query_records', { ...query, connection_id: 'work' }],
    ['another order', 'query_records', { ...query, sort: 'stars' }],
    ['another filter', 'query_records', { ...query, filter: { stars: 3 } }],
    ['other fields', 'query_records', { ...query, fields: ['id'] }],
    ['other relations', 'query_records', { ...query, expand: ['comments'] }],
    ['changes', 'query_records', { ...query, changes_since: 'beginning' }],
    ['another tool', 'search', { query: 'ferry' }],
  ])('of a page is nothing to %s', async (_, tool, args) => {
    const cursor = await cursorOf('query_records', query);
    expect(readRefusal(await ask(tool, { ...args, cursor })).code).toBe('invalid_cursor');
  });

  it.each([
    ['other words', { ...words, query: 'office' }],
    ['another account', { ...words, connection_id: 'home' }],
    ['other streams', { ...words, streams: ['notes'] }],
    ['another time', { ...words, since: '2020-01-01' }],
    ['another filter', { ...words, filter: { stars: { gte: 0 } } }],
  ])('of a search is nothing to %s', async (_, args) => {
    const cursor = await cursorOf('search', words);
    expect(readRefusal(await ask('search', { ...args, cursor })).code).toBe('invalid_cursor');
  });

  it('of a page is no token of changes, nor the other way around', async () => {
    const page = await cursorOf('query_records', query);
    expect(readRefusal(await ask('query_records', { ...query, changes_since: page })).code).toBe(
      'invalid_cursor',
    );
    const all = { ...query, limit: 100, fields: ['id'], changes_since: 'beginning' };
    const { next_changes_since } = readAnswer(await ask('query_records', all));
    expect(readRefusal(await ask('query_records', { ...query, cursor: next_changes_since })).code).toBe(
      'invalid_cursor',
    );
    const ofChanges = await cursorOf('query_records', { ...query, changes_since: 'beginning' });
    expect(readRefusal(await ask('query_records', { ...query, cursor: ofChanges })).code).toBe(
      'invalid_cursor',
    );
    expect(readRefusal(await ask('query_records', { ...query, changes_since: ofChanges })).code).toBe(
      'invalid_cursor',
    );
  });

  it('of changes lives longer, is bound to its stream and account, and does expire', async () => {
    const all = { ...query, limit: 100, fields: ['id'], changes_since: 'beginning' };
    const { next_changes_since } = readAnswer(await ask('query_records', all));
    const later = { ...query, changes_since: next_changes_since };
    expect(readRefusal(await ask('query_records', { ...later, connection_id: 'work' })).code).toBe(
      'invalid_cursor',
    );
    expect(readRefusal(await ask('query_records', { ...later, stream: 'codes' })).code).toBe(
      'invalid_cursor',
    );
    expect(readRefusal(await ask('query_records', later, other)).code).toBe('invalid_cursor');
    world.setNow(new Date(NOW.getTime() + 80 * 86_400_000));
    expect(readAnswer(await ask('query_records', later)).data).toEqual([]);
    world.setNow(new Date(NOW.getTime() + 100 * 86_400_000));
    expect(readRefusal(await ask('query_records', later)).code).toBe('invalid_cursor');
  });

  it('is as long as it is, whatever is stored beside it', async () => {
    const before = await cursorOf('query_records', query);
    await world.ingest(
      'work',
      'codes',
      Array.from({ length: 1_200 }, (_, index) => ({ key: `k${index}`, data: { id: `k${index}` } })),
    );
    expect((await cursorOf('query_records', query)).length).toBe(before.length);
  });
});
