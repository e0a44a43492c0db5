import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAnswer } from '../support/answers.ts';
import { createNotesWorld, note } from '../support/notes-source.ts';

let world: Awaited<ReturnType<typeof createNotesWorld>>;
beforeAll(async () => {
  world = await createNotesWorld({
    connections: ['home'],
    notes: [note('one', { body: 'the harbour', created_at: '2026-01-01T08:00:00Z' })],
  });
});
afterAll(() => world.close());

const find = async (token = world.token, args: object = {}): Promise<string[]> => {
  const { results } = readAnswer(await world.call(token, 'search', { query: 'harbour', ...args }));
  return results.map((hit: { id: string }) => hit.id.split('/').at(-1));
};

describe('a repeated search', () => {
  it('finds records added since, and no longer finds records that lost the word', async () => {
    expect([await find(), await find()]).toEqual([['one'], ['one']]);
    await world.ingest('home', 'notes', [
      note('two', { body: 'another harbour', created_at: '2026-01-02T08:00:00Z' }),
    ]);
    expect((await find()).toSorted()).toEqual(['one', 'two']);
    await world.ingest('home', 'notes', [
      note('one', { body: 'the lake', created_at: '2026-01-01T08:00:00Z' }, '2026-11-02T00:00:00Z'),
    ]);
    expect(await find()).toEqual(['two']);
  });

  it('gives each app its own records, whoever asked first', async () => {
    const first = await world.grant([{ connection_id: 'home', stream: 'notes', keys: ['early'] }]);
    const second = await world.grant([{ connection_id: 'home', stream: 'notes', keys: ['late'] }]);
    await world.ingest('home', 'notes', [
      note('early', { body: 'one jetty', created_at: '2026-01-03T08:00:00Z' }),
      note('late', { body: 'two jetties and a jetty', created_at: '2026-03-03T08:00:00Z' }),
    ]);
    for (let round = 0; round < 2; round++) {
      expect((await find(world.token, { query: 'jetty' })).toSorted()).toEqual(['early', 'late']);
      expect(await find(first.token, { query: 'jetty' })).toEqual(['early']);
      expect(await find(second.token, { query: 'jetty' })).toEqual(['late']);
    }
  });

  it('keeps searches apart that differ in any argument', async () => {
    await world.ingest('home', 'notes', [
      note('pier', { body: 'a pier in fog', created_at: '2026-01-04T08:00:00Z' }),
      note('quay', { body: 'a quay in rain', created_at: '2026-03-04T08:00:00Z' }),
    ]);
    const asked: [object, string[]][] = [
      [{ query: 'pier' }, ['pier']],
      [{ query: 'pier', also: ['quay'] }, ['pier', 'quay']],
      [{ query: 'pier', streams: ['comments'] }, []],
      [{ query: 'quay', since: '2026-02-01' }, ['quay']],
      [{ query: 'quay', until: '2026-02-01' }, []],
      [{ query: 'quay pier', limit: 1 }, ['quay']],
      [{ query: 'quay pier' }, ['pier', 'quay']],
    ];
    for (let round = 0; round < 2; round++)
      for (const [args, found] of asked)
        expect([args, (await find(world.token, args)).toSorted()]).toEqual([args, found]);
  });

  it('shows every hit once when its pages are read twice', async () => {
    await world.ingest(
      'home',
      'notes',
      Array.from({ length: 25 }, (_, i) =>
        note(`buoy-${i}`, {
          body: `buoy ${i}`,
          created_at: `2026-04-${String(1 + i).padStart(2, '0')}T08:00:00Z`,
        }),
      ),
    );
    const readAll = async () => {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const args = { query: 'buoy', limit: 10, ...(cursor === undefined ? {} : { cursor }) };
        const answer = readAnswer(await world.call(world.token, 'search', args));
        ids.push(...answer.results.map((hit: { id: string }) => hit.id));
        cursor = answer.next_cursor;
      } while (cursor !== undefined);
      return ids;
    };
    const first = await readAll();
    expect(new Set(first).size).toBe(25);
    expect(await readAll()).toEqual(first);
  });
});
