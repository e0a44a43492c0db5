import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movedTables, stateTables } from '../../../src/store/move/tables.ts';
import { createConnections } from '../../../src/store/postgres/connections.ts';
import { migrate } from '../../../src/store/postgres/migrations.ts';
import { openStore as openDatabase } from '../../../src/store/postgres/open-store.ts';
import { openStore } from '../../../src/store/sqlite/open-store.ts';
import { createBrowser } from '../../support/browser.ts';
import { ingestBatch } from '../../support/fill-store.ts';
import { OAuthClient } from '../../support/oauth-client.ts';
import { createTestDatabase, testSettings } from '../../support/postgres/databases.ts';
import { runCli, startScript, waitForEnd } from '../../support/run-cli.ts';
import {
  type Engine,
  engines,
  openTestStore,
  useEngine,
  withoutFiles,
} from '../../support/stores/engines.ts';
import { hashFolder, makeFolder } from '../../support/temp-folder.ts';
import { createWorld, ORIGIN, type World } from '../../support/world.ts';
import { dumpStore } from './dump-store.ts';
import { callAll, type Held, makeStore } from './make-store.ts';

const CHILD = 'test/store/move/move-child.ts';

/** Moves in a process that kills itself in the middle, twice, and then in one that does not. */
async function moveWithKills(from: string, to: string, secret: Uint8Array): Promise<void> {
  const hex = Buffer.from(secret).toString('hex');
  for (const [writes, when] of [
    ['9', 'before commit'],
    ['3', 'after commit'],
  ] as const) {
    const { code, out, err } = await waitForEnd(startScript(CHILD, [from, to, hex, writes, when]));
    expect([code, out, err]).toEqual([null, '', '']);
  }
}

async function move(args: readonly string[], environment: Record<string, string> = {}) {
  const { code, out, err } = await runCli(['move', ...args, '--json'], { environment });
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as { began: string; tables: { table: string; different: number; source: number }[] };
}

/** Opens the moved database instead of one for tests. Closing the store also closes the connections. */
function postgresAt(url: string, secret: Uint8Array): Engine {
  const connections = createConnections({ ...testSettings, url });
  return {
    name: 'PostgreSQL',
    async open(directory) {
      const store = withoutFiles(await openDatabase(connections, { directory, secret }));
      return { ...store, close: () => void connections.close() };
    },
  };
}

