import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { removeConnections } from '../../../src/import/remove-connection.ts';
import { type Connections, createConnections } from '../../../src/store/postgres/connections.ts';
import { migrate } from '../../../src/store/postgres/migrations.ts';
import type { PostgresStore } from '../../../src/store/postgres/open-store.ts';
import { canarySteps, home } from '../../support/canary-world.ts';
import { postAndLog } from '../../support/granted-sources.ts';
import { createTestDatabase, testSettings, useSharedDatabase } from '../../support/postgres/databases.ts';
import {
  createPostgresEngine,
  type Engine,
  engines,
  openTestStore,
  useEngine,
} from '../../support/stores/engines.ts';
import { dumpTables } from '../../support/stores/tables.ts';
import { openStory, plainSetting } from '../../support/story-world.ts';
import { makeFolder } from '../../support/temp-folder.ts';
import { NOW } from '../../support/world.ts';
import { checkTwoWorlds } from '../contract/two-worlds/check-two-worlds.ts';
import { addOwnerRows, changeOwnerRows, readOwnerRows } from './owner-rows.ts';

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

/** Two owners with equal rows about accounts and processes: what one of them does, the other cannot see. */
async function checkOwnRows(): Promise<void> {
  const [here, there] = (await Promise.all(
    [1, 2].map(() => openTestStore(makeFolder())),
  )) as unknown as PostgresStore[] as [PostgresStore, PostgresStore];
  await addOwnerRows(here);
  expect(await readOwnerRows(there)).toBe('[[],null,[],[],[],[],false,[],[],[],[]]');
  await addOwnerRows(there);
  const [rows, shown] = [await dumpTables(there as never), await readOwnerRows(there)];
  await changeOwnerRows(here);
  expect(await dumpTables(there as never)).toBe(rows);
  expect(await readOwnerRows(there)).toBe(shown);
}

/** Two owners whose data differs only in what is hidden: neither sees the other. */
async function checkReads(): Promise<void> {
  for (const theme of ['plain', 'names and units'] as const)
    await checkTwoWorlds({ runs: 2, seed: 20261116, theme });
  await checkTwoWorlds({ runs: 1, seed: 20261122, theme: 'long texts' });
}

describe('every table with rows of owners', () => {
  it('shows a connection only the rows of its owner, whoever owns the tables', async () => {
    const { withConnection } = await useSharedDatabase();
    const text = `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'owner_id'
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not (
        c.relrowsecurity and c.relforcerowsecurity and (select count(*) from pg_policies p
          where p.schemaname = current_schema() and p.tablename = c.relname and p.cmd = 'ALL' and p.with_check is null
            and p.qual like '(owner_id = %pdpp.owner_id%') = 1)`;
    const { rows } = await withConnection('calls', 0, (connection) => connection.run({ text, values: [] }));
    // The list of owners has no owner. It has host names only.
    expect(rows).toEqual([{ name: 'owners' }]);
  });
});

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
    await checkOwnRows();
    await checkReads();
  });

  it('are kept apart by row-level security alone', async () => {
    useEngine(isolated);
    fault.isActive = true;
    await checkWrites();
    await checkOwnRows();
    await checkReads();
    expect(fault.statements.size).toBeGreaterThan(MIN_STATEMENTS);
  });

  it.each([
    ['writes', checkWrites],
    ['accounts and processes', checkOwnRows],
    ['reads', checkReads],
  ])('are mixed up without both: %s', async (_, check) => {
    useEngine(bypassing);
    fault.isActive = true;
    await expect(check()).rejects.toThrow();
  });
});
