import { setFlagsFromString } from 'node:v8';
import { createApp } from '../app.ts';
import { createAudit } from '../audit/audit.ts';
import { createEventLog } from '../audit/events.ts';
import { allowedHosts, type Config, localAddress } from '../config.ts';
import { AppError } from '../errors.ts';
import { listen, type ServerType } from '../http/listen.ts';
import { createServedImports } from '../http/owner/served-imports.ts';
import { finishErasing } from '../import/remove-connection.ts';
import type { ImportService } from '../import/service/import-service.ts';
import { clearUploads } from '../import/service/upload-folder.ts';
import { createProxyList } from '../limits/proxies.ts';
import { createLog, type Log } from '../log.ts';
import { hasPassphrase } from '../owner/passphrase.ts';
import { createSetupLink } from '../owner/setup-link.ts';
import { setTimeZone } from '../schema-index/edit-catalog.ts';
import { isDamage } from '../store/sqlite/check/check-file.ts';
import { checkInBackground } from '../store/sqlite/check/check-in-background.ts';
import { serveFolder } from '../store/sqlite/folder/folder-lock.ts';
import { renewMark } from '../store/sqlite/folder/folder-mark.ts';
import { makePrivateFolder } from '../store/sqlite/folder/private-files.ts';
import { keepReserve, useReserve } from '../store/sqlite/folder/reserve.ts';
import { openStore, type SqliteStore } from '../store/sqlite/open-store.ts';
import type { Store } from '../store/store.ts';
import { unusable } from '../store/store-error.ts';
import { command, formatHint, hint } from '../text/hint.ts';
import { HOUR_MS } from '../time/durations.ts';
import { version } from '../version.ts';
import { createReadPool, type ReadPool } from '../workers/read-pool.ts';
import { formatCount } from './print/print.ts';
import { formatForTerminal } from './print/terminal-hint.ts';
import { type Call, getText } from './run/call.ts';
import { calledAs, formatCommand } from './run/how-started.ts';
import { readConfig } from './run/with-store.ts';
import { checkFolderState } from './serve/check-folder-state.ts';
import { startAuditRetention } from './serve/start-retention.ts';
import { warmUp } from './serve/warm-up.ts';
import { checkFolder, startWatching } from './watch.ts';

const MAX_DRAIN_MS = 10_000;
const MARK_INTERVAL_MS = HOUR_MS;

export async function serve(call: Call): Promise<void> {
  // Collects garbage earlier, which saves about a hundred megabytes.
  setFlagsFromString('--heap-growing-percent=50');
  const config = readConfig(call);
  const watchedFolder = getText(call, 'watch');
  if (watchedFolder !== undefined) checkFolder(watchedFolder);
  const log = createLog();
  makePrivateFolder(config.dataDirectory, (message) => log('warning', { message }));
  if (useReserve(config.dataDirectory))
    log('warning', {
      message: 'The disk is almost full. Free some space.',
    });
  const lock = serveFolder(config.dataDirectory, {
    url: config.publicUrl,
    local: localAddress(config),
    started_at: new Date().toISOString(),
  });
  try {
    await runServer(config, log, watchedFolder);
  } catch (error) {
    // Damage found while starting is reported like any other refusal.
    if (isDamage(error) && !(error instanceof AppError))
      throw unusable('A database file is damaged.', hint`Run ${command('doctor')}.`, error);
    throw error;
  } finally {
    lock.release();
  }
}

async function runServer(config: Config, log: Log, watchedFolder: string | undefined): Promise<void> {
  const warn = (message: string) => log('warning', { message });
  const store = await openStore(config.dataDirectory, warn);
  await setTimeZone(store.write, config.timeZone);
  const writeEvent = createEventLog(store.audit);
  const found = await checkFolderState(store, writeEvent, new Date());
  for (const sentence of found) warn(formatHint(sentence));
  const warnings = found.map((sentence) => `WARNING: ${formatForTerminal(sentence)}\n`);
  const text = [...warnings, await welcome(config, store)].join('\n');
  const damaged = new Set<string>();
  clearUploads(config.dataDirectory);
  const imports = createServedImports(store, log, () => new Date());
  const readPool = config.workers === 0 ? undefined : startReadPool(config, store);
  const { server, app } = await start({ config, store, imports, log, damaged, readPool });
  const removing = finishInterrupted(store, log);
  reserveSpace(config.dataDirectory, warn);
  const retention = await startAuditRetention(config, store, log);
  const stopMarking = await startMarking(store, warn);
  const stopWatching =
    watchedFolder === undefined ? async () => {} : startWatching(store, watchedFolder, log);
  // Registered before the greeting, because a script may stop the server as soon as it reads it.
  const stopped = waitForStop(server);
  await warmUp(server, store, app.request, config.publicUrl);
  console.log(text);
  // Reads whole files, so it starts last.
  const stopCheck = checkInBackground(config.dataDirectory, (file, result) => {
    if (result === 'damaged') damaged.add(file);
    log('checked', {
      file,
      result,
      ...(result === 'sound' ? {} : { hint: `Run ${formatCommand('doctor')}.` }),
    });
  });
  await stopped;
  await stopWatching();
  await removing;
  await imports.close();
  stopCheck();
  await stopMarking();
  await retention.stop();
  await readPool?.close();
  store.close();
}

