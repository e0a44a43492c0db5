import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureReads } from '../store/contract/large/measure-reads.ts';
import { createWorld, type World } from '../support/world.ts';
import { addLibrary, writeBook } from './long-texts.ts';

/** Together they contain the word 1.5 million times. */
const BOOKS = 200;
const REPEATED = 'harbour '.repeat(7_500);
/** All of these positions in one statement took 400 ms. */
const MAX_TURN_CPU_MS = 150;
const MAX_GROWTH_MB = 60;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.store.write.raw.pragma('synchronous = off');
  await addLibrary(world);
  const books = Array.from({ length: BOOKS }, (_, at) => {
    const { key, data } = writeBook(at, [200]);
    return { key, data: { ...data, text1: at === 7 ? `${REPEATED} granite pebble` : REPEATED } };
  });
  await world.ingest('shelf', 'books', books);
  const ordinary = writeBook(BOOKS, [200]);
  await world.ingest('cellar', 'books', [ordinary]);
}, 120_000);
afterAll(() => world.close());

/** Searches and checks the longest step and the memory use. Returns the ids of the hits. */
async function search(token: string, query: string): Promise<string[]> {
  // The first search of a grant compiles and prepares what every search needs.
  await world.call(token, 'search', { query: 'velmoti' });
  const heap = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const before = heap();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, heap());
  }, 5);
  let ids: string[] = [];
  const [measured] = await measureReads([
    {
      name: query,
      async run() {
        const { structuredContent } = await world.call(token, 'search', { query, limit: 5 });
        ids = structuredContent.results.map((hit: { id: string }) => hit.id);
      },
    },
  ]);
  clearInterval(watch);
  expect(measured?.cpu).toBeLessThan(MAX_TURN_CPU_MS);
  expect((Math.max(most, heap()) - before) / 1e6).toBeLessThan(MAX_GROWTH_MB);
  return ids;
}

describe('a word that texts of 60 kB repeat', () => {
  it('is read in short steps with little memory', async () => {
    const { token } = await world.grant([{ connection_id: 'shelf' }]);
    expect(await search(token, 'harbour')).toHaveLength(5);
  });

  it('is read in short steps if the grant hides those texts', async () => {
    const stream = await world.grant([{ connection_id: 'cellar' }]);
    expect(await search(stream.token, 'harbour')).toEqual([`cellar/books/b${BOOKS}`]);
    const days = await world.grant([{ connection_id: 'shelf' }, { connection_id: 'cellar' }], {
      since: Date.UTC(2026, 0, 1) + BOOKS * 60_000,
    });
    expect(await search(days.token, 'harbour')).toEqual([`cellar/books/b${BOOKS}`]);
  });

  it('does not prevent finding a phrase after it', async () => {
    const { token } = await world.grant([{ connection_id: 'shelf' }]);
    expect(await search(token, '"harbour granite pebble"')).toEqual(['shelf/books/b7']);
    expect((await search(token, 'harbour pebble'))[0]).toBe('shelf/books/b7');
  });
});
