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

const find = async (): Promise<string[]> => {
  const { results } = readAnswer(await world.call(world.token, 'search', { query: 'harbour' }));
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
});
