import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGrant } from '../../src/grants/grant-store.ts';
import { resolveGrant } from '../../src/grants/resolve-grant.ts';
import { ingestLines } from '../../src/ingest/ingest-lines.ts';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import type { OwnerList } from '../../src/store/owners/owner-list.ts';
import { connectDatabase } from '../../src/store/postgres/connect.ts';
import { openHostedStore } from '../../src/store/postgres/open-store.ts';
import { createOwnerList as createTableList } from '../../src/store/postgres/owner-list.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { createOwnerList as createFileList } from '../../src/store/sqlite/owner-list.ts';
import type { Store } from '../../src/store/store.ts';
import { batchLines, setUpDiary } from '../support/fill-store.ts';
import { postModern } from '../support/mcp-post.ts';
import { testSettings } from '../support/postgres/databases.ts';
import { print, printTable } from '../support/print-table.ts';
import { type Deployment, engineNames, startDeployment } from '../support/servers/deployment.ts';
import { makeFolder } from '../support/temp-folder.ts';

const NOW = new Date();
const POOL_SIZE = 6;
const IDLE_MS = 10_000;
/** `PDPP_TEST_CASES=all` opens as many owners as docs/scaling.md reports. */
const SIZES =
  process.env.PDPP_TEST_CASES === 'all' ? { SQLite: 50, PostgreSQL: 200 } : { SQLite: 12, PostgreSQL: 40 };

/** Adds owners as `pdpp owner add` does, without a process for each. */
async function openOwners(deployment: Deployment, directory: string) {
  const { databaseUrl } = deployment;
  if (databaseUrl === undefined)
    return {
      close: async () => {},
      owners: createFileList(directory),
      open: (name: string): Promise<Store> => openStore(join(directory, 'owners', name)),
    };
  const secret = readFileSync(join(directory, 'server-secret'));
  const connections = await connectDatabase({ ...testSettings, url: databaseUrl, poolSize: 2 }, () => {});
  return {
    close: () => connections.close(),
    owners: createTableList(connections, { directory, secret }),
    open: (name: string): Promise<Store> => openHostedStore(connections, { directory, secret, name }),
  };
}

/** Adds an owner with 50 records, and an app that may read them. Returns its token. */
async function addOwner(owners: OwnerList, open: (name: string) => Promise<Store>, name: string) {
  await owners.add({ name, host: `${name}.localhost` }, NOW);
  const store = await open(name);
  await ingestLines(store.write, await setUpDiary(store), 'UTC', batchLines(1));
  const { streams } = resolveGrant(await loadCatalog(store.read), [{ connection_id: 'mine' }]);
  const { token } = await createGrant(store.write, { clientName: 'Test app', streams }, NOW);
  store.close();
  return token;
}

/** Returns the CPU time that the server has used. Wall time would measure the other tests as well. */
function cpuMs({ server }: Deployment): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // User and system time, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Reads the memory, threads and open files of the server. */
function measure({ server }: Deployment) {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return {
    mb: read('VmRSS') / 1_024,
    threads: read('Threads'),
    files: readdirSync(`/proc/${server.pid}/fd`).length,
  };
}

describe.each(engineNames)('many owners in one process on %s', (engine) => {
  it('share its connections, and each takes little memory', async () => {
    const directory = makeFolder();
    const settings = { DATABASE_POOL_SIZE: String(POOL_SIZE) };
    const deployment = await startDeployment(engine, directory, settings);
    onTestFinished(() => deployment.close());
    const { owners, open, close } = await openOwners(deployment, directory);
    const names = Array.from({ length: SIZES[engine] }, (_, at) => `owner-${at}`);
    const tokens = new Map<string, string>();
    for (const name of names) tokens.set(name, await addOwner(owners, open, name));
    await close();

    const rows: Record<string, string | number>[] = [];
    const note = (what: string) => {
      const { mb, threads, files } = measure(deployment);
      rows.push({ what, MB: Math.round(mb), threads, files });
      return mb;
    };
    const visit = async (name: string) => {
      const at = deployment.at(name);
      // Loads all pages. Nobody can sign in before the owner has set a passphrase.
      const page = await at.request('/login', { headers: { accept: 'text/html' } });
      const args = { name: 'search', arguments: { query: 'words' } };
      const { messages } = await postModern(at, tokens.get(name) ?? '', 'tools/call', args);
      return [page.status, messages[0].result.structuredContent.results.length > 0];
    };
    // The first loads the modules that the others share.
    await visit(names[0] as string);
    const before = note('1 owner');
    const opened = cpuMs(deployment);
    for (const name of names) expect([name, await visit(name)]).toEqual([name, [403, true]]);
    const after = note(`${names.length} owners`);
    const again = cpuMs(deployment);
    for (const name of names) await visit(name);
    const [firstMs, laterMs] = [again - opened, cpuMs(deployment) - again].map((ms) => ms / names.length);
    const idle = cpuMs(deployment);
    await sleep(IDLE_MS);
    const idleMs = ((cpuMs(deployment) - idle) / names.length / IDLE_MS) * 1_000;
    const perOwner = (after - before) / (names.length - 1);
    const server = await countConnections(deployment);
    printTable(rows);
    const ms = `${firstMs?.toFixed(1)} ms of CPU for a first visit, ${laterMs?.toFixed(1)} for the next, ${idleMs.toFixed(2)} a second without visits`;
    print(`${engine}: ${perOwner.toFixed(2)} MB per owner, ${server} connections, ${ms}`);
    expect(server).toBeLessThanOrEqual(POOL_SIZE);
    expect(perOwner).toBeLessThan(engine === 'PostgreSQL' ? 3 : 40);
  }, 300_000);
});

/** Counts the connections of the server. */
async function countConnections({ databaseUrl }: Deployment): Promise<number> {
  if (databaseUrl === undefined) return 0;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int4 as n from pg_stat_activity
        where datname = current_database() and application_name = 'pdpp'`,
    );
    return rows[0]?.n ?? 0;
  } finally {
    await client.end();
  }
}
