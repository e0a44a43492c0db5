import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { batchLines } from '../support/fill-store.ts';
import { runCli } from '../support/run-cli.ts';
import { installPrograms } from './support/install.ts';
import { createServer, type PostgresServer } from './support/postgres-server.ts';
import { giveFolder, makeClusterFolder, removeFolder } from './support/run-program.ts';
import { prepareDatabase, SECRET, serveDatabase } from './support/served.ts';

const MAX_CONNECTIONS = 12;
const BATCH_SIZE = 500;

let folder: string;
let server: PostgresServer;
beforeAll(async () => {
  installPrograms(['postgres']);
  folder = makeClusterFolder();
  server = await createServer(join(folder, 'server'), [
    `max_connections = ${MAX_CONNECTIONS}`,
    'superuser_reserved_connections = 2',
  ]);
});
afterAll(() => {
  server?.stop('immediate');
  removeFolder(folder);
});

/** Starts a server that is refused. Returns its exit code and what it says. */
async function refuse(url: string): Promise<{ code: number | null; said: string }> {
  const data = join(folder, 'never');
  const environment = { DATABASE_URL: url, PDPP_SERVER_SECRET: SECRET.toString('hex') };
  const { code, err } = await runCli(['serve', '--data', data, '--port', '7733'], { environment });
  return { code, said: err.trim().split('\n')[0] as string };
}

describe('pdpp serve on a database that cannot be used', () => {
  it('says why in one sentence, and ends with its exit code', async () => {
    await server.query(`create user stranger`);
    await server.query('create database frozen owner pdpp');
    await server.query('alter database frozen set default_transaction_read_only = on');
    expect(await refuse('postgres://pdpp@127.0.0.1:1/pdpp')).toEqual({
      code: 3,
      said: 'The database server cannot be reached.',
    });
    expect(await refuse('postgres://pdpp@127.0.0.1:1,127.0.0.1:2/pdpp')).toEqual({
      code: 3,
      said: 'The database server cannot be reached.',
    });
    expect(await refuse(server.url('missing'))).toEqual({ code: 3, said: 'There is no such database.' });
    expect(await refuse(server.url('pdpp', 'nobody_knows'))).toEqual({
      code: 3,
      said: 'The database refused the user or the password.',
    });
    expect(await refuse(server.url('pdpp', 'stranger'))).toEqual({
      code: 3,
      said: 'The user in DATABASE_URL does not have the required permission in the database.',
    });
    expect(await refuse(server.url('frozen'))).toEqual({
      code: 3,
      said: 'The database accepts no changes.',
    });
    const [tables] = await server.query<{ n: number }>(
      `select count(*)::int as n from pg_tables where schemaname = 'public'`,
      'pdpp',
    );
    expect(tables?.n).toBe(0);
  });

  it('says so if the server has no connection left, at the start and later', async () => {
    await prepareDatabase({ url: server.url(), poolSize: 2 });
    const served = await serveDatabase({ DATABASE_URL: server.url(), DATABASE_POOL_SIZE: '2' });
    onTestFinished(() => served.stop());
    const others: pg.Client[] = [];
    onTestFinished(async () => void (await Promise.all(others.map((client) => client.end()))));
    for (let i = 0; i < MAX_CONNECTIONS; i++) {
      const client = new pg.Client({ connectionString: server.url() });
      client.on('error', () => {});
      if (
        await client.connect().then(
          () => true,
          () => false,
        )
      )
        others.push(client);
    }
    expect(await refuse(server.url())).toEqual({ code: 5, said: 'The database has no free connection.' });
  });
});

/** A real file system of a few megabytes, for the tables of one database. */
function mountSmallDisk(path: string): void {
  giveFolder(path);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m,mode=777', 'tmpfs', path]);
}

describe.skipIf(process.getuid?.() !== 0)('a full disk of the database', () => {
  let disk: string;
  let full: PostgresServer;
  beforeAll(async () => {
    disk = join(folder, 'disk');
    mountSmallDisk(disk);
    full = await createServer(join(folder, 'full'));
  });
  afterAll(() => {
    full?.stop('immediate');
    execFileSync('umount', ['--lazy', disk]);
  });

  it('is said in one sentence, stores nothing half, and is over once there is room', async () => {
    const filler = join(disk, 'filler');
    giveFolder(join(disk, 'tables'));
    await full.query(`create tablespace small location '${join(disk, 'tables')}'`);
    await full.query('create database full_disk owner pdpp tablespace small');
    const url = full.url('full_disk');
    const token = await prepareDatabase({ url, poolSize: 2 });
    const served = await serveDatabase({ DATABASE_URL: url, DATABASE_POOL_SIZE: '4' });
    onTestFinished(() => served.stop());
    writeFileSync(filler, Buffer.alloc(8 * 1024 ** 2));

    const stored: number[] = [];
    let refused: { status: number; body: unknown } | undefined;
    for (let batch = 1; refused === undefined && batch < 1_000; batch++) {
      const response = await served.ingest(token, batchLines(batch, BATCH_SIZE));
      const body = await response.json();
      if (response.status === 200) stored.push(batch);
      else refused = { status: response.status, body };
    }
    expect(stored.length).toBeGreaterThan(0);
    expect(refused).toMatchObject({
      status: 507,
      body: { error: { code: 'disk_full', message: 'The disk is full. Nothing was stored.' } },
    });
    const count = async () => {
      const rows = await full.query<{ records: number; days: number }>(
        `select (select count(*)::int from records) as records, (select coalesce(sum(n), 0)::int from days) as days`,
        'full_disk',
      );
      return rows[0];
    };

    rmSync(filler);
    const whole = stored.length * BATCH_SIZE;
    expect(await count()).toEqual({ records: whole, days: whole });
    const again = await served.ingest(token, batchLines(stored.length + 1, BATCH_SIZE));
    expect(again.status).toBe(200);
    expect(await count()).toEqual({ records: whole + BATCH_SIZE, days: whole + BATCH_SIZE });
  });
});
