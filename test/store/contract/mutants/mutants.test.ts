import { afterEach, describe, expect, it, vi } from 'vitest';

import type { Theme } from '../draw/draw-tale.ts';
import { checkOracle } from '../oracle/check-oracle.ts';
import { checkTwoWorlds } from '../two-worlds/check-two-worlds.ts';
import { crowdedWorlds } from '../two-worlds/crowded-worlds.ts';
import { checkNamedWorlds } from '../two-worlds/named-worlds.ts';
import { checkWandering } from '../wandering/check-wandering.ts';
import { grants } from '../wandering/wandering.ts';

const { active } = vi.hoisted(() => ({ active: { mutant: '', names: [] as string[] } }));

vi.mock('../../../../src/store/sqlite/reads/scope-sql.ts', async (original) => {
  const { mutateVisible } = await import('./mutate-scope.ts');
  const { mutateConditions } = await import('./mutate-names.ts');
  return mutateConditions(mutateVisible(await original(), active), active);
});
vi.mock('../../../../src/store/records/visible-part.ts', async (original) =>
  (await import('./mutate-scope.ts')).mutatePart(await original(), active),
);
vi.mock('../../../../src/store/sqlite/reads/read-changes.ts', async (original) =>
  (await import('./mutate-scope.ts')).mutateChanges(await original(), active),
);
vi.mock('../../../../src/store/sqlite/reads/past.ts', async (original) =>
  (await import('./mutate-past.ts')).mutatePast(await original(), active),
);
vi.mock('../../../../src/store/sqlite/reads/read-records.ts', async (original) =>
  (await import('./mutate-scope.ts')).mutateRecords(await original(), active),
);
vi.mock('../../../../src/store/sqlite/reads/read-values.ts', async (original) =>
  (await import('./mutate-words.ts')).mutateValues(await original(), active),
);
vi.mock('../../../../src/store/sqlite/reads/read-named.ts', async (original) => {
  const { mutateNamed } = await import('./mutate-words.ts');
  const { mutateThrough } = await import('./mutate-relations.ts');
  return mutateThrough(mutateNamed(await original(), active), active);
});
vi.mock('../../../../src/store/sqlite/reads/measures/read-aggregate.ts', async (original) =>
  (await import('./mutate-words.ts')).mutateUnits(await original(), active),
);
vi.mock('../../../../src/store/sqlite/reads/measures/read-groups.ts', async (original) =>
  (await import('./mutate-words.ts')).mutateGroups(await original(), active),
);
vi.mock('../../../../src/store/sqlite/reads/read-counts.ts', async (original) => {
  const { mutateSpan } = await import('./mutate-scope.ts');
  const { mutateCounts } = await import('./mutate-relations.ts');
  return mutateCounts(mutateSpan(await original(), active), active);
});
vi.mock('../../../../src/reader/granted-scopes.ts', async (original) => {
  const { mutateTargets } = await import('./mutate-relations.ts');
  return mutateTargets(await original(), await import('../../../../src/reader/granted-stream.ts'), active);
});
vi.mock('../../../../src/store/sqlite/reads/search/read-matches.ts', async (original) =>
  (await import('./mutate-search.ts')).mutateMatches(await original(), active),
);
vi.mock('../../../../src/store/sqlite/reads/search/read-matching.ts', async (original) =>
  (await import('./mutate-search.ts')).mutateMatching(await original(), active),
);
vi.mock('../../../../src/store/search/newest-matched.ts', async (original) =>
  (await import('./mutate-search.ts')).mutateNewest(await original(), active),
);
vi.mock('../../../../src/store/sqlite/reads/search/read-postings.ts', async (original) =>
  (await import('./mutate-search.ts')).mutatePostings(await original(), active),
);
vi.mock('../../../../src/search/weigh-terms.ts', async (original) =>
  (await import('./mutate-search.ts')).mutateWeights(await original(), active),
);
vi.mock('../../../../src/search/choose-compounds.ts', async (original) =>
  (await import('./mutate-search.ts')).mutateCompounds(await original(), active),
);
vi.mock('../../../../src/search/nearest-words.ts', async (original) =>
  (await import('./mutate-search.ts')).mutateNearWords(await original(), active),
);
vi.mock('../../../../src/tools/search/search-copies.ts', async (original) =>
  (await import('./mutate-search.ts')).mutateCopies(await original(), active),
);
vi.mock('../../../../src/reader/search/granted-words.ts', async (original) =>
  (await import('./mutate-search.ts')).mutateGrantedWords(await original(), active),
);
vi.mock('../../../../src/reader/search/search-cache.ts', async (original) =>
  (await import('./mutate-search.ts')).mutateSearchCache(await original(), active),
);
vi.mock('../../../../src/reader/granted-stream.ts', async (original) =>
  (await import('./mutate-names.ts')).mutateGrantedStream(await original(), active),
);
vi.mock('../../../../src/schema-index/catalog.ts', async (original) =>
  (await import('./mutate-names.ts')).mutateCatalog(await original(), active),
);
vi.mock('../../../../src/text/suggest.ts', async (original) =>
  (await import('./mutate-names.ts')).mutateNearest(await original(), active),
);
vi.mock('../../../../src/reads/granted-read.ts', async (original) =>
  (await import('./mutate-names.ts')).mutateCursor(await original(), active),
);