/** Finishes an interrupted removal. An error, such as a full disk, does not stop the server. */
async function finishInterrupted(store: Store, log: Log): Promise<void> {
  try {
    const records = await finishErasing(store, new Date());
    if (records > 0) log('removal finished', { records });
  } catch (error) {
    log('removal failed', { message: error instanceof Error ? error.message : String(error) });
  }
}

/** Reserves disk space. An error, such as an exceeded quota, does not stop the server. */
function reserveSpace(directory: string, warn: (message: string) => void): void {
  try {
    keepReserve(directory);
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
      warn('Could not mark the data folder. A restored older copy may go undetected.');
    }
  };
  await mark();
  const timer = setInterval(() => void mark(), MARK_INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
    return mark();
  };
}

function startReadPool({ workers, callTimeoutMs, publicUrl }: Config, store: SqliteStore): ReadPool {
  const { directory, cursorKey } = store;
  return createReadPool({
    size: workers,
    deadlineMs: callTimeoutMs,
    directory,
    cursorKey,
    origin: publicUrl,
  });
}

interface Started {
  readonly config: Config;
  readonly store: SqliteStore;
  readonly imports: ImportService;
  readonly log: Log;
  readonly damaged: ReadonlySet<string>;
  readonly readPool: ReadPool | undefined;
}

async function start({
  config,
  store,
  imports,
  log,
  damaged,
  readPool,
}: Started): Promise<{ server: ServerType; app: ReturnType<typeof createApp> }> {
  const app = createApp({
    damaged,
    store,
    imports,
    ...(readPool && { readPool }),
    publicUrl: config.publicUrl,
    hosts: allowedHosts(config),
    audit: createAudit(store.audit),
    log,
    now: () => new Date(),
    version,
    called: { ...calledAs, port: config.port },
    callRule: config.callRule,
    zoneIsGiven: config.timeZoneIsGiven,
    trustedProxies: config.trustedProxies,
  });
  try {
    const server = await listen(app.fetch, config.host, config.port, {
      max: config.connections,
      isProxy: createProxyList(['127.0.0.0/8', '::1', ...config.trustedProxies]),
    });
    return { server, app };
  } catch (cause) {
    await readPool?.close();
    store.close();
    const taken = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
    throw new AppError(
      'conflict',
      taken ? `Port ${config.port} is in use.` : `Cannot listen on ${config.host}, port ${config.port}.`,
      { hint: `Stop the other program, or choose another port: --port ${config.port + 1}`, cause },
    );
  }
}

async function welcome(config: Config, store: Store): Promise<string> {
  const n = await store.read.stored.count();
  const next =
    n === 0
      ? `none yet. Upload your exports on the page, or add demo data: ${formatCommand('demo')}`
      : `${formatCount(n)} records in ${config.dataDirectory}`;
  const open = (await hasPassphrase(store.read))
    ? `${config.publicUrl}/dashboard/connect`
    : `${await createSetupLink(store.write, config.publicUrl, new Date())}   (works once, for one hour)`;
  return `pdpp ${version}

Open   ${open}
Data   ${next}
Add    claude mcp add --transport http pdpp ${config.publicUrl}/mcp`;
}

/** Waits for a signal, then for running requests. */
function waitForStop(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      const force = setTimeout(
        () => 'closeAllConnections' in server && server.closeAllConnections(),
        MAX_DRAIN_MS,
      );
      server.close(() => {
        clearTimeout(force);
        resolve();
      });
      if ('closeIdleConnections' in server) server.closeIdleConnections();
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  });
}
