import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connectDatabase } from '../../src/store/postgres/connect.ts';
import { type Connections, createConnections } from '../../src/store/postgres/connections.ts';
import { openDatabases, type Queries } from '../../src/store/postgres/database.ts';
import { migrate, readVersion, SCHEMA_VERSION } from '../../src/store/postgres/migrations.ts';
import { addOwner } from '../../src/store/postgres/owners.ts';
import { sql } from '../../src/store/postgres/sql.ts';
import { batchLines } from '../support/fill-store.ts';
import { OAuthClient, signIn } from '../support/oauth-client.ts';
import { testSettings } from '../support/postgres/databases.ts';
import { installPrograms } from './support/install.ts';
import { type Pooler, startPooler } from './support/pgbouncer.ts';
import { createServer, type PostgresServer } from './support/postgres-server.ts';
import { makeClusterFolder, removeFolder } from './support/run-program.ts';
import { callTools, prepareDatabase, serveDatabase } from './support/served.ts';

const AT = '2026-11-18T00:00:00.000Z';
/** Statements that name no owner: only row-level security separates them. */
const list = (queries: Queries) =>
  queries.query<{ name: string }>(sql`select name from settings where name like 'of %' order by name`);

let folder: string;
let server: PostgresServer;
let pooler: Pooler;
beforeAll(async () => {
  installPrograms(['postgres', 'pgbouncer']);
  folder = makeClusterFolder();
  server = await createServer(join(folder, 'server'));
  // One connection to the server: all clients and owners share it.
  pooler = await startPooler(join(folder, 'pooler'), server.port, 1);
});
afterAll(() => {
  pooler?.stop();
  server?.stop('immediate');
  removeFolder(folder);
});

async function connect(database: string): Promise<Connections> {
  await server.query(`create database ${database} owner pdpp`);
  const settings = { ...testSettings, pooler: 'transaction', url: pooler.url(database) } as const;
  const connections = await connectDatabase(settings, () => {});
  onTestFinished(() => connections.close());
  return connections;
}

/** What a client sees that binds itself to nobody: the connection must be as new. */
const UNUSED = { owner: '', rows: 0, prepared: 0, locks: 0, timeout: '0', idle: '0' };

async function readUnbound(database: string): Promise<typeof UNUSED> {
  const client = new pg.Client({ connectionString: pooler.url(database) });
  await client.connect();
  const { rows } = await client.query(`select coalesce(current_setting('pdpp.owner_id', true), '') as owner,
    (select count(*)::int from settings) as rows,
    (select count(*)::int from pg_prepared_statements) as prepared,
    (select count(*)::int from pg_locks where locktype = 'advisory') as locks,
    current_setting('statement_timeout') as timeout,
    current_setting('idle_in_transaction_session_timeout') as idle`);
  await client.end();
  return rows[0];
}

