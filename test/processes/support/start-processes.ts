import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createConnections } from '../../../src/store/postgres/connections.ts';
import { type Migration, migrate } from '../../../src/store/postgres/migrations.ts';
import { prepareDatabase, SECRET } from '../../cluster/support/served.ts';
import { testSettings } from '../../support/postgres/databases.ts';
import { startOwnServer } from '../../support/postgres/server.ts';
import { findFreePort, startCli, waitForEnd, waitForText } from '../../support/run-cli.ts';
import { ORIGIN } from '../../support/world.ts';
import { type RoundRobin, startRoundRobin } from './round-robin.ts';

export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** One `pdpp serve` with a data folder of its own. */
export interface Process {
  readonly port: number;
  /** Sends a request to this process. */
  readonly request: Send;
  /** Waits for the end of the process. */
  readonly ended: ReturnType<typeof waitForEnd>;
  kill(signal: NodeJS.Signals): void;
}

/** Several processes on one database, behind a proxy. */
export interface Processes {
  /** A token of the owner, for ingest. */
  readonly ownerToken: string;
  readonly all: readonly Process[];
  /** Sends a request to the next process. */
  readonly request: Send;
  /** Ends a process by a signal, and waits until it is gone. */
  end(process: Process, signal: NodeJS.Signals): Promise<number | null>;
  /** Starts another process. */
  add(): Promise<Process>;
  restartDatabase(): void;
  /** Runs a statement as the administrator of the database. */
  query<Row extends object>(text: string): Promise<Row[]>;
  /** Runs migrations on the database. */
  migrate(list: readonly Migration[]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a database server, processes on it, and a proxy. */
export async function startProcesses(count: number, options: readonly string[] = []): Promise<Processes> {
  const database = startOwnServer();
  const url = await createDatabase(database.url);
  const ownerToken = await prepareDatabase({ url });
  const proxy = await startRoundRobin(new URL(ORIGIN).host);
  const folders: string[] = [];
  const all: Process[] = [];
  const add = async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pdpp-process-'));
    folders.push(folder);
    const started = await startProcess(url, folder, options);
    all.push(started);
    route(proxy, all);
    return started;
  };
  await Promise.all(Array.from({ length: count }, add));
  return {
    ownerToken,
    all,
    add,
    request: createSend(proxy.port),
    async end(process, signal) {
      process.kill(signal);
      const { code } = await process.ended;
      all.splice(all.indexOf(process), 1);
      route(proxy, all);
      return code;
    },
    restartDatabase: () => database.restart(),
    query: (text) => query(database.url('pdpp', 'admin'), text),
    async migrate(list) {
      const connections = createConnections({ ...testSettings, url });
      await connections.withConnection('transactions', 0, (connection) => migrate(connection, list));
      await connections.close();
    },
    async stop() {
      for (const process of all) process.kill('SIGKILL');
      await Promise.all(all.map(({ ended }) => ended));
      await proxy.close();
      database.stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const route = (proxy: RoundRobin, all: readonly Process[]) => proxy.route(all.map(({ port }) => port));

const createSend =
  (port: number): Send =>
  (path, init) =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });

async function startProcess(url: string, folder: string, options: readonly string[]): Promise<Process> {
  const port = await findFreePort();
  const child = startCli(
    ['serve', '--data', folder, '--port', String(port), '--public-url', ORIGIN, ...options],
    { DATABASE_URL: url, PDPP_SERVER_SECRET: SECRET.toString('hex') },
  );
  const ended = waitForEnd(child);
  await waitForText(child, /claude mcp add/);
  return { port, request: createSend(port), ended, kill: (signal) => void child.kill(signal) };
}

/** Creates a database whose owner is an ordinary user. Returns its address. */
export async function createDatabase(url: (database: string, user?: string) => string): Promise<string> {
  for (const text of ['create user pdpp', 'create database pdpp owner pdpp'])
    await query(url('postgres', 'admin'), text);
  return url('pdpp');
}

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
