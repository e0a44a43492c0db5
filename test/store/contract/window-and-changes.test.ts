import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GrantedStreamTerms } from '../../../src/grants/grant.ts';
import { home, put } from '../../support/canary-world.ts';
import { openStory, plainSetting, type StoryWorld } from '../../support/story-world.ts';

const SINCE = Date.parse('2026-01-01T00:00:00Z');
const UNTIL = Date.parse('2026-02-01T00:00:00Z');
const letters = { stream: 'letters', connection_id: 'post_home' };
const terms: GrantedStreamTerms = {
  ...letters,
  fields: ['id', 'sent_at', 'title', 'body'],
  time_field: 'sent_at',
  since: SINCE,
  until: UNTIL,
};

let world: StoryWorld;
beforeEach(async () => {
  world = await openStory(plainSetting('Europe/Berlin'));
});
afterEach(() => world.close());

const idsOf = (rows: { id: string }[]) => rows.map((row) => row.id.split('/').at(-1)).sort();

describe('a time window', () => {
  const inside = {
    'at-since': '2026-01-01T00:00:00.000Z',
    'after-since': '2026-01-01T00:00:00.001Z',
    'before-until': '2026-01-31T23:59:59.999Z',
    'since-elsewhere': '2026-01-01T02:00:00+02:00',
    'before-until-elsewhere': '2026-01-31T18:59:59-05:00',
    'by-the-owners-clock': '2026-01-01T01:00:00',
  };
  const outside = {
    'before-since': '2025-12-31T23:59:59.999Z',
    'at-until': '2026-02-01T00:00:00.000Z',
    'after-until': '2026-02-01T00:00:00.001Z',
    // As text these two lie inside.
    'looks-inside-since': '2026-01-01T01:00:00+02:00',
    'looks-inside-until': '2026-01-31T23:30:00-05:00',
    'by-the-owners-clock-too-early': '2026-01-01T00:30:00',
    'no-time': null,
    'not-a-time': 'yesterday',
    'empty-time': '',
  };
  const fields = [terms.fields, ['id', 'title', 'body']];

  it.each(fields.map((list) => [list]))(
    'G-05 holds since, not until, and nothing without a time, with %j granted',
    async (granted) => {
      await world.apply(
        Object.entries({ ...outside, ...inside }).map(([key, sent_at]) =>
          put(home, key, { sent_at, body: 'lantern' }),
        ),
      );
      const token = await world.issue([{ ...terms, fields: granted }]);
      const ask = async (tool: string, args: object) =>
        (await world.call(token, tool, args)).structuredContent;
      const expected = Object.keys(inside).sort();
      expect(idsOf((await ask('query_records', letters)).data)).toEqual(expected);
      expect(idsOf((await ask('query_records', { ...letters, changes_since: 'beginning' })).data)).toEqual(
        expected,
      );
      expect(idsOf((await ask('search', { query: 'lantern' })).results)).toEqual(expected);
      expect((await ask('aggregate', letters)).data.total).toBe(expected.length);
      expect((await ask('query_records', { ...letters, count: 'exact', limit: 1 })).count).toBe(
        expected.length,
      );
      for (const key of Object.keys(outside))
        expect((await ask('fetch', { id: `post_home/letters/${key}` })).error.code).toBe('not_found');
      for (const key of expected)
        expect((await ask('fetch', { id: `post_home/letters/${key}` })).error).toBeUndefined();
    },
  );

  it('G-05 is not opened by a filter that reaches beyond it', async () => {
    await world.apply(
      Object.entries({ ...outside, ...inside }).map(([key, sent_at]) => put(home, key, { sent_at })),
    );
    const token = await world.issue([terms]);
    for (const sent_at of [
      { gte: '1970-01-01' },
      { lt: '2100-01-01' },
      { ne: '2026-01-15' },
      { exists: false },
      null,
    ]) {
      const { data } = (await world.call(token, 'query_records', { ...letters, filter: { sent_at } }))
        .structuredContent;
      expect(Object.keys(inside)).toEqual(expect.arrayContaining(idsOf(data)));
    }
  });
});

describe('changes_since', () => {
  const begin = async (token: string) => {
    const args = { ...letters, changes_since: 'now' };
    return (await world.call(token, 'query_records', args)).structuredContent.next_changes_since as string;
  };
  const since = async (token: string, changes_since: string, more: object = {}) =>
    (await world.call(token, 'query_records', { ...letters, changes_since, ...more })).structuredContent;
  const JANUARY = '2026-01-15T12:00:00Z';

  it('G-10 tells nothing of a change in hidden fields only', async () => {
    await world.apply([put(home, 'a', { sent_at: JANUARY, title: 'one', folder: 'x' })]);
    const token = await world.issue([terms]);
    const handle = await begin(token);
    await world.apply([put(home, 'a', { sent_at: JANUARY, title: 'one', folder: 'y', undeclared: 1 })]);
    expect((await since(token, handle)).data).toEqual([]);
    await world.apply([put(home, 'a', { sent_at: JANUARY, title: 'two', folder: 'y' })]);
    expect(idsOf((await since(token, handle)).data)).toEqual(['a']);
  });

  it('G-10 tells nothing of the end of a record that was never seen', async () => {
    await world.apply([
      put(home, 'a', { sent_at: '2025-01-01T00:00:00Z' }),
      put(home, 'b', { sent_at: JANUARY }),
    ]);
    const token = await world.issue([terms]);
    const handle = await begin(token);
    await world.apply([
      { place: home, key: 'a', data: undefined },
      { place: home, key: 'b', data: undefined },
    ]);
    expect((await since(token, handle)).data).toEqual([{ id: 'post_home/letters/b', removed: true }]);
  });

  it('G-10 tells of a record that left the window that it is gone, without what it became', async () => {
    await world.apply([put(home, 'a', { sent_at: JANUARY, title: 'one' })]);
    const token = await world.issue([terms]);
    const handle = await begin(token);
    await world.apply([put(home, 'a', { sent_at: '2027-01-01T00:00:00Z', title: 'canary' })]);
    const answer = await since(token, handle);
    expect(answer.data).toEqual([{ id: 'post_home/letters/a', removed: true }]);
    expect(JSON.stringify(answer)).not.toContain('canary');
  });

  it('G-10 keeps to one horizon: what is written between two pages comes in the next session', async () => {
    const token = await world.issue([terms]);
    const handle = await begin(token);
    await world.apply(['a', 'b', 'c'].map((key) => put(home, key, { sent_at: JANUARY, title: 'one' })));
    const first = await since(token, handle, { limit: 2 });
    expect(idsOf(first.data)).toEqual(['a', 'b']);
    await world.apply([
      put(home, 'c', { sent_at: JANUARY, title: 'two' }),
      put(home, 'd', { sent_at: JANUARY }),
    ]);
    const second = await since(token, handle, { limit: 2, cursor: first.next_cursor });
    expect(second.data).toEqual([
      { id: 'post_home/letters/c', record: { id: 'c', sent_at: '2026-01-15T13:00:00+01:00', title: 'one' } },
    ]);
    const next = await since(token, second.next_changes_since);
    expect(next.data).toEqual([
      { id: 'post_home/letters/c', record: { id: 'c', sent_at: '2026-01-15T13:00:00+01:00', title: 'two' } },
      { id: 'post_home/letters/d', record: { id: 'd', sent_at: '2026-01-15T13:00:00+01:00' } },
    ]);
  });
});