vi.mock('../../../../src/store/large/long-text.ts', async (original) =>
  (await import('./mutate-leaks.ts')).mutateBounds(await original(), active),
);
vi.mock('../../../../src/search/dictionary.ts', async (original) =>
  (await import('./mutate-leaks.ts')).mutateDictionary(await original(), active),
);
vi.mock('../../../../src/store/round-sum.ts', async (original) =>
  (await import('./mutate-leaks.ts')).mutateRounding(await original(), active),
);

/** The same checks as the properties run, with fewer cases. Without a fault a few are enough: the properties run the rest. */
const FEW = 2;
const count = (runs: number) => (active.mutant === '' ? Math.min(runs, FEW) : runs);
const few = <T>(list: readonly T[]) => list.slice(0, count(list.length));
const draw =
  (theme: Theme, runs: number, seed = 20261116) =>
  () =>
    checkTwoWorlds({ runs: count(runs), seed, theme });
const checks = {
  oracle: () => checkOracle({ runs: count(15), seed: 1 }),
  'two worlds': draw('plain', 60),
  'crowded worlds': async () => {
    for (const check of few(Object.values(crowdedWorlds))) await check();
  },
  'wandering records': async () => {
    for (const terms of few(Object.values(grants))) await checkWandering(3, terms);
  },
  'named worlds': checkNamedWorlds,
  'long texts': draw('long texts', 8, 20261122),
  scripts: draw('scripts', 30),
  'wide numbers': draw('wide numbers', 12),
  wandering: draw('wandering', 20),
  'names and units': draw('names and units', 60),
  'crowded minute': draw('a crowded minute', 4),
  attachments: draw('attachments', 12),
  'hidden library': draw('a hidden library', 4),
};

const mutants: [fault: string, caughtBy: keyof typeof checks][] = [
  ['drops the time window', 'oracle'],
  ['drops the list of keys', 'oracle'],
  ['skips the projection', 'oracle'],
  ['ignores which stream is granted', 'oracle'],
  ['takes until as inside the window', 'oracle'],
  ['puts records without a time inside the window', 'oracle'],
  ['counts from the day table although keys are limited', 'oracle'],
  ['searches ungranted columns', 'oracle'],
  ['takes a limited stream for a whole one in search', 'oracle'],
  ['finds any record by its key', 'oracle'],
  ['takes the time span from hidden records', 'oracle'],
  ['tells of changes outside the window', 'oracle'],
  ['tells of changes in hidden fields', 'oracle'],
  ['orders changes by sequence', 'two worlds'],
  ['orders by an ungranted time', 'two worlds'],
  ['lets ungranted fields be asked about', 'two worlds'],
  ['weighs words by hidden records', 'two worlds'],
  ['suggests ungranted names', 'two worlds'],
  ['shares counts of words between apps', 'two worlds'],
  ['shares searches between apps', 'two worlds'],
  ['lets the length of a handle tell how much is stored', 'crowded worlds'],
  ['remembers what has left the view', 'wandering records'],
  ['shows on old pages what is gone', 'wandering records'],
  ['filters matches after the limit', 'crowded worlds'],
  ['takes spellings from hidden records', 'crowded worlds'],
  ['takes forms from hidden words', 'crowded worlds'],
  ['takes compounds from hidden words', 'crowded worlds'],
  ['takes parts from hidden words', 'crowded worlds'],
  ['takes near words from hidden records', 'crowded worlds'],
  ['counts copies among hidden records', 'crowded worlds'],
  ['cuts candidates by hidden records', 'crowded worlds'],
  ['remembers what has left the view', 'wandering'],
  ['shows on old pages what is gone', 'wandering'],
  ['shortens records before projecting them', 'long texts'],
  ['makes its dictionary anew when there is much', 'hidden library'],
  ['cuts candidates by row id', 'crowded minute'],
  ['adds floats in the order they lie in', 'wide numbers'],
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
  ['takes names in filters from hidden records', 'names and units'],
  ['groups parts of time over hidden records', 'names and units'],
  ['groups by fields of hidden records', 'names and units'],
  ['measures ranges over hidden records', 'names and units'],
  ['keeps a hundred names of the owner', 'names and units'],
  ['names what is near in hidden records', 'names and units'],
  ['takes labels from hidden records', 'names and units'],
  ['takes values from hidden records', 'names and units'],
  ['takes units from hidden records', 'names and units'],
  ['knows the owner from hidden records', 'names and units'],
  ['takes near words from hidden records', 'scripts'],
  ['expands to records outside the window', 'attachments'],
  ['expands to hidden fields', 'attachments'],
  ['counts hidden records of a visible one', 'attachments'],
  ['filters by records outside the window', 'attachments'],
];

describe('a reader with a fault', () => {
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
