import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../support/run-cli.ts';
import { POSTGRES_BIN } from './install.ts';
import { giveFolder, runProgram } from './run-program.ts';

/** A server of Debian's PostgreSQL that listens on a TCP port. */
export interface PostgresServer {
  readonly port: number;
  readonly data: string;
  url(database?: string, user?: string): string;
  start(): void;
  /** `immediate` is a crash. */
  stop(how?: 'fast' | 'immediate'): void;
  /** Sends a signal to all processes of the server. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void;
  /** Runs a statement as the administrator. */
  query<Row extends object>(text: string, database?: string): Promise<Row[]>;
  /** Creates a server that replays what this one writes. */
  createStandby(folder: string): Promise<PostgresServer>;
}

const settings = [
  "listen_addresses = '127.0.0.1'",
  "unix_socket_directories = ''",
  'max_connections = 100',
  'wal_level = replica',
  'hot_standby = on',
  'max_wal_size = 256MB',
  'fsync = off',
];
const hba = ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust', ''].join('\n');

/** Creates a server with an ordinary user `pdpp` who owns a database `pdpp`, and starts it. */
export async function createServer(folder: string, more: readonly string[] = []): Promise<PostgresServer> {
  giveFolder(folder);
  const data = join(folder, 'data');
  const port = await findFreePort();
  runProgram(join(POSTGRES_BIN, 'initdb'), ['-D', data, '-U', 'admin', '-A', 'trust', '-E', 'UTF8', '-N']);
  appendFileSync(join(data, 'postgresql.conf'), ['', ...settings, ...more, `port = ${port}`, ''].join('\n'));
  writeFileSync(join(data, 'pg_hba.conf'), hba);
  const server = describeServer(folder, port);
  server.start();
  await server.query('create user pdpp');
  await server.query('create database pdpp owner pdpp');
  return server;
}

function describeServer(folder: string, port: number): PostgresServer {
  const data = join(folder, 'data');
  const url = (database = 'pdpp', user = 'pdpp') => `postgres://${user}@127.0.0.1:${port}/${database}`;
  const control = (...args: string[]) =>
    runProgram(join(POSTGRES_BIN, 'pg_ctl'), [
      '-D',
      data,
      '-l',
      join(folder, 'log'),
      '-w',
      '-t',
      '60',
      ...args,
    ]);
  return {
    port,
    data,
    url,
    start: () => void control('start'),
    stop: (how = 'fast') => void control('-m', how, 'stop'),
    signal(signal) {
      const postmaster = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0] as string;
      for (const pid of [postmaster, ...findChildren(postmaster)]) process.kill(Number(pid), signal);
    },
    async query<Row extends object>(text: string, database = 'postgres') {
      const client = new pg.Client({ connectionString: url(database, 'admin') });
      await client.connect();
      try {
        return (await client.query(text)).rows as Row[];
      } finally {
        await client.end();
      }
    },
    async createStandby(standbyFolder) {
      giveFolder(standbyFolder);
      const standbyData = join(standbyFolder, 'data');
      const standbyPort = await findFreePort();
      runProgram(join(POSTGRES_BIN, 'pg_basebackup'), [
        ...['-h', '127.0.0.1', '-p', String(port), '-U', 'admin', '-D', standbyData, '-R', '-c', 'fast'],
      ]);
      appendFileSync(join(standbyData, 'postgresql.conf'), `port = ${standbyPort}\n`);
      const standby = describeServer(standbyFolder, standbyPort);
      standby.start();
      return standby;
    },
  };
}

function findChildren(pid: string): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
}
