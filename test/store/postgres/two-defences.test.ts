import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { removeConnections } from '../../../src/import/remove-connection.ts';
import { type Connections, createConnections } from '../../../src/store/postgres/connections.ts';
import { migrate } from '../../../src/store/postgres/migrations.ts';
import { canarySteps, home } from '../../support/canary-world.ts';
import { postAndLog } from '../../support/granted-sources.ts';
import { createTestDatabase, testSettings } from '../../support/postgres/databases.ts';
import { createPostgresEngine, type Engine, engines, useEngine } from '../../support/stores/engines.ts';
import { dumpTables } from '../../support/stores/tables.ts';
import { openStory, plainSetting } from '../../support/story-world.ts';
import { NOW } from '../../support/world.ts';
import { checkTwoWorlds } from '../contract/two-worlds/check-two-worlds.ts';

const { fault } = vi.hoisted(() => ({ fault: { isActive: false, statements: new Set<string>() } }));

/** With the fault, no statement says whose rows it means. */
vi.mock('../../../src/store/postgres/sql.ts', async (original) => {
  const real = await original<typeof import('../../../src/store/postgres/sql.ts')>();
  const compile: typeof real.compile = (sql) => {
    const { text, values } = real.compile(sql);
    if (!fault.isActive) return { text, values };
    const open = text.replace(/\b(?:\w+\.)?owner_id = (\$\d+)(?:::int4)?/g, '$1::int4 is not null');
    if (open !== text) fault.statements.add(open);
    return { text: open, values };
  };
  return { ...real, compile };
});

/** Statements of the checks that name an owner. */
const MIN_STATEMENTS = 100;

/** Two owners with the same data: what one of them writes changes nothing of the other. */
async function checkWrites(): Promise<void> {
  const [here, there] = [await openStory(plainSetting('UTC')), await openStory(plainSetting('UTC'))];
  for (const world of [here, there]) await world.apply(canarySteps);
  await there.issueAll();
  const before = await dumpTables(there.store);
  await here.issueAll();
  await here.apply(canarySteps.map((step) => ({ ...step, data: { ...step.data, title: 'changed' } })));
  await here.apply([{ place: home, key: 'seen-2', data: undefined }]);
  await here.redeclare(postAndLog.specs);
  await here.store.write.grants.endAll(NOW.toISOString());
  await here.store.write.owner.deleteAllSessions();
  await removeConnections(here.store, ['post_home'], NOW);
  expect(await dumpTables(there.store)).toBe(before);
}

/** Two owners whose data differs only in what is hidden: neither sees the other. */
async function checkReads(): Promise<void> {
  for (const theme of ['plain', 'names and units'] as const)
    await checkTwoWorlds({ runs: 2, seed: 20261116, theme });
  await checkTwoWorlds({ runs: 1, seed: 20261122, theme: 'long texts' });
}

describe('the rows of two owners in one database', () => {
  const opened: Connections[] = [];
  let isolated: Engine;
  let bypassing: Engine;
  beforeAll(async () => {
    const url = await createTestDatabase();
    const connect = (address: string) => {
      const connections = createConnections({ ...testSettings, url: address });
      opened.push(connections);
      return connections;
    };
    const user = connect(url);
    await user.withConnection('transactions', 0, migrate);
    isolated = createPostgresEngine(async () => user);
    // Row-level security does not apply to the administrator.
    const admin = connect(url.replace('//pdpp@', '//admin@'));
    bypassing = createPostgresEngine(async () => admin);
  });
  afterEach(() => {
    fault.isActive = false;
    useEngine(engines[0] as Engine);
  });
  afterAll(async () => {
    for (const connections of opened) await connections.close();
  });

  it('are kept apart by the conditions of every statement alone', async () => {
    useEngine(bypassing);
    await checkWrites();
    await checkReads();
  });

  it('are kept apart by row-level security alone', async () => {
    useEngine(isolated);
    fault.isActive = true;
    await checkWrites();
    await checkReads();
    expect(fault.statements.size).toBeGreaterThan(MIN_STATEMENTS);
  });

  it.each([
    ['writes', checkWrites],
    ['reads', checkReads],
  ])('are mixed up without both: %s', async (_, check) => {
    useEngine(bypassing);
    fault.isActive = true;
    await expect(check()).rejects.toThrow();
  });
});
