import { expect, it } from 'vitest';
import type { WriteDatabase } from '../../../src/store/postgres/database.ts';
import { createPlanStatistics } from '../../../src/store/postgres/write/plan-statistics.ts';

/** A database that says how many records its statistics count, and counts refreshes. */
function fakeDatabase() {
  const state = { known: 0, stored: 0, refreshed: 0 };
  const database = {
    afterCommit: (work: () => Promise<void>) => work(),
    query: async () => [{ known: state.known }],
    run: async ({ parts }: { parts: readonly string[] }) => {
      if (parts[0] === 'analyze records') {
        state.refreshed += 1;
        state.known = state.stored;
      }
      return 0;
    },
  } as unknown as WriteDatabase;
  return { state, database };
}

const batch = Array.from({ length: 500 }, () => 'new' as const);

it('refreshes the statistics of an import whenever the records have doubled', async () => {
  const { state, database } = fakeDatabase();
  const note = createPlanStatistics(database);
  const refreshedAt: number[] = [];
  for (let records = 500; records <= 100_000; records += 500) {
    state.stored = records;
    const before = state.refreshed;
    await note(batch);
    if (state.refreshed > before) refreshedAt.push(records);
  }
  expect(refreshedAt).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 64_000]);
});

it('leaves the statistics of a large table alone while few records are added', async () => {
  const { state, database } = fakeDatabase();
  state.known = 1_000_000;
  state.stored = 1_000_000;
  const note = createPlanStatistics(database);
  for (let at = 0; at < 100; at++) await note(batch);
  expect(state.refreshed).toBe(0);
});

it('counts records that were written and not those that were the same', async () => {
  const { state, database } = fakeDatabase();
  const note = createPlanStatistics(database);
  for (let at = 0; at < 100; at++) await note(batch.map(() => 'same' as const));
  expect(state.refreshed).toBe(0);
});
