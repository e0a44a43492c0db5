import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Binaries, findBinaries } from '../../test/support/postgres/binaries.ts';

/** A PostgreSQL server on this machine. Its data stays between runs. */
export interface Cluster {
  /** Returns the address of a database, which is created if needed. */
  createDatabase(name: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  /** Returns the megabytes of a database. */
  measureDatabase(url: string): Promise<number>;
  /** CPU milliseconds of all processes of the server so far. */
  readCpu(): number;
  stop(): void;
}

/** PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const TICK_MS = 10;

/** As PostgreSQL is installed, with memory for a million records. Commits wait for the disk. */
const settings = [
  "listen_addresses = ''",
  'max_connections = 100',
  'shared_buffers = 1GB',
  'max_wal_size = 4GB',
];

/** Starts the server whose data is in a folder. The folder must be short: it also holds the socket. */
export function startCluster(folder: string): Cluster {
  const data = join(folder, 'data');
  mkdirSync(folder, { recursive: true });
  if (isRoot()) chownSync(folder, NOBODY.uid, NOBODY.gid);
  const binaries = findBinaries(folder);
  if (!existsSync(join(data, 'PG_VERSION'))) {
    rmSync(data, { recursive: true, force: true });
    run(binaries, 'initdb', ['-D', data, '-U', 'admin', '-A', 'trust', '-E', 'UTF8', '--locale=C']);
    const file = join(data, 'postgresql.conf');
    const lines = [readFileSync(file, 'utf8'), ...settings, `unix_socket_directories = '${folder}'`];
    writeFileSync(file, lines.join('\n'));
  }
  run(binaries, 'pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-w', '-t', '60', 'start']);
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const url = (database: string, user = 'pdpp') =>
    `postgres://${user}@${encodeURIComponent(folder)}/${database}`;
  return {
    async createDatabase(name) {
      await runAsAdmin(url('postgres', 'admin'), 'create user pdpp');
      await runAsAdmin(url('postgres', 'admin'), `create database ${name} owner pdpp`);
      return url(name);
    },
    dropDatabase: (name) =>
      runAsAdmin(url('postgres', 'admin'), `drop database if exists ${name} with (force)`),
    async measureDatabase(url) {
      const [row] = await query(url, 'select pg_database_size(current_database())::float8 as bytes');
      return Math.round((row as { bytes: number }).bytes / 1e6);
    },
    readCpu: () => readTreeCpu(pid),
    stop: () => run(binaries, 'pg_ctl', ['-D', data, '-m', 'fast', '-w', 'stop']),
  };
}

const EXISTS = ['42710', '42P04'];

async function runAsAdmin(url: string, statement: string): Promise<void> {
  try {
    await query(url, statement);
  } catch (error) {
    if (!EXISTS.includes((error as { code?: string }).code ?? '')) throw error;
  }
}

async function query(connectionString: string, statement: string): Promise<object[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** The parent process counts the time of children that have ended. */
function readTreeCpu(parent: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    const fields = readStat(name);
    if (Number(name) === parent) ticks += sum(fields.slice(11, 15));
    else if (Number(fields[1]) === parent) ticks += sum(fields.slice(11, 13));
  }
  return ticks * TICK_MS;
}

/** Returns the fields after the name of the program. A process may end meanwhile. */
function readStat(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

function sum(ticks: readonly string[]): number {
  return ticks.reduce((total, one) => total + Number(one), 0);
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
