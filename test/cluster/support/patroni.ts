import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../support/run-cli.ts';
import { findProgram, POSTGRES_BIN } from './install.ts';
import { giveFolder, signalGroup, startProgram, waitUntil } from './run-program.ts';

/** Seconds after which the key of a leader that does not renew it expires. Patroni's own default is 30. */
export const LEADER_TTL_SECONDS = 10;

/** A PostgreSQL server and the Patroni that runs it. */
export interface PatroniNode {
  readonly name: string;
  readonly port: number;
  readonly apiPort: number;
  start(): void;
  /** Sends a signal to Patroni and to PostgreSQL, as if the machine failed. */
  signalAll(signal: NodeJS.Signals): void;
  /** Kills PostgreSQL only. Patroni notices it. */
  killPostgres(): void;
}

export interface PatroniCluster {
  readonly nodes: readonly PatroniNode[];
  url(): string;
  findLeader(): Promise<PatroniNode>;
  /** Waits until one node leads, and the others receive its changes. */
  waitUntilHealthy(): Promise<void>;
  /** Runs a statement on the leader, as the administrator. */
  query<Row extends object>(text: string, database?: string): Promise<Row[]>;
  stop(): void;
}

/** Starts three nodes. A write is acknowledged when it is on the disk of two. */
export async function startPatroni(folder: string): Promise<PatroniCluster> {
  const { etcd, etcdPort } = await startEtcd(giveFolder(join(folder, 'etcd')));
  const nodes: PatroniNode[] = [];
  for (const name of ['a', 'b', 'c']) nodes.push(await createNode(join(folder, name), name, etcdPort));
  for (const node of nodes) node.start();
  const cluster = describeCluster(nodes, etcd);
  await cluster.waitUntilHealthy();
  await cluster.query(`create user pdpp`);
  await cluster.query('create database pdpp owner pdpp');
  return cluster;
}

async function startEtcd(folder: string): Promise<{ etcd: ChildProcess; etcdPort: number }> {
  const [etcdPort, peerPort] = [await findFreePort(), await findFreePort()];
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
  const etcd = startProgram(
    findProgram('etcd'),
    [
      ...['--name', 'one', '--data-dir', join(folder, 'data'), '--enable-v2=true'],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...[
        '--listen-peer-urls',
        peer,
        '--initial-advertise-peer-urls',
        peer,
        '--initial-cluster',
        `one=${peer}`,
      ],
    ],
    join(folder, 'log'),
  );
  await waitUntil('etcd answers', async () => (await fetch(`${client}/health`)).ok);
  return { etcd, etcdPort };
}

async function createNode(folder: string, name: string, etcdPort: number): Promise<PatroniNode> {
  giveFolder(folder);
  const [port, apiPort] = [await findFreePort(), await findFreePort()];
  const data = join(folder, 'data');
  const file = join(folder, 'patroni.yml');
  writeFileSync(file, JSON.stringify(nodeSettings({ name, port, apiPort, etcdPort, data, folder }), null, 2));
  let child: ChildProcess | undefined;
  return {
    name,
    port,
    apiPort,
    start() {
      child = startProgram(findProgram('patroni'), [file], join(folder, 'log'));
    },
    signalAll(signal) {
      if (child !== undefined) signalGroup(child, signal);
      // PostgreSQL has a session of its own, and its processes have one each.
      signalServer(data, signal);
    },
    killPostgres: () => signalServer(data, 'SIGKILL'),
  };
}

/** Sends a signal to the processes of a server, if it runs. */
function signalServer(data: string, signal: NodeJS.Signals): void {
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    for (const one of [pid, ...children.map(Number)]) process.kill(one, signal);
  } catch {
    // It has ended.
  }
}

interface NodePlace {
  readonly name: string;
  readonly port: number;
  readonly apiPort: number;
  readonly etcdPort: number;
  readonly data: string;
  readonly folder: string;
}

/** Patroni reads YAML, of which JSON is a part. */
function nodeSettings({ name, port, apiPort, etcdPort, data, folder }: NodePlace) {
  const user = { username: 'admin', password: 'admin' };
  return {
    scope: 'pdpp',
    name,
    restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
    // Through version 3 of the interface, Patroni 3.0.2 updates no synchronous standby after it was frozen.
    etcd: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: LEADER_TTL_SECONDS,
        loop_wait: 1,
        retry_timeout: 3,
        maximum_lag_on_failover: 1_048_576,
        master_start_timeout: 0,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          remove_data_directory_on_rewind_failure: true,
          remove_data_directory_on_diverged_timelines: true,
          parameters: { max_connections: 100, wal_log_hints: 'on', synchronous_commit: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { auth: 'trust' }],
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: POSTGRES_BIN,
      pgpass: join(folder, 'pgpass'),
      authentication: { superuser: user, replication: user, rewind: user },
      parameters: { unix_socket_directories: folder },
    },
  };
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly lag?: number | string;
}

function describeCluster(nodes: readonly PatroniNode[], etcd: ChildProcess): PatroniCluster {
  const readMembers = async (): Promise<readonly Member[]> => {
    const answers = nodes.map(async ({ apiPort }) => {
      const response = await fetch(`http://127.0.0.1:${apiPort}/cluster`, {
        signal: AbortSignal.timeout(2_000),
      });
      return ((await response.json()) as { members: Member[] }).members;
    });
    return Promise.any(answers);
  };
  const findLeader = async (): Promise<PatroniNode> => {
    const leader = (await readMembers()).find(({ role, state }) => role === 'leader' && state === 'running');
    const node = nodes.find(({ name }) => name === leader?.name);
    if (node === undefined) throw new Error('No node leads.');
    return node;
  };
  const queryLeader = async <Row extends object>(text: string, database = 'postgres'): Promise<Row[]> => {
    const { port } = await findLeader();
    const client = new pg.Client({ connectionString: `postgres://admin@127.0.0.1:${port}/${database}` });
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  };
  return {
    nodes,
    url: () => {
      const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
      return `postgres://pdpp@${hosts}/pdpp?target_session_attrs=read-write`;
    },
    findLeader,
    async waitUntilHealthy() {
      let members: readonly Member[] = [];
      const isHealthy = async () => {
        members = await readMembers();
        const running = members.filter(({ state }) => state === 'running' || state === 'streaming');
        const roles = members.map(({ role }) => role);
        if (running.length < nodes.length || !roles.includes('sync_standby')) return false;
        // Patroni still calls a node running that has yet to be rewound, which needs another node.
        const following = await queryLeader(`select from pg_stat_replication where state = 'streaming'`);
        return following.length === nodes.length - 1;
      };
      await waitUntil('one node leads, two follow', isHealthy, 300_000).catch((error: Error) => {
        throw new Error(`${error.message}: ${JSON.stringify(members)}`);
      });
    },
    query: queryLeader,
    stop() {
      for (const node of nodes) {
        node.signalAll('SIGCONT');
        node.signalAll('SIGKILL');
      }
      signalGroup(etcd, 'SIGKILL');
    },
  };
}
