import { logSyncError } from '../../accounts/log-sync-error.ts';
import { type Config, localAddress } from '../../config.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { listProcessMetrics } from '../../metrics/process-metrics.ts';
import { unusable } from '../../store/failures.ts';
import { type CheckDepth, isDamage } from '../../store/sqlite/check/check-file.ts';
import { checkInBackground } from '../../store/sqlite/check/check-in-background.ts';
import { serveFolder } from '../../store/sqlite/folder/folder-lock.ts';
import { renewMark } from '../../store/sqlite/folder/folder-mark.ts';
import { makePrivateFolder } from '../../store/sqlite/folder/private-files.ts';
import { createReserve, releaseReserve } from '../../store/sqlite/folder/reserve.ts';
import { openStore, type SqliteStore } from '../../store/sqlite/open-store.ts';
import { createOwnerList } from '../../store/sqlite/owner-list.ts';
import { command, hint } from '../../text/hint.ts';
import { HOUR_MS, MINUTE_MS } from '../../time/durations.ts';
import { CallPause } from '../../workers/call-pause.ts';
import { createImportThread } from '../../workers/import-thread.ts';
import { createReadPool, type ReadPool } from '../../workers/read-pool.ts';
import { formatCommand } from '../run/how-started.ts';
import { checkFolderState } from './check-folder-state.ts';
import type { MainEngine, ServedEngine } from './served-engine.ts';

const MARK_INTERVAL_MS = HOUR_MS;

/** Each has several open files, and a thread while it runs tools: see docs/owners.md. */
const MAX_APPS = 200;
/** Longer than the windows of all limits, which are in memory: closing an app resets them. */
const IDLE_MS = 20 * MINUTE_MS;
/** A thread takes most of the memory of an owner. */
const THREAD_IDLE_MS = MINUTE_MS;

/** Opens the store of the main data folder. The other owners have folders too. */
export async function openServedFolder(config: Config, log: Log): Promise<MainEngine> {
  return {
    ...(await openFolder(config, log, 'every page')),
    owners: createOwnerList(config.mainDirectory),
    maxApps: MAX_APPS,
    idleMs: IDLE_MS,
    measure: async () => listProcessMetrics(),
    openHosted: (hosted, ownerLog, isFirst) =>
      openFolder(
        { ...hosted, workers: Math.min(hosted.workers, 1) },
        ownerLog,
        isFirst ? 'every page' : 'first page',
      ),
  };
}

/** Opens the store of a data folder, and locks the folder for this server. */
async function openFolder(config: Config, log: Log, depth: CheckDepth): Promise<ServedEngine> {
  const { dataDirectory } = config;
  const warn = (message: string) => log('warning', { message });
  makePrivateFolder(dataDirectory, warn);
  if (releaseReserve(dataDirectory)) warn('The disk is almost full. Free some space.');
  const lock = serveFolder(dataDirectory, {
    url: config.publicUrl,
    local: localAddress(config),
    started_at: new Date().toISOString(),
    trusted_proxies: config.trustedProxies,
    backups:
      config.backups === undefined
        ? null
        : { folder: config.backups.folder, every_ms: config.backups.everyMs },
  });
  try {
    const store = await openStore(dataDirectory, warn, depth);
    return createEngine(config, store, log, () => lock.release());
  } catch (error) {
    lock.release();
    throw explainDamage(error);
  }
}

function createEngine(config: Config, store: SqliteStore, log: Log, release: () => void): ServedEngine {
  const damaged = new Set<string>();
  const warn = (message: string) => log('warning', { message });
  const callPause = new CallPause();
  const imports = createImportThread({
    directory: store.directory,
    enterQueue: store.write.enterQueue,
    callPause,
    onSyncError: (error, id) => void logSyncError(log, error, id),
  });
  const readPool = config.workers === 0 ? undefined : startReadPool(config, store);
  return {
    store,
    place: store.directory,
    damaged,
    uploads: imports,
    syncs: imports.sync,
    calls: { onCall: callPause.noteCall, ...(readPool === undefined ? {} : { readPool }) },
    examine: (writeEvent, now) => checkFolderState(store, writeEvent, now),
    async startMaintenance() {
      // One reserve is enough for a disk.
      if (config.owner === undefined) reserveSpace(store.directory, warn);
      return startMarking(store, warn);
    },
    // Reads whole files, so it starts last.
    startChecks: () =>
      checkInBackground(store.directory, (file, result) => {
        if (result === 'damaged') damaged.add(file);
        log('checked', {
          file,
          result,
          ...(result === 'sound' ? {} : { hint: `Run ${formatCommand('doctor')}.` }),
        });
      }),
    explain: explainDamage,
    async close() {
      await readPool?.close();
      store.close();
      release();
    },
  };
}

/** Damage found while starting is reported like any other refusal. */
function explainDamage(error: unknown): unknown {
  if (!isDamage(error) || error instanceof AppError) return error;
  return unusable('A database file is damaged.', hint`Run ${command('doctor')}.`, error);
}

/** Reserves disk space. An error, such as an exceeded quota, does not stop the server. */
function reserveSpace(directory: string, warn: (message: string) => void): void {
  try {
    createReserve(directory);
  } catch {
    warn('Could not reserve disk space. If the disk fills up, the server may not start.');
  }
}

/** Marks the folder regularly, so that a copy of it that is put back later is detected. */
async function startMarking(
  store: SqliteStore,
  warn: (message: string) => void,
): Promise<() => Promise<void>> {
  const mark = async () => {
    try {
      await renewMark(store);
    } catch {
      warn(
        'Could not write the run id to the data folder. If an older copy is restored, pdpp may not detect it.',
      );
    }
  };
  await mark();
  const timer = setInterval(() => void mark(), MARK_INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
    return mark();
  };
}

function startReadPool({ owner, workers, callTimeoutMs, publicUrl }: Config, store: SqliteStore): ReadPool {
  const { directory, cursorKey } = store;
  return createReadPool({
    size: workers,
    deadlineMs: callTimeoutMs,
    directory,
    cursorKey,
    origin: publicUrl,
    idleMs: owner === undefined ? undefined : THREAD_IDLE_MS,
  });
}
