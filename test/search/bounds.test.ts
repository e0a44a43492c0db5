import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScript, waitForEnd } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { createWorld, type Line, type World } from '../support/world.ts';
import { addLibrary, writeBook, writeLong } from './long-texts.ts';

/** Searches in a child process whose heap is much smaller than the texts. */
async function searchWithSmallHeap(books: Line[], calls: number) {
  const directory = makeFolder();
  const world = await createWorld({ directory });
  world.store.write.raw.pragma('synchronous = off');
  await addLibrary(world);
  await world.ingest('shelf', 'books', books);
  const { token } = await world.grant([{ connection_id: 'shelf' }]);
  world.store.close();
  const heap = { NODE_OPTIONS: '--max-old-space-size=128' };
  const { code, out, err } = await waitForEnd(
    startScript('test/search/search-child.ts', [directory, token, String(calls)], heap),
  );
  expect(code, err.slice(-500)).toBe(0);
  return JSON.parse(out) as { status: number; answers: number[]; cpuMs: number; megabytes: number };
}

describe('the cost of a search is bounded', () => {
  it('R-09 a batch of 20 over 320 texts of 120 to 240 kB stays under 500 MB and takes seconds', async () => {
    const books = Array.from({ length: 320 }, (_, book) =>
      writeBook(book, [120_000 + ((book * 379) % 120_000)]),
    );
    const { status, answers, cpuMs, megabytes } = await searchWithSmallHeap(books, 20);
    expect(status).toBe(200);
    expect(answers).toHaveLength(20);
    for (const hits of answers) expect(hits).toBeGreaterThan(10);
    expect(megabytes).toBeLessThan(500);
    expect(cpuMs).toBeLessThan(5_000);
  }, 180_000);

  it('R-09 records with 8 texts of 99 kB each are read only at their beginnings', async () => {
    const books = Array.from({ length: 60 }, (_, book) => writeBook(book, Array(8).fill(99_000)));
    const { answers, cpuMs, megabytes } = await searchWithSmallHeap(books, 1);
    expect(answers[0]).toBeGreaterThan(10);
    expect(megabytes).toBeLessThan(500);
    expect(cpuMs).toBeLessThan(5_000);
  }, 180_000);
});

describe('a misspelled query after a large import into another connection', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    world.store.write.raw.pragma('synchronous = off');
    await addLibrary(world);
    await world.ingest('shelf', 'books', [writeBook(1, [1_000])]);
  });
  afterAll(() => world.close());

  it('R-09 does not wait for records of 1 MB in an ungranted connection', async () => {
    const { token } = await world.grant([{ connection_id: 'shelf' }]);
    await world.call(token, 'search', { query: 'harbuor' });
    const data = (at: number) => ({
      id: `h${at}`,
      at: '2026-02-01T00:00:00Z',
      text0: writeLong(1_000_000, at),
    });
    await world.ingest(
      'cellar',
      'books',
      Array.from({ length: 40 }, (_, at) => ({ key: `h${at}`, data: data(at) })),
    );
    const started = process.cpuUsage();
    const { structuredContent } = await world.call(token, 'search', { query: 'harbuor' });
    const { user, system } = process.cpuUsage(started);
    expect(structuredContent.results).toHaveLength(1);
    expect((user + system) / 1_000).toBeLessThan(500);
  }, 120_000);
});
