import { afterAll, describe, expect, it } from 'vitest';
import { readAnswer, readRefusal } from '../support/answers.ts';
import { useWorld } from '../support/use-world.ts';
import type { ToolResult } from '../support/world.ts';
import { createWorldOfFiftyAccounts } from '../support/worlds/broad-worlds.ts';
import { createSharedNamesWorld } from './shared-names-world.ts';

const world = await useWorld(createSharedNamesWorld());
const call = (tool: string, args: object) => world.call(world.token, tool, args);
const textOf = (result: ToolResult) => JSON.parse(result.content[0]?.text as string);

describe('acceptance: query_records', () => {
  const notes = { stream: 'notes', connection_id: 'home' };

  it('shows the next cursor and the exact count in the text', async () => {
    const result = await call('query_records', { ...notes, limit: 1, count: 'exact' });
    const { next_cursor } = readAnswer(result);
    expect(textOf(result)).toMatchObject({ next_cursor, count: 4, has_more: true });
    const next = await call('query_records', { ...notes, limit: 3, cursor: next_cursor });
    expect(readAnswer(next).data).toHaveLength(3);
    expect(textOf(next)).not.toHaveProperty('next_cursor');
  });

  it('shows the handle of the next changes in the text', async () => {
    const result = await call('query_records', { ...notes, changes_since: 'beginning' });
    const { next_changes_since } = readAnswer(result);
    expect(textOf(result).next_changes_since).toBe(next_changes_since);
    const none = readAnswer(await call('query_records', { ...notes, changes_since: next_changes_since }));
    expect(none).toMatchObject({ data: [], has_more: false });
  });

  it('returns only the named fields and the cursors', async () => {
    const { data } = readAnswer(
      await call('query_records', { ...notes, fields: ['title'], sort: 'created_at' }),
    );
    expect(data[0]).toEqual({ id: 'home/notes/n1', record: { title: 'Lisbon trip' } });
    expect(
      data.every((row: { record: object }) => Object.keys(row.record).every((name) => name === 'title')),
    ).toBe(true);
  });

  it('lists the connections in a bounded, typed error if many have the stream', async () => {
    for (const [tool, args] of [
      ['query_records', { stream: 'messages' }],
      ['aggregate', { stream: 'messages' }],
      ['schema', { stream: 'messages', detail: 'full' }],
      ['fetch', { id: 'messages/1' }],
    ] as const) {
      const broad = await broadWorld();
      const refusal = readRefusal(await broad.call(broad.token, tool, args));
      expect(refusal).toMatchObject({ code: 'ambiguous_connection', total: 50, truncated: true });
      expect(refusal.available_connections).toHaveLength(10);
      expect(refusal.available_connections[0]).toEqual({
        connection_id: 'account_01',
        connector_key: 'suite',
        display_name: 'Account number 1 of the suite',
      });
    }
    const small = readRefusal(await call('query_records', { stream: 'notes' }));
    expect(small).toMatchObject({ total: 3, truncated: false });
    expect(small.hint).toContain('connector_key');
  });
});

let broad: Promise<Awaited<ReturnType<typeof createWorldOfFiftyAccounts>>> | undefined;
const broadWorld = () => {
  broad ??= createWorldOfFiftyAccounts();
  return broad;
};
afterAll(async () => (await broad)?.close());

describe('acceptance: search', () => {
  it('shows the handle of the next page in the text', async () => {
    const result = await call('search', { query: 'ferry', limit: 2 });
    const { next_cursor } = readAnswer(result);
    expect(next_cursor).toMatch(/\S/);
    expect(textOf(result).next_cursor).toBe(next_cursor);
    expect(
      readAnswer(await call('search', { query: 'ferry', limit: 2, cursor: next_cursor })).results,
    ).toHaveLength(2);
  });

  it('applies its limit to all connections together, and names the source of each hit', async () => {
    for (const limit of [1, 2, 3, 5]) {
      const { results, source_mix } = readAnswer(await call('search', { query: 'ferry', limit }));
      expect(results).toHaveLength(limit);
      const from = results.map((hit: { connection_id: string }) => hit.connection_id);
      for (const hit of results) expect(hit.id.startsWith(`${hit.connection_id}/${hit.stream}/`)).toBe(true);
      if (new Set(from).size === 1) expect(source_mix).toBeUndefined();
      else {
        const mix = source_mix.map((one: { connection_id: string; hits: number }) => [
          one.connection_id,
          one.hits,
        ]);
        const counted = [...new Set(from)].map((id) => [id, from.filter((one: string) => one === id).length]);
        expect(mix.sort()).toEqual(counted.sort());
      }
    }
  });

  it('marks matches in balanced tags, in titles too', async () => {
    const { results } = readAnswer(await call('search', { query: 'ferry' }));
    expect(results).toHaveLength(5);
    for (const hit of results) {
      const shown = `${hit.title} ${hit.text ?? ''}`;
      expect(shown).toContain('<mark>');
      for (const text of [hit.title, hit.text ?? ''])
        expect(text.split('<mark>')).toHaveLength(text.split('</mark>').length);
    }
  });

  it('titles a record without a title by the beginning of its text', async () => {
    const { results } = readAnswer(await call('search', { query: 'ferry' }));
    const titles = Object.fromEntries(
      results.map((hit: { id: string; title: string }) => [hit.id, hit.title.replaceAll(/<\/?mark>/g, '')]),
    );
    expect(titles['team/notes/m1']).toBe('who takes the ferry?');
    expect(titles['work/notes/w2']).toBe('Call the ferry office');
  });
});

describe('acceptance: fetch', () => {
  it('returns a document and nothing else, the same in the text', async () => {
    const result = await call('fetch', { id: 'home/notes/n1' });
    const document = readAnswer(result);
    expect(Object.keys(document)).toEqual(['id', 'title', 'text', 'url', 'metadata']);
    expect(textOf(result)).toEqual(document);
    expect(document).not.toHaveProperty('data');
  });

  it('projects the record before the text is built', async () => {
    const { text } = readAnswer(await call('fetch', { id: 'home/notes/n1', fields: ['author', 'stars'] }));
    expect(text).toBe('author: ana\nstars: 5');
  });
});
