import { setFlagsFromString } from 'node:v8';
import { createEventLog } from '../audit/events.ts';
import { allowedHosts, type Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { type AppFetch, chooseAppByHost } from '../http/choose-app.ts';
import { drain } from '../http/drain.ts';
import { listen, type ServeEarly, type ServerType } from '../http/listen.ts';
import { createProxyList } from '../limits/proxies.ts';
import { createLog, type Log } from '../log.ts';
import { hasPassphrase } from '../owner/passphrase.ts';
import { createSetupLink } from '../owner/setup-link.ts';
import type { Store } from '../store/store.ts';
import { formatHint } from '../text/hint.ts';
import { version } from '../version.ts';
import { formatCount } from './print/print.ts';
import { formatForTerminal } from './print/terminal-hint.ts';
import { type Call, getText } from './run/call.ts';
import { formatCommand, invocation } from './run/how-started.ts';
import { readConfig } from './run/with-store.ts';
import { serveHosted } from './serve/serve-hosted.ts';
import type { MainEngine, ServedEngine } from './serve/served-engine.ts';
import { openServedFolder } from './serve/served-folder.ts';
import { prepareOwner } from './serve/served-owner.ts';
import { loadPages, warmUp } from './serve/warm-up.ts';

/** How much longer than a call other requests may take to finish after a signal. */
const MIN_DRAIN_MS = 5_000;
/** The exit code that asks to try again later. */
const TRY_AGAIN = 5;

export async function serve(call: Call): Promise<void> {
  // Collects garbage earlier, which saves about a hundred megabytes.
  setFlagsFromString('--heap-growing-percent=50');
  const config = readConfig(call);
  const watchedFolder = getText(call, 'watch');
  if (watchedFolder !== undefined) (await import('./watch.ts')).checkFolder(watchedFolder);
  const log = createLog();
  const engine = await openEngine(config, log);
  try {
    await runServer(config, engine, log, watchedFolder);
  } catch (error) {
    throw engine.explain(error);
  } finally {
    await engine.close();
  }
}

/** Opens the configured store. The driver of PostgreSQL is loaded only where it is used. */
async function openEngine(config: Config, log: Log): Promise<MainEngine> {
  if (config.database === undefined) return openServedFolder(config, log);
  if (config.backups !== undefined) {
    throw new AppError('conflict', 'The server cannot back up your data, because it is in PostgreSQL.', {
      hint: 'Remove --backup-to. Schedule pg_dump, or use base backups with WAL archiving.',
    });
  }
  const { openServedDatabase } = await import('./serve/served-database.ts');
  return openServedDatabase(config, config.database, log);
}

async function runServer(
  config: Config,
  engine: MainEngine,
  log: Log,
  watchedFolder: string | undefined,
): Promise<void> {
  const { store } = engine;
  const hosts = allowedHosts(config);
  const served = { ...invocation, port: config.port };
  const owner = await prepareOwner({ config, engine, log, invocation: served, hosts });
  const { app, findings } = owner;
  for (const sentence of findings) log('warning', { message: formatHint(sentence) });
  const warnings = findings.map((sentence) => `WARNING: ${formatForTerminal(sentence)}\n`);
  const text = [...warnings, await welcome(config, engine)].join('\n');
  const others = serveHosted(config, engine, log);
  const { port } = new URL(config.publicUrl);
  const fetch = chooseAppByHost({
    ...{ main: app.fetch, mainHosts: hosts, port },
    fetchHosted: (host, request, bindings) => others.fetch(host, request, bindings),
  });
  const server = await start(config, fetch, app.serveEarly);
  await owner.startWork();
  const stopWatching =
    watchedFolder === undefined
      ? async () => {}
      : (await import('./watch.ts')).startWatching(store, watchedFolder, log);
  // Registered before the greeting, because a script may stop the server as soon as it reads it.
  const stopped = waitForStop(server, config.callTimeoutMs);
  engine.calls.readPool?.start();
  await warmUp(server, store, app.request, config.publicUrl);
  console.log(text);
  const loaded = loadPages(app.loadLateRoutes);
  const stopChecks = engine.startChecks();
  const backups =
    config.backups === undefined
      ? undefined
      : (await import('./serve/start-backups.ts')).startBackups(config, config.backups, {
          log,
          writeEvent: createEventLog(store.audit),
        });
  await stopped;
  if (engine.maxStopMs !== undefined) limitStop(engine.maxStopMs, log);
  await loaded;
  await stopWatching();
  await backups?.stop();
  stopChecks();
  await others.close();
  await owner.stop();
}

async function start(config: Config, fetch: AppFetch, serveEarly: ServeEarly): Promise<ServerType> {
  const connections = {
    max: config.connections,
    isProxy: createProxyList(['127.0.0.0/8', '::1', ...config.trustedProxies]),
  };
  try {
    return await listen(fetch, config.host, config.port, connections, serveEarly);
  } catch (cause) {
    const taken = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
    throw new AppError(
      'conflict',
      taken ? `Port ${config.port} is in use.` : `Cannot listen on ${config.host}, port ${config.port}.`,
      {
        hint: taken
          ? `Stop the other program, or choose another port: --port ${config.port + 1}`
          : 'Choose an address of this computer with --host, and a port from 1024 with --port.',
        cause,
      },
    );
  }
}

async function welcome(config: Config, { store, place }: ServedEngine): Promise<string> {
  const n = await store.read.stored.count();
  const next =
    n === 0
      ? `none yet. Upload your exports on the page, or add demo data: ${formatCommand('demo')}`
      : `${formatCount(n)} records in ${place}`;
  const open = (await hasPassphrase(store.read))
    ? `${config.publicUrl}/dashboard/connect`
    : `${await createLink(config, store)}   (works once, for one hour)`;
  return `pdpp ${version}

Open   ${open}
Data   ${next}
Add    claude mcp add --transport http pdpp ${config.publicUrl}/mcp`;
}

function createLink({ publicUrl }: Config, { write, shared }: Store): Promise<string> {
  return createSetupLink(write, publicUrl, new Date(), shared === undefined ? 'end' : 'keep');
}

/** Ends the process if its database keeps it from ending by itself. Everything acknowledged is stored already. */
function limitStop(maxMs: number, log: Log): void {
  const end = () => {
    log('warning', { message: 'The database does not answer. The process ends without waiting for it.' });
    process.exit(TRY_AGAIN);
  };
  setTimeout(end, maxMs).unref();
}

/** Waits for a signal, then for running requests. */
function waitForStop(server: ServerType, callTimeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => void drain(server, callTimeoutMs + MIN_DRAIN_MS).then(resolve);
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  });
}
