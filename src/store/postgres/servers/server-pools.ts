import pg, { type ClientConfig, type PoolClient, type PoolConfig } from 'pg';
import { createHosts, type Hosts, type RateServer } from './hosts.ts';
import { findParser } from './parameters.ts';

/** How long another server is looked for before the caller is told that the database cannot be reached. */
const CHOOSE_MS = 1_000;
const IDLE_TIMEOUT_MS = 60_000;
/** After this time a connection in use may lead to a server that does not answer any more. */
const STALLED_MS = 3_000;
const WATCH_INTERVAL_MS = 1_000;
/** After this time without an answer the system checks whether the machine of the server is still there. */
const KEEP_ALIVE_MS = 10_000;

const config: PoolConfig = {
  idleTimeoutMillis: IDLE_TIMEOUT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  pipeline: true,
  allowExitOnIdle: true,
  application_name: 'pdpp',
  types: { getTypeParser: findParser },
};

/** Pools of connections to one server at a time, out of those that a URL names. */
export interface ServerPools {
  readonly pools: readonly pg.Pool[];
  connect(name: string): Promise<PoolClient>;
  stopWatching(): void;
}

/** A connection that knows its server. */
interface ServerClient {
  readonly url: string;
  destroy(): void;
}

export interface ServerOptions {
  readonly url: string;
  readonly rate: RateServer;
  /** Whether new connections are rated: a server may have been replaced, or be another one than was meant. */
  readonly isChecked: boolean;
  readonly timeoutMs: number;
  /** The connections of each pool, by its name. */
  readonly sizes: Readonly<Record<string, number>>;
}

export function createServerPools({ url, rate, isChecked, timeoutMs, sizes }: ServerOptions): ServerPools {
  const clients = new Set<ServerClient>();
  const hosts = createHosts(url, rate, (current) => {
    // A server that was replaced may answer later, with old data.
    for (const client of clients) if (client.url !== current) client.destroy();
  });
  const admit =
    isChecked || !hosts.isOne ? { onConnect: (client: pg.ClientBase) => hosts.admit(client) } : {};

  /** Connects to the server that is used at the time. */
  class Client extends pg.Client implements ServerClient {
    readonly url: string;

    constructor(options: ClientConfig = {}) {
      const current = hosts.current();
      super({ ...options, connectionString: current });
      this.url = current;
      clients.add(this);
      this.once('end', () => clients.delete(this));
    }

    destroy(): void {
      this.connection.stream.destroy(new Error('Connection terminated: another server is used.'));
    }
  }
  const pools = new Map(
    Object.entries(sizes).map(([name, max]) => {
      const pool = new pg.Pool({ ...config, ...admit, Client, connectionTimeoutMillis: timeoutMs, max });
      // A connection that breaks while idle leaves the pool; without a listener it would end the process.
      pool.on('error', () => {});
      return [name, pool];
    }),
  );
  const list = [...pools.values()];
  return {
    pools: list,
    connect: (name) => connect(pools.get(name) as pg.Pool, hosts),
    stopWatching: hosts.isOne ? () => {} : watch(list, hosts),
  };
}

/** Takes a connection. If the server is gone or was replaced, another one of the same URL is used. */
async function connect(pool: pg.Pool, hosts: Hosts): Promise<PoolClient> {
  const started = performance.now();
  for (;;) {
    const tried = hosts.current();
    try {
      const client = (await pool.connect()) as PoolClient & ServerClient;
      if (client.url === hosts.current()) return client;
      client.release(true);
    } catch (error) {
      if (hosts.isOne || performance.now() - started > CHOOSE_MS) throw error;
      if (hosts.current() === tried) await hosts.choose();
      if (hosts.current() === tried) throw error;
    }
  }
}

/** Looks for another server while a connection is in use for long: a server that froze ends no connection. */
function watch(pools: readonly pg.Pool[], hosts: Hosts): () => void {
  const inUse = new Map<PoolClient, number>();
  for (const pool of pools) {
    pool.on('acquire', (client) => inUse.set(client, performance.now()));
    pool.on('release', (_error, client) => inUse.delete(client));
  }
  const timer = setInterval(() => {
    const latest = performance.now() - STALLED_MS;
    if ([...inUse.values()].some((since) => since < latest)) void hosts.choose();
  }, WATCH_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}
