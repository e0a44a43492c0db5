import type pg from 'pg';
import type { PoolClient } from 'pg';
import { ratePrimary } from './rate-primary.ts';
import { createServerPools } from './server-pools.ts';

/** What a connection is for: reads and single writes, transactions, or reads of a replica. */
export type PoolUse = 'calls' | 'transactions' | 'replica';

export interface Pools {
  connect(use: PoolUse): Promise<PoolClient>;
  /** The connections in use, idle, and the callers that wait for one. */
  count(): { readonly total: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

export interface PoolSettings {
  readonly url: string;
  readonly poolSize: number;
  readonly replicaUrl?: string | undefined;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** A caller that waits longer for the replica asks the primary. */
const REPLICA_TIMEOUT_MS = 500;
const MIN_POOL_SIZE = 2;

/** Connects when the first statement runs. `checkReplica` throws if a server is not a replica of the database. */
export function createPools(
  settings: PoolSettings,
  checkReplica: (client: pg.ClientBase) => Promise<void>,
): Pools {
  const size = Math.max(settings.poolSize, MIN_POOL_SIZE);
  const forTransactions = Math.max(1, Math.floor(size / 4));
  const primary = createServerPools({
    url: settings.url,
    rate: ratePrimary,
    isChecked: false,
    timeoutMs: CONNECT_TIMEOUT_MS,
    sizes: { calls: size - forTransactions, transactions: forTransactions },
  });
  const rateReplica = async (client: pg.ClientBase) => {
    await checkReplica(client);
    return 0;
  };
  const replica =
    settings.replicaUrl === undefined
      ? undefined
      : createServerPools({
          url: settings.replicaUrl,
          rate: rateReplica,
          isChecked: true,
          timeoutMs: REPLICA_TIMEOUT_MS,
          sizes: { replica: size - forTransactions },
        });
  const list = [primary, replica].filter((one) => one !== undefined);
  const pools = list.flatMap((one) => one.pools);
  return {
    connect: (use) => (use === 'replica' && replica !== undefined ? replica : primary).connect(use),
    count() {
      const sum = (name: 'totalCount' | 'idleCount' | 'waitingCount') =>
        pools.reduce((all, pool) => all + pool[name], 0);
      return { total: sum('totalCount'), idle: sum('idleCount'), waiting: sum('waitingCount') };
    },
    async close() {
      for (const { stopWatching } of list) stopWatching();
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}