describe('PgBouncer in transaction mode', () => {
  it('shows an owner nothing of another one on the same connection', async () => {
    const connections = await connect('owners');
    const ids = await Promise.all(['a', 'b'].map((name) => addOwner(connections, name, AT)));
    const owners = ids.map((id) => ({ id, ...openDatabases(connections, id) }));
    for (const { id, writes } of owners)
      await writes.run(sql`insert into settings values (${id}, ${`of ${id}`}, 'x')`);
    const pid = sql`select pg_backend_pid() as pid`;
    const backends = await Promise.all(owners.map(({ reads }) => reads.query(pid)));
    expect(new Set(backends.flat().map((row) => JSON.stringify(row))).size).toBe(1);

    const wrong: unknown[] = [];
    const look = async (at: number) => {
      const { id, reads, writes } = owners[at % 2] as (typeof owners)[number];
      const ways = [
        () => list(reads),
        () => reads.snapshot(list),
        () => writes.transact(list),
        () =>
          reads.query(sql`select 1 / 0`).then(
            () => [],
            () => list(reads),
          ),
        () => writes.transact(() => Promise.reject(new Error('no'))).catch(() => list(writes)),
      ];
      const rows = await (ways[at % ways.length] as (typeof ways)[number])();
      if (JSON.stringify(rows) !== JSON.stringify([{ name: `of ${id}` }])) wrong.push([id, rows]);
      if (at % 10 === 0) expect(await readUnbound('owners')).toEqual(UNUSED);
    };
    await Promise.all(Array.from({ length: 300 }, (_, at) => look(at)));
    expect(wrong).toEqual([]);
  });

  it('keeps no owner when a client goes away inside a transaction', async () => {
    const connections = await connect('leaving');
    const ownerId = await addOwner(connections, 'a', AT);
    await openDatabases(connections, ownerId).writes.run(
      sql`insert into settings values (${ownerId}, 'of a', 'x')`,
    );
    for (const end of ['commit', 'rollback', undefined]) {
      const client = new pg.Client({ connectionString: pooler.url('leaving') });
      client.on('error', () => {});
      await client.connect();
      await client.query(`begin; select set_config('pdpp.owner_id', '${ownerId}', true)`);
      expect((await client.query('select 1 from settings')).rows).toHaveLength(1);
      if (end === undefined) client.connection.stream.destroy();
      else {
        await client.query(end);
        await client.end();
      }
      expect(await readUnbound('leaving')).toEqual(UNUSED);
    }
  });

  it('limits how long a frozen process holds locks', async () => {
    const connections = await connect('frozen');
    const { writes } = openDatabases(connections, await addOwner(connections, 'a', AT));
    const limit = sql`select current_setting('idle_in_transaction_session_timeout') as idle`;
    const found = [await writes.transact((queries) => queries.query(limit)), await writes.query(limit)];
    expect(found).toEqual([[{ idle: '15s' }], [{ idle: '15s' }]]);
    expect(await readUnbound('frozen')).toEqual(UNUSED);
  });

  it('migrates once, however many processes start at the same time', async () => {
    await server.query('create database fresh owner pdpp');
    const settings = { ...testSettings, pooler: 'transaction', url: pooler.url('fresh') } as const;
    const processes = Array.from({ length: 4 }, () => createConnections(settings));
    await Promise.all(processes.map((one) => one.withConnection('transactions', 0, migrate)));
    const found = await Promise.all(processes.map((one) => one.withConnection('calls', 0, readVersion)));
    expect(found.map((one) => one?.version)).toEqual(processes.map(() => SCHEMA_VERSION));
    await Promise.all(processes.map((one) => one.close()));
  });

  it('serves ingest, OAuth and the five tools', async () => {
    const ownerToken = await prepareDatabase({ url: pooler.url(), pooler: 'transaction' });
    const served = await serveDatabase({ DATABASE_URL: pooler.url(), DATABASE_POOLER: 'transaction' });
    onTestFinished(() => served.stop());
    const batches = await Promise.all(
      [1, 2, 3, 4].map((batch) => served.ingest(ownerToken, batchLines(batch))),
    );
    expect(batches.map(({ status }) => status)).toEqual([200, 200, 200, 200]);

    const app = await OAuthClient.register(served);
    const browser = await signIn(served);
    const tokens = await app.connect(browser, { preset: 'everything' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => callTools(served, tokens.access_token)),
    );
    expect(answers).toEqual(
      answers.map(() => ({ streams: 1, listed: 3, counted: 200, found: true, title: 'title 1 1' })),
    );
    const refreshed = await app.refresh(tokens.refresh_token);
    expect(refreshed.status).toBe(200);
    const { access_token } = (await refreshed.json()) as { access_token: string };
    const form = new URLSearchParams({ client_id: app.clientId, token: access_token });
    await served.request('/oauth/revoke', { method: 'POST', body: form });
    await expect(served.call(access_token, 'schema')).rejects.toThrow('401');
  });
});
