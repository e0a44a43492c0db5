import { createServer } from 'node:net';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectDatabase } from '../../../src/store/postgres/connect.ts';
import { createConnections } from '../../../src/store/postgres/connections.ts';
import { openDatabases } from '../../../src/store/postgres/database.ts';
import { toPostgresError } from '../../../src/store/postgres/failures.ts';
import { migrate } from '../../../src/store/postgres/migrations.ts';
import { addOwner } from '../../../src/store/postgres/owners.ts';
import { sql } from '../../../src/store/postgres/sql.ts';
import { createTestDatabase, runAsAdmin, testSettings } from '../../support/postgres/databases.ts';
import { useServer } from '../../support/postgres/server.ts';
import { startSilentProxy } from '../../support/postgres/silent-proxy.ts';

const AT = '2026-11-18T00:00:00.000Z';
const nameOf = (url: string) => new URL(url).pathname.slice(1);
const connect = async (url: string, minVersion?: number) => {
  const connections = await connectDatabase({ ...testSettings, url }, () => {}, minVersion);
  onTestFinished(() => connections.close());
  return connections;
};

/** The number of tables that a refused start has left. */
async function countTables(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    'select count(*)::int as n from pg_tables where schemaname = current_schema()',
  );
  await client.end();
  return rows[0].n;
}

describe('a database that cannot be used', () => {
  it('is not there: nobody listens, or the name is unknown', async () => {
    const unreachable = { code: 'store_unusable', message: 'The database server cannot be reached.' };
    await expect(connect('postgres://pdpp@127.0.0.1:1/pdpp')).rejects.toMatchObject(unreachable);
    await expect(connect('postgres://pdpp@no-such-host.invalid/pdpp')).rejects.toMatchObject(unreachable);
    await expect(connect('postgres://pdpp@%2Fno%2Fsuch%2Ffolder/pdpp')).rejects.toMatchObject(unreachable);
  });

  it('is another program that speaks something else', async () => {
    const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
      0,
      '127.0.0.1',
    );
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    await expect(connect(`postgres://pdpp@127.0.0.1:${port}/pdpp`)).rejects.toMatchObject({
      code: 'store_unusable',
    });
  });

  it('does not exist', async () => {
    const { url } = await useServer();
    await createTestDatabase();
    await expect(connect(url('no_such_database'))).rejects.toMatchObject({
      code: 'store_unusable',
      message: 'There is no such database.',
    });
  });

  it('refuses a wrong password, a missing one and an unknown user', async () => {
    const name = nameOf(await createTestDatabase());
    await runAsAdmin(
      name,
      `create user secret_${name} password 'right'`,
      `grant all on schema public to secret_${name}`,
    );
    const { url } = await useServer();
    const refused = { code: 'store_unusable', message: 'The database refused the user or the password.' };
    await expect(connect(url(name, `secret_${name}`, 'wrong'))).rejects.toMatchObject(refused);
    await expect(connect(url(name, `secret_${name}`))).rejects.toMatchObject(refused);
    await expect(connect(url(name, 'nobody_knows'))).rejects.toMatchObject(refused);
    await connect(url(name, `secret_${name}`, 'right'));
  });

  it('lets the user create no tables', async () => {
    const address = await createTestDatabase();
    const name = nameOf(address);
    await runAsAdmin(name, `create user poor_${name}`, `revoke all on schema public from public`);
    const { url } = await useServer();
    await expect(connect(url(name, `poor_${name}`))).rejects.toMatchObject({
      code: 'store_unusable',
      message: 'The user in DATABASE_URL does not have the required permission in the database.',
    });
    expect(await countTables(address)).toBe(0);
  });

  it('is of an old version', async () => {
    const url = await createTestDatabase();
    await expect(connect(url, 99)).rejects.toMatchObject({
      code: 'store_unusable',
      hint: 'Use PostgreSQL 99 or later.',
    });
    expect(await countTables(url)).toBe(0);
  });

  it('accepts no changes', async () => {
    const url = await createTestDatabase();
    const name = nameOf(url);
    await runAsAdmin(name, `alter database ${name} set default_transaction_read_only = on`);
    await expect(connect(url)).rejects.toMatchObject({
      code: 'store_unusable',
      message: 'The database accepts no changes.',
    });
  });

  it('stores no Unicode', async () => {
    const name = nameOf(await createTestDatabase());
    await runAsAdmin(
      'postgres',
      `create database latin_${name} owner pdpp encoding 'LATIN1' locale 'C' template template0`,
    );
    const { url } = await useServer();
    await expect(connect(url(`latin_${name}`))).rejects.toMatchObject({
      code: 'store_unusable',
      message: 'The database does not store Unicode text.',
    });
  });

  it('belongs to another program, or to a newer version', async () => {
    const url = await createTestDatabase();
    await runAsAdmin(nameOf(url), 'create table customers (id integer)');
    await expect(connect(url)).rejects.toMatchObject({
      message: 'The database has tables of another program.',
    });
    expect(await countTables(url)).toBe(1);

    const newer = await createTestDatabase();
    await connect(newer);
    await runAsAdmin(nameOf(newer), 'insert into pdpp_schema values (1000, 1)');
    await connect(newer);
    await runAsAdmin(nameOf(newer), 'update pdpp_schema set works_since = 1000 where version = 1000');
    await expect(connect(newer)).rejects.toMatchObject({
      message: 'The database was written by a newer version of pdpp.',
    });
  });

  it('has no connection left', async () => {
    const url = await createTestDatabase();
    await connect(url);
    await runAsAdmin(nameOf(url), `alter database ${nameOf(url)} connection limit 0`);
    await expect(connect(url)).rejects.toMatchObject({
      code: 'busy',
      message: 'The database has no free connection.',
    });
  });

  it('is a superuser, which is only a warning', async () => {
    const name = nameOf(await createTestDatabase());
    const { url } = await useServer();
    const warnings: string[] = [];
    const connections = await connectDatabase({ ...testSettings, url: url(name, 'admin') }, (message) =>
      warnings.push(message),
    );
    await connections.close();
    expect(warnings.join()).toContain('row-level security');
  });
});

