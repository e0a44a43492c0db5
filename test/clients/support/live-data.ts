import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { type RoundRobin, startRoundRobin } from '../../processes/support/round-robin.ts';
import { createDatabase } from '../../processes/support/start-processes.ts';
import { startOwnServer } from '../../support/postgres/server.ts';
import { findFreePort } from '../../support/run-cli.ts';

/** Where a live server has its data, and how its processes are reached. */
export interface LiveData {
  /** The port that clients use. */
  readonly port: number;
  /** The data folder, port and environment of each process. */
  readonly processes: readonly { folder: string; port: number; environment: Record<string, string> }[];
  /** Runs a statement on the store or the audit. Returns its rows. */
  query<Row>(part: 'store' | 'audit', text: string): Promise<Row[]>;
  close(): Promise<void>;
}

/** With PDPP_CLIENT_PROCESSES=3 clients talk to three processes on PostgreSQL, behind a round robin. */
const PROCESSES = Number(process.env.PDPP_CLIENT_PROCESSES ?? 0);

export function openLiveData(): Promise<LiveData> {
  return PROCESSES === 0 ? openFolder() : openDatabase();
}

const makeFolder = () => mkdtempSync(join(tmpdir(), 'pdpp-clients-'));
const removeFolder = (folder: string) => rmSync(folder, { recursive: true, force: true });

async function openFolder(): Promise<LiveData> {
  const folder = makeFolder();
  const port = await findFreePort();
  return {
    port,
    processes: [{ folder, port, environment: {} }],
    async query<Row>(part: 'store' | 'audit', text: string) {
      const database = new Database(join(folder, `${part}.sqlite`), { timeout: 5_000 });
      try {
        const statement = database.prepare(text);
        return (statement.reader ? statement.all() : void statement.run()) as Row[];
      } finally {
        database.close();
      }
    },
    close: async () => removeFolder(folder),
  };
}

async function openDatabase(): Promise<LiveData> {
  const server = startOwnServer();
  const url = await createDatabase(server.url);
  const proxy: RoundRobin = await startRoundRobin();
  const environment = { DATABASE_URL: url, PDPP_SERVER_SECRET: randomBytes(32).toString('hex') };
  const processes = await Promise.all(
    Array.from({ length: PROCESSES }, async () => ({
      folder: makeFolder(),
      port: await findFreePort(),
      environment,
    })),
  );
  proxy.route(processes.map(({ port }) => port));
  return {
    port: proxy.port,
    processes,
    async query<Row>(_: 'store' | 'audit', text: string) {
      const client = new pg.Client({ connectionString: server.url('pdpp', 'admin') });
      await client.connect();
      try {
        return (await client.query(text)).rows as Row[];
      } finally {
        await client.end();
      }
    },
    async close() {
      await proxy.close();
      server.stop();
      for (const { folder } of processes) removeFolder(folder);
    },
  };
}
