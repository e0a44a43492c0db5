import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Engine, engines, useEngine } from '../../../support/stores/engines.ts';
import { checkOracle } from '../oracle/check-oracle.ts';
import { checkTwoWorlds } from '../two-worlds/check-two-worlds.ts';
import { checkNamedWorlds } from '../two-worlds/named-worlds.ts';
import { checkWandering } from '../wandering/check-wandering.ts';
import { grants } from '../wandering/wandering.ts';

const { active } = vi.hoisted(() => ({ active: { mutant: '', names: [] as string[] } }));

vi.mock('../../../../src/store/postgres/reads/scope-sql.ts', async (original) =>
  (await import('./mutate-postgres.ts')).mutateScopeSql(await original(), active),
);
vi.mock('../../../../src/store/postgres/reads/past.ts', async (original) =>
  (await import('./mutate-postgres.ts')).mutatePast(await original(), active),
);
vi.mock('../../../../src/store/postgres/reads/read-changes.ts', async (original) =>
  (await import('./mutate-postgres.ts')).mutateChanges(await original(), active),
);
vi.mock('../../../../src/store/postgres/reads/read-records.ts', async (original) =>
  (await import('./mutate-postgres.ts')).mutateRecords(await original(), active),
);
vi.mock('../../../../src/store/postgres/reads/read-counts.ts', async (original) =>
  (await import('./mutate-postgres.ts')).mutateCounts(await original(), active),
);
vi.mock('../../../../src/store/postgres/reads/read-values.ts', async (original) =>
  (await import('./mutate-postgres.ts')).mutateValues(await original(), active),
);
vi.mock('../../../../src/store/postgres/reads/read-named.ts', async (original) =>
  (await import('./mutate-postgres.ts')).mutateNamed(await original(), active),
);
vi.mock('../../../../src/store/postgres/reads/measures/read-aggregate.ts', async (original) =>
  (await import('./mutate-postgres.ts')).mutateAggregate(await original(), active),
);
vi.mock('../../../../src/store/postgres/search/filter-visible.ts', async (original) =>
  (await import('./mutate-postgres.ts')).mutateFilter(await original(), active),
);
vi.mock('../../../../src/store/records/visible-part.ts', async (original) =>
  (await import('./mutate-scope.ts')).mutatePart(await original(), active),
);

/** Without a fault a few cases are enough: the suites of the contract run the rest. */
const checks = {
  oracle: () => checkOracle({ runs: active.mutant === '' ? 3 : 15, seed: 1 }),
  'wandering records': async () => {
    for (const terms of Object.values(grants)) await checkWandering(3, terms);
  },
  'named worlds': checkNamedWorlds,
  'two worlds': () => checkTwoWorlds({ runs: 2, seed: 20261118, theme: 'plain' }),
};

/** Faults of modules below the storage interface; those above it are the same on every engine. */
const mutants: readonly [fault: string, caughtBy: keyof typeof checks][] = [
  ['drops the time window', 'oracle'],
  ['drops the list of keys', 'oracle'],
  ['skips the projection', 'oracle'],
  ['ignores which stream is granted', 'oracle'],
  ['takes until as inside the window', 'oracle'],
  ['puts records without a time inside the window', 'oracle'],
  ['counts from the day table although keys are limited', 'oracle'],
  ['takes a limited stream for a whole one in search', 'oracle'],
  ['finds any record by its key', 'oracle'],
  ['takes the time span from hidden records', 'oracle'],
  ['tells of changes outside the window', 'oracle'],
  ['tells of changes in hidden fields', 'oracle'],
  ['remembers what has left the view', 'wandering records'],
  ['shows on old pages what is gone', 'wandering records'],
  ['weighs words by hidden records', 'two worlds'],
  ['takes labels from hidden records', 'named worlds'],
  ['takes values from hidden records', 'named worlds'],
  ['takes units from hidden records', 'named worlds'],
  ['knows the owner from hidden records', 'named worlds'],
  ['keeps a hundred names of the owner', 'named worlds'],
  ['names what is near in hidden records', 'named worlds'],
  ['groups by fields of hidden records', 'named worlds'],
  ['measures ranges over hidden records', 'named worlds'],
  ['groups parts of time over hidden records', 'named worlds'],
  ['takes names in filters from hidden records', 'named worlds'],
];

describe('a reader of PostgreSQL with a fault', () => {
  beforeAll(() => useEngine(engines[1] as Engine));
  afterAll(() => useEngine(engines[0] as Engine));
  afterEach(() => {
    active.mutant = '';
  });

  it.each(Object.entries(checks))(
    'is needed to fail the %s check',
    async (_, check) => {
      await check();
    },
    300_000,
  );

  it.each(mutants)('that %s fails the %s check', async (fault, caughtBy) => {
    active.mutant = fault;
    await expect(checks[caughtBy]()).rejects.toThrow();
  });
});