describe('a database that fails while the server runs', () => {
  it('is used again after its connections were ended', async () => {
    const connections = await connect(await createTestDatabase());
    const ownerId = await addOwner(connections, 'owner', AT);
    const { reads, writes } = openDatabases(connections, ownerId);
    const endAll = () =>
      runAsAdmin(
        nameOf(connections.settings.url),
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    await Promise.all(Array.from({ length: 5 }, () => reads.query(sql`select 1`)));
    await endAll();
    const answers = await Promise.all(Array.from({ length: 20 }, () => reads.query(sql`select 1 as one`)));
    expect(answers.flat()).toEqual(answers.map(() => ({ one: 1 })));
    const interrupted = writes.transact(async (queries) => {
      await queries.run(sql`insert into settings values (${ownerId}, 'lost', '1')`);
      await endAll();
      await queries.run(sql`insert into settings values (${ownerId}, 'lost too', '1')`);
    });
    await expect(interrupted).rejects.toMatchObject({
      code: 'busy',
      message: 'The database cannot be reached at the moment.',
    });
    expect(await reads.query(sql`select name from settings`)).toEqual([]);
    await writes.transact((queries) =>
      queries.run(sql`insert into settings values (${ownerId}, 'kept', '1')`),
    );
    expect(await reads.query(sql`select name from settings`)).toEqual([{ name: 'kept' }]);
  });

  it('stops a statement that takes too long', async () => {
    const connections = createConnections({
      ...testSettings,
      statementTimeoutMs: 100,
      url: await createTestDatabase(),
    });
    onTestFinished(() => connections.close());
    const { reads } = openDatabases(connections, 1);
    await expect(reads.query(sql`select pg_sleep(5)`)).rejects.toMatchObject({ code: 'timeout' });
    await expect(reads.snapshot((queries) => queries.query(sql`select pg_sleep(5)`))).rejects.toMatchObject({
      code: 'timeout',
    });
    expect(await reads.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  it('does not keep callers waiting while it does not answer', async () => {
    const url = await createTestDatabase();
    const proxy = await startSilentProxy(url);
    const connections = createConnections({ ...testSettings, statementTimeoutMs: 200, url: proxy.url });
    onTestFinished(() => connections.close());
    await connections.withConnection('transactions', 0, migrate);
    const ownerId = await addOwner(connections, 'owner', AT);
    const { reads, writes } = openDatabases(connections, ownerId);
    const work: readonly (() => Promise<unknown>)[] = [
      () => reads.query(sql`select 1 as one`),
      () => reads.snapshot((queries) => queries.query(sql`select 1 as one`)),
      () => writes.run(sql`insert into settings values (${ownerId}, 'alone', '1')`),
      () => writes.transact(() => writes.run(sql`insert into settings values (${ownerId}, 'together', '1')`)),
    ];
    // All of them have a connection before it freezes.
    await Promise.all([...work.slice(0, 3).map(() => reads.query(sql`select pg_sleep(0.1)`))]);
    proxy.freeze();
    const started = performance.now();
    for (const outcome of await Promise.allSettled(work.map((run) => run())))
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'busy', message: 'The database cannot be reached at the moment.' },
      });
    expect(performance.now() - started).toBeLessThan(10_000);
    proxy.wake();
    expect(await reads.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await writes.transact(() => writes.run(sql`insert into settings values (${ownerId}, 'later', '1')`));
    const stored = await reads.query<{ name: string }>(sql`select name from settings`);
    expect(stored.map(({ name }) => name)).not.toContain('together');
  });

  // A disk that is really full: test/cluster/bad-news.test.ts.
  it('has a full disk', async () => {
    const error = Object.assign(new Error('could not extend file'), { code: '53100' });
    expect(toPostgresError(error)).toMatchObject({ code: 'disk_full' });
  });

  it('is asked by mistake: an error of ours stays one', async () => {
    const connections = await connect(await createTestDatabase());
    const { reads } = openDatabases(connections, 1);
    await expect(reads.query(sql`select nonsense`)).rejects.toMatchObject({ code: '42703' });
  });
});
