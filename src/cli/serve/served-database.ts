import { logSyncError } from '../../accounts/log-sync-error.ts';
import { createSyncRunner } from '../../accounts/run/create-runner.ts';
import { createCallQueue } from '../../app.ts';
import { limitAlarmsSeen } from '../../audit/alarms.ts';
import type { Config, DatabaseConfig } from '../../config.ts';
import { createUploadRunner } from '../../import/service/run-upload.ts';
import type { FairQueue } from '../../limits/queue.ts';
import type { Log } from '../../log.ts';
import { listProcessMetrics } from '../../metrics/process-metrics.ts';
import { loadImporters } from '../../sources/load-importers.ts';
import { openHostedStore } from '../../store/postgres/open-store.ts';
import { createOwnerList } from '../../store/postgres/owner-list.ts';
import { measureDatabase } from '../../store/postgres/servers/measure-database.ts';
import type { Store } from '../../store/store.ts';
import { describeDatabaseUrl } from '../../text/database-url.ts';
import { MINUTE_MS } from '../../time/durations.ts';
import { openPostgres } from '../run/open-postgres.ts';
import type { MainEngine, ServedEngine } from './served-engine.ts';

/** Each has about half a megabyte in memory, and no connection of its own: see docs/owners.md. */
const MAX_APPS = 1_000;
/** Short, because every open app asks the database for interrupted work. Nothing is lost: limits and uploads are stored. */
const IDLE_MS = 2 * MINUTE_MS;
const MAX_STOP_MS = 10_000;

/** Opens the store in PostgreSQL. Any number of servers can do so. */
export async function openServedDatabase(
  config: Config,
  database: DatabaseConfig,
  log: Log,
): Promise<MainEngine> {
  const store = await openPostgres(config, database, (message) => log('warning', { message }));
  const { connections, secret } = store;
  const queue = createCallQueue(database.poolSize);
  return {
    ...createEngine(config, database, store, queue, log),
    owners: createOwnerList(connections, { directory: config.mainDirectory, secret }),
    maxApps: MAX_APPS,
    idleMs: IDLE_MS,
    maxStopMs: MAX_STOP_MS,
    measure: async () => [...listProcessMetrics(), ...(await measureDatabase(connections))],
    async openHosted(hosted, ownerLog) {
      const { dataDirectory: directory, owner: name = '' } = hosted;
      const own = await openHostedStore(connections, { directory, secret, name });
      // The calls of all owners share the connections, so they wait in one queue.
      const enter = (client: string, signal?: AbortSignal) => queue(`${name} ${client}`, signal);
      return createEngine(hosted, database, own, Object.assign(enter, { count: queue.count }), ownerLog);
    },
    async close() {
      await connections.close();
    },
  };
}

function createEngine(
  config: Config,
  database: DatabaseConfig,
  store: Store,
  queue: FairQueue,
  log: Log,
): ServedEngine {
  return {
    store,
    place: `PostgreSQL, ${describeDatabaseUrl(database.url)}`,
    damaged: new Set(),
    uploads: createUploadRunner({ store, loadImporters, now: () => new Date() }),
    syncs: createSyncRunner({ store, onError: (error) => logSyncError(log, error) }),
    calls: { callTimeoutMs: config.callTimeoutMs, queue },
    async examine() {
      await limitAlarmsSeen(store);
      return [];
    },
    startMaintenance: async () => async () => {},
    startChecks: () => () => {},
    explain: (error) => error,
    close: async () => {},
  };
}
