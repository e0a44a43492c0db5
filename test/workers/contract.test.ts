import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkOracle } from '../store/contract/oracle/check-oracle.ts';
import { checkTwoWorlds } from '../store/contract/two-worlds/check-two-worlds.ts';
import { createNotesWorld, note } from '../support/notes-source.ts';
import { readPages } from '../tools/read-pages.ts';

const before = process.env.PDPP_TEST_WORKERS;
beforeAll(() => {
  process.env.PDPP_TEST_WORKERS = '1';
});
afterAll(() => {
  if (before === undefined) delete process.env.PDPP_TEST_WORKERS;
  else process.env.PDPP_TEST_WORKERS = before;
});

/** Each world starts a thread of its own, so these are few of the cases that run in the main thread. */
describe('tools in workers', () => {
  it('page through filtered lists without a gap and without a repeat', async () => {
    const notes = Array.from({ length: 40 }, (_, at) =>
      note(`n${(at * 37) % 100}`, {
        title: 'ferry',
        stars: (at * 7) % 5,
        created_at: new Date(Date.UTC(2026, 0, 1 + (at % 11))).toISOString(),
      }),
    );
    const world = await createNotesWorld({ connections: ['home'], notes });
    try {
      // A filter makes a page run in a worker.
      const list = { stream: 'notes', filter: { stars: { gte: 1 } }, fields: ['id', 'stars'] };
      for (const [tool, args] of [
        ['query_records', { ...list, sort: '-stars' }],
        ['query_records', { ...list, sort: 'created_at' }],
        ['search', { query: 'ferry' }],
      ] as const) {
        const { rows } = await readPages(world, world.token, tool, args, { sizes: [100] });
        expect(rows.length).toBeGreaterThan(30);
        for (const sizes of [[1], [7], [2, 30]])
          expect((await readPages(world, world.token, tool, args, { sizes })).rows).toEqual(rows);
      }
    } finally {
      world.close();
    }
  });

  it('G-17 answer what a plain in-memory oracle says', async () => {
    expect(await checkOracle({ runs: 4, seed: 20261118 })).toBeGreaterThan(100);
  });

  it.each(['plain', 'scripts'] as const)('G-08 answer the same in two worlds: %s', async (theme) => {
    expect(await checkTwoWorlds({ runs: 2, seed: 20261118, theme })).toBeGreaterThan(50);
  });
});
