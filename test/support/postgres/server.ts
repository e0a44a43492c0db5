import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries, findBinaries } from './binaries.ts';

/** The folder of the server that all workers of a test run share. */
const FOLDER_VARIABLE = 'PDPP_TEST_POSTGRES_FOLDER';
const START_TIMEOUT_MS = 60_000;
/** PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

const settings = [
  "listen_addresses = ''",
  'max_connections = 200',
  'shared_buffers = 256MB',
  'fsync = off',
  'synchronous_commit = off',
  'full_page_writes = off',
  'max_wal_size = 2GB',
];

export interface TestServer {
  /** Returns the address of a database, as a user of the tests. */
  url(database: string, user?: string, password?: string): string;
}

/** Prepares a folder in which the first worker that needs the server starts it. Returns a function that ends it. */
export function prepareServer(parent = tmpdir()): () => void {
  const folder = mkdtempSync(join(parent, 'pdpp-pg-'));
  process.env[FOLDER_VARIABLE] = folder;
  return () => stopServer(folder);
}

/** Returns the server of this test run. Starts it if no worker has. */
export async function useServer(): Promise<TestServer> {
  const folder = process.env[FOLDER_VARIABLE] ?? prepareForProcess();
  try {
    mkdirSync(join(folder, 'starting'));
  } catch {
    await waitForStart(folder);
    return toServer(folder);
  }
  try {
    startServer(folder);
  } catch (error) {
    writeFileSync(join(folder, 'failed'), '');
    throw error;
  }
  writeFileSync(join(folder, 'ready'), '');
  return toServer(folder);
}

/** A program that runs without vitest ends the server when it ends. */
function prepareForProcess(): string {
  process.on('exit', prepareServer());
  return process.env[FOLDER_VARIABLE] as string;
}

function toServer(folder: string): TestServer {
  const host = encodeURIComponent(folder);
  return {
    url: (database, user = 'pdpp', password = '') =>
      `postgres://${user}${password === '' ? '' : `:${password}`}@${host}/${database}`,
  };
}

/** Starts a server for one test file alone, which may restart it. */
export function startOwnServer(): TestServer & { restart(): void; stop(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-pg-'));
  startServer(folder);
  return {
    ...toServer(folder),
    restart() {
      const args = ['-D', join(folder, 'data'), '-l', join(folder, 'log'), '-m', 'fast', '-w', 'restart'];
      run(findBinaries(folder), 'pg_ctl', args);
    },
    stop: () => stopServer(folder),
  };
}

async function waitForStart(folder: string): Promise<void> {
  const until = Date.now() + START_TIMEOUT_MS;
  while (!existsSync(join(folder, 'ready'))) {
    if (existsSync(join(folder, 'failed')) || Date.now() > until)
      throw new Error('The PostgreSQL server of the tests did not start.');
    await sleep(50);
  }
}

function startServer(folder: string): void {
  const data = join(folder, 'data');
  const binaries = findBinaries(folder);
  if (isRoot()) chownSync(folder, NOBODY.uid, NOBODY.gid);
  run(binaries, 'initdb', ['-D', data, '-U', 'admin', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']);
  writeFileSync(
    join(data, 'postgresql.conf'),
    [
      readFileSync(join(data, 'postgresql.conf'), 'utf8'),
      ...settings,
      `unix_socket_directories = '${folder}'`,
    ].join('\n'),
  );
  // Users whose names begin like this need a password.
  writeFileSync(join(data, 'pg_hba.conf'), 'local all "/^secret_" scram-sha-256\nlocal all all trust\n');
  run(binaries, 'pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-w', '-t', '60', 'start']);
}

/** Stops a server at once: nobody needs its data. */
function stopServer(folder: string): void {
  const data = join(folder, 'data');
  if (existsSync(join(data, 'postmaster.pid')))
    run(findBinaries(folder), 'pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
  rmSync(folder, { recursive: true, force: true });
}

function run({ folder, env }: Binaries, program: string, args: readonly string[]): void {
  execFileSync(join(folder, program), args, {
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(isRoot() ? NOBODY : {}),
    cwd: '/',
  });
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
