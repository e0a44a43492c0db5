import { describe, expect, it, onTestFinished } from 'vitest';
import { connectDatabase } from '../../../src/store/postgres/connect.ts';
import { openStore } from '../../../src/store/postgres/open-store.ts';
import { measureDatabase } from '../../../src/store/postgres/servers/measure-database.ts';
import { createTestDatabase, runAsAdmin, testSettings } from '../../support/postgres/databases.ts';
import { type Engine, engines, useEngine, withoutFiles } from '../../support/stores/engines.ts';
import { makeFolder } from '../../support/temp-folder.ts';
import { createWorld } from '../../support/world.ts';

/** A server on a database of its own. */
async function openWorld() {
  const url = await createTestDatabase();
  const connections = await connectDatabase({ ...testSettings, url }, () => {});
  onTestFinished(() => connections.close());
  const secret = Buffer.alloc(32, 5);
  useEngine({
    name: 'PostgreSQL',
    open: async (directory) => withoutFiles(await openStore(connections, { directory, secret })),
  });
  const world = await createWorld({ directory: makeFolder() });
  useEngine(engines[0] as Engine);
  return { world, connections, database: new URL(url).pathname.slice(1) };
}

describe('GET /readyz on PostgreSQL', () => {
  it('is ready when the database answers and has the tables of this version', async () => {
    const { world } = await openWorld();
    const answer = await world.request('/readyz');
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ready' }]);
  });

  it('is not ready once a newer version has changed the tables', async () => {
    const { world, database } = await openWorld();
    await runAsAdmin(database, 'insert into pdpp_schema values (1000, 1000)');
    const answer = await world.request('/readyz');
    expect([answer.status, await answer.json()]).toEqual([503, { status: 'outdated' }]);
    expect((await world.request('/healthz')).status).toBe(200);
  });

  it('stays ready while a newer version that works with this one is there', async () => {
    const { world, database } = await openWorld();
    await runAsAdmin(database, 'insert into pdpp_schema values (1000, 1)');
    expect((await world.request('/readyz')).status).toBe(200);
  });

  it('is not ready while the database accepts no connections, and is again afterwards', async () => {
    const { world, database } = await openWorld();
    await runAsAdmin(
      'postgres',
      `alter database ${database} allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
    );
    const answer = await world.request('/readyz');
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect((await world.request('/healthz')).status).toBe(200);
    await runAsAdmin('postgres', `alter database ${database} allow_connections true`);
    await expect.poll(async () => (await world.request('/readyz')).status, { timeout: 20_000 }).toBe(200);
  });
});

describe('the metrics of a database', () => {
  it('count connections, and say nothing about a replica that is not there', async () => {
    const { world, connections } = await openWorld();
    await world.request('/readyz');
    const samples = await measureDatabase(connections);
    expect(samples.map(({ name }) => name)).toEqual(['pdpp_database_connections', 'pdpp_database_waiting']);
    expect(samples[0]?.values.map(({ labels, value }) => [labels?.state, value > 0])).toEqual([
      ['in_use', false],
      ['idle', true],
    ]);
  });
});