describe('pdpp move', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-move-'));
  const [first, last] = [join(folder, 'first'), join(folder, 'last')];
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let url = '';
  let held: Held;
  let before: string[];
  let secret: Uint8Array;
  let hashes: Record<string, string>;

  beforeAll(async () => {
    held = await makeStore(first);
    url = await createTestDatabase();
    secret = readFileSync(join(first, 'server-secret'));
    const world = await createWorld({ directory: first, timeZone: 'Europe/Berlin', clock: 'real' });
    before = await callAll(world, held);
    world.store.close();
    hashes = hashFolder(first);
  });

  it('moves a store to PostgreSQL, killed half-way twice', async () => {
    await moveWithKills(first, url, secret);
    const { began, tables } = await move(['--data', first, '--to', url]);
    expect(began).toBe('continued');
    expect(tables.filter(({ different }) => different > 0)).toEqual([]);
    const counts = Object.fromEntries(tables.map(({ table, source }) => [table, source]));
    expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
  });

  it('does not change the source', () => {
    expect(hashFolder(first)).toMatchObject(hashes);
  });

  it('moves it back, killed half-way twice, with every row as before', async () => {
    await moveWithKills(url, last, secret);
    const environment = { DATABASE_URL: url };
    expect((await move(['--data', first, '--to', last], environment)).began).toBe('continued');
    const [a, b] = [dumpStore(first), dumpStore(last)];
    // A removal that was under way: its records are not moved.
    expect(withoutRemoved(b)).toEqual(withoutRemoved(a));
    expect(readFileSync(join(last, 'server-secret')).equals(secret)).toBe(true);
    expect(readdirSync(last).filter((name) => /move|restore/.test(name))).toEqual([]);
  });

  it.each(['PostgreSQL', 'SQLite'])('keeps tokens, grants, sessions and cursors on %s', async (name) => {
    const directory = name === 'SQLite' ? last : makeFolder();
    const sqlite = engines.find((engine) => engine.name === 'SQLite') as Engine;
    useEngine(name === 'SQLite' ? sqlite : postgresAt(url, secret));
    let world: World | undefined;
    try {
      world = await createWorld({ directory, timeZone: 'Europe/Berlin', clock: 'real' });
      expect(await callAll(world, held)).toEqual(before);
      const owner = { authorization: `Bearer ${held.ownerToken}` };
      expect((await world.request('/v1/streams', { headers: owner })).status).toBe(200);
      const refreshed = await new OAuthClient(world, held.clientId).refresh(held.tokens.refresh_token);
      expect(refreshed.status).toBe(200);
      const browser = createBrowser(world.request, ORIGIN);
      for (const [key, value] of held.cookies) browser.cookies.set(key, value);
      expect((await browser.open('/dashboard')).url).toBe(`${ORIGIN}/dashboard`);
      const added = await world.ingest('mine', 'entries', [
        {
          key: 'later',
          emitted_at: '2026-11-09T00:00:00Z',
          data: { id: 'later', body: 'written after the move' },
        },
      ]);
      expect(added.new).toBe(1);
      const found = await world.call(held.token, 'search', { query: 'written after the move' });
      expect(JSON.stringify(found.content)).toContain('later');
    } finally {
      world?.store.close();
      useEngine(sqlite);
    }
  });

  it('refuses a target that holds data', async () => {
    for (const args of [
      ['--data', first, '--to', url],
      ['--from', url, '--to', last, '--data', first],
    ]) {
      const { code, err } = await runCli(['move', ...args]);
      expect([code, err]).toEqual([2, expect.stringContaining('already holds data')]);
    }
  });
});

/** Leaves out the rows of the stream that is being removed, in the tables that have streams. */
function withoutRemoved(dump: Record<string, unknown[]>): Record<string, unknown[]> {
  const removed = new Set((dump['store.sqlite removals'] as unknown[][]).map(([streamId]) => streamId));
  const kept = { ...dump };
  for (const name of ['records', 'facets', 'history', 'deletions', 'days']) {
    const at = name === 'records' ? 1 : 0;
    kept[`store.sqlite ${name}`] = (dump[`store.sqlite ${name}`] as unknown[][]).filter(
      (row) => !removed.has(row[at]),
    );
  }
  const rids = new Set((kept['store.sqlite records'] as unknown[][]).map(([rid]) => rid));
  kept['store.sqlite places'] = (dump['store.sqlite places'] as unknown[][]).filter((row) =>
    rids.has(row[1]),
  );
  return kept;
}

describe('a target that is not complete', () => {
  it('is not served, and is filled anew when the source has changed', async () => {
    const folder = join(makeFolder(), 'data');
    const store = await openStore(folder);
    await ingestBatch(store, 1);
    store.close();
    const url = await createTestDatabase();
    const secret = readFileSync(join(folder, 'server-secret'));
    await waitForEnd(startScript(CHILD, [folder, url, '', '0', 'after commit']));
    const connections = createConnections({ ...testSettings, url });
    await expect(openDatabase(connections, { directory: folder, secret })).rejects.toThrow('not complete');
    await connections.close();
    const changed = await openStore(folder);
    await changed.write.grants.add({
      ...{ grant_id: 'g', client_name: 'Later', created_at: '2026-11-01T00:00:00Z', body: '{}' },
      ...{ expires_at: null, revoked_at: null, client_id: null, verified_host: null },
      ...{ redirect_host: null, ended_connections: null },
    });
    changed.close();
    const { began, tables } = await move(['--data', folder, '--to', url]);
    expect(began).toBe('restarted');
    expect(tables.find(({ table }) => table === 'grants')?.source).toBe(1);

    const target = join(makeFolder(), 'target');
    const hex = secret.toString('hex');
    await waitForEnd(startScript(CHILD, [url, target, hex, '0', 'after commit']));
    expect(existsSync(join(target, 'store.sqlite'))).toBe(false);
    await expect(openTestStore(target)).rejects.toThrow('not complete');
  });

  it('is not used while a server has the source open', async () => {
    const folder = join(makeFolder(), 'data');
    const store = await openStore(folder);
    const url = await createTestDatabase();
    const { code, err } = await runCli(['move', '--data', folder, '--to', url]);
    expect([code, err]).toEqual([2, expect.stringContaining('has this data folder open')]);
    store.close();
  });

  it('is refused with another server secret, which would end every session', async () => {
    const folder = join(makeFolder(), 'data');
    (await openStore(folder)).close();
    const other = join(makeFolder(), 'secret');
    writeFileSync(other, Buffer.alloc(32, 9));
    const environment = { PDPP_SERVER_SECRET_FILE: other };
    const url = await createTestDatabase();
    const { code, err } = await runCli(['move', '--data', folder, '--to', url], { environment });
    expect([code, err]).toEqual([2, expect.stringContaining('not the server secret of the source')]);
  });
});

