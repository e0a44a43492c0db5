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
import { showCount } from './print/format.ts';
import { formatForTerminal } from './print/terminal-words.ts';
import { type Call, getText } from './run/call.ts';
import { calledAs, formatCommand } from './run/how-started.ts';
import { readConfig } from './run/with-store.ts';
import { checkFolderState } from './serve/check-folder-state.ts';
import { keepServedAudit } from './serve/start-retention.ts';
import { warmUp } from './serve/warm-up.ts';
import { watchServed } from './serve/watch-served.ts';
import { checkFolder } from './watch.ts';

const DRAIN_MS = 10_000;
const MARK_EVERY_MS = HOUR_MS;

export async function serve(call: Call): Promise<void> {
  // What answers leave behind is collected before it is worth another hundred megabytes.
  setFlagsFromString('--heap-growing-percent=50');
  const config = readConfig(call);
  const watched = getText(call, 'watch');
  if (watched !== undefined) checkFolder(watched);
  const log = createLog();
  makePrivateFolder(config.dataDirectory, (message) => log('warning', { message }));
  if (useReserve(config.dataDirectory))
    log('warning', {
      message: 'The disk is almost full. Remove data you no longer need, or free some space.',
    });
  // Until it ends, however it ends, this process is the only server of the folder.
  const lock = serveFolder(config.dataDirectory, {
    url: config.publicUrl,
    local: localAddress(config),
    started_at: new Date().toISOString(),
  });
  try {
    await runServer(config, log, watched);
  } catch (error) {
    // What is damaged where every server has to look is said like any other refusal.
    if (isDamage(error) && !(error instanceof AppError))
      throw unusable('A database file is damaged.', hint`Run ${command('doctor')}.`, error);
    throw error;
  } finally {
    lock.release();
  }
}

async function runServer(config: Config, log: Log, watched: string | undefined): Promise<void> {
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
  const { server, app } = await start(config, store, imports, log, damaged);
  const removing = finishInterrupted(store, log);
  setReserveAside(config.dataDirectory, warn);
  const keeper = await keepServedAudit(config, store, log);
  const stopMarking = await keepMarking(store, warn);
  const stopWatching = watched === undefined ? async () => {} : watchServed(store, watched, log);
  // Whoever reads the greeting may stop the server the next moment.
  const stopped = untilStopped(server);
  // It listens already; only the greeting waits.
  await warmUp(server, store, app.request, config.publicUrl);
  console.log(text);
  // It reads whole files and is in no hurry: what was to be done at once is done by now.
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
  await keeper.stop();
  store.close();
}

/** Erases what an interrupted removal has left. A full disk is no reason not to serve what is there. */
async function finishInterrupted(store: Store, log: Log): Promise<void> {
  try {
    const records = await finishErasing(store, new Date());
    if (records > 0) log('removal finished', { records });
  } catch (error) {
    log('removal failed', { message: error instanceof Error ? error.message : String(error) });
  }
}

/** A quota may allow less than the disk has free. That is no reason not to serve what is there. */
function setReserveAside(directory: string, warn: (message: string) => void): void {
  try {
    keepReserve(directory);
  } catch {
    warn('No disk space could be set aside; on a full disk the server may not start.');
  }
}

/** The oftener the folder is marked, the younger a copy that is put back can be and still be found out. */
async function keepMarking(
  store: SqliteStore,
  warn: (message: string) => void,
): Promise<() => Promise<void>> {
  const mark = async () => {
    try {
      await renewMark(store);
    } catch {
      // A full disk is no reason not to serve what is there.
      warn('The data folder could not be marked; a copy that is put back may go unnoticed.');
    }
  };
  await mark();
  const timer = setInterval(() => void mark(), MARK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    return mark();
  };
}

async function start(
  config: Config,
  store: SqliteStore,
  imports: ImportService,
  log: Log,
  damaged: ReadonlySet<string>,
): Promise<{ server: ServerType; app: ReturnType<typeof createApp> }> {
  const app = createApp({
    damaged,
    store,
    imports,
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
      most: config.connections,
      isProxy: createProxyList(['127.0.0.0/8', '::1', ...config.trustedProxies]),
    });
    return { server, app };
  } catch (cause) {
    store.close();
    const taken = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
    throw new AppError(
      'conflict',
      taken
        ? `Port ${config.port} is in use, perhaps by another pdpp.`
        : `${config.host}, port ${config.port}, cannot be listened on.`,
      { hint: `Stop the other one, or choose another port: --port ${config.port + 1}`, cause },
    );
  }
}

async function welcome(config: Config, store: Store): Promise<string> {
  const n = await store.read.stored.count();
  const next =
    n === 0
      ? `none yet. Drop your exports on the page, or try: ${formatCommand('demo')}`
      : `${showCount(n)} records in ${config.dataDirectory}`;
  const open = (await hasPassphrase(store.read))
    ? `${config.publicUrl}/dashboard/connect`
    : `${await createSetupLink(store.write, config.publicUrl, new Date())}   (once, within the hour)`;
  return `pdpp ${version}

Open   ${open}
Data   ${next}
Add    claude mcp add --transport http pdpp ${config.publicUrl}/mcp`;
}

/** Waits for a signal and lets answers under way finish. */
function untilStopped(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      const force = setTimeout(
        () => 'closeAllConnections' in server && server.closeAllConnections(),
        DRAIN_MS,
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