/** Columns that each engine fills by itself. */
const OWN_COLUMNS = /^(?:owner_id|mac|piece_id|s\d+[nt]?|size|word_counts)$/;

describe('the list of moved tables', () => {
  it('has every column of these tables', async () => {
    const folder = makeFolder();
    (await openStore(folder)).close();
    const inFolder = ['store.sqlite', 'audit.sqlite'].flatMap((file) => {
      const database = new Database(join(folder, file), { readonly: true });
      const text = `select t.name as "table", c.name as "column" from sqlite_master t, pragma_table_info(t.name) c`;
      const rows = database.prepare(text).all() as TableColumn[];
      database.close();
      return rows.filter(({ table, column }) => `${table}.${column}` !== 'lexicon.id');
    });
    const inDatabase = await queryDatabase<TableColumn>(
      `select table_name as "table", column_name as "column" from information_schema.columns where table_schema = 'public'
        and table_name || column_name <> 'lexiconid'`,
    );
    for (const stored of [inFolder, inDatabase])
      for (const { name, columns } of [...movedTables, ...stateTables]) {
        const own = stored.filter(({ table }) => table === name).map(({ column }) => column);
        expect([name, own.filter((column) => !OWN_COLUMNS.test(column)).sort()]).toEqual([
          name,
          Object.keys(columns).sort(),
        ]);
      }
  });

  it('has every table, but for indexes that are built again and what concerns processes', async () => {
    const moved = [...movedTables, ...stateTables].map(({ name }) => name);
    const folder = makeFolder();
    (await openStore(folder)).close();
    const stored = Object.keys(dumpStore(folder)).map((name) => name.split(' ')[1]);
    const built = ['facets', 'places', 'sqlite_sequence'];
    expect(stored.filter((name) => !moved.includes(name ?? '') && !built.includes(name ?? ''))).toEqual([]);
    const names = (
      await queryDatabase<{ name: string }>(
        `select tablename as name from pg_tables where schemaname = 'public'`,
      )
    ).map(({ name }) => name);
    const own = ['owners', 'pdpp_schema', 'word_blocks', 'word_segments', 'word_chunks'];
    const ofProcesses = ['leases', 'attempts', 'buckets', 'jobs', 'job_parts'];
    expect(names.filter((name) => ![...moved, ...own, ...ofProcesses].includes(name))).toEqual([]);
  });
});

interface TableColumn {
  readonly table: string;
  readonly column: string;
}

/** Returns rows of a new database. */
async function queryDatabase<Row>(text: string): Promise<Row[]> {
  const connections = createConnections({ ...testSettings, url: await createTestDatabase() });
  await connections.withConnection('transactions', 0, migrate);
  const { rows } = await connections.withConnection('calls', 0, (connection) =>
    connection.run({ text, values: [] }),
  );
  await connections.close();
  return rows as Row[];
}
