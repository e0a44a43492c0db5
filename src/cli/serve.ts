import { setFlagsFromString } from 'node:v8';
import type { ServerType } from '@hono/node-server';
import { createApp } from '../app.ts';
import { createAudit } from '../audit/audit.ts';
import { allowedHosts, type Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { keepServedAudit } from '../keep-served-audit.ts';
import { createProxyList } from '../limits/proxies.ts';
import { listen } from '../listen.ts';
import { createLog, type Log } from '../log.ts';
import { hasPassphrase } from '../owner/passphrase.ts';
import { createSetupLink } from '../owner/setup-link.ts';
import { setTimeZone } from '../schema-index/edit-catalog.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { version } from '../version.ts';
import { type Command, dataOption, readConfig } from './command.ts';

const DRAIN_MS = 10_000;

export const serve: Command = {
  usage:
    'serve [--data DIR] [--port N] [--host ADDRESS] [--public-url URL] [--time-zone ZONE] [--trusted-proxy ADDRESSES] [--calls-per-minute N] [--work-per-minute SECONDS] [--connections N] [--audit-days N] [--audit-mb N]',
  options: {
    ...dataOption,
    port: { type: 'string' },
    host: { type: 'string' },
    'public-url': { type: 'string' },
    'time-zone': { type: 'string' },
    'trusted-proxy': { type: 'string' },
    'calls-per-minute': { type: 'string' },
    'work-per-minute': { type: 'string' },
    connections: { type: 'string' },
    'audit-days': { type: 'string' },
    'audit-mb': { type: 'string' },
  },
  async run(call) {
    // What answers leave behind is collected before it is worth another hundred megabytes.
    setFlagsFromString('--heap-growing-percent=50');
    const config = readConfig(call);
    const log = createLog();
    const store = openStore(config.dataDirectory, (message) => log('warning', { message }));
    await setTimeZone(store.write, config.timeZone);
    const server = await start(config, store, log);
    const keeper = await keepServedAudit(config, store, log);
    console.log(await welcome(config, store));
    await untilStopped(server);
    await keeper.stop();
    store.close();
  },
};

async function start(config: Config, store: Store, log: Log): Promise<ServerType> {
  const app = createApp({
    store,
    publicUrl: config.publicUrl,
    hosts: allowedHosts(config),
    audit: createAudit(store.audit),
    log,
    now: () => new Date(),
    version,
    callRule: config.callRule,
    trustedProxies: config.trustedProxies,
  });
  try {
    return await listen(app.fetch, config.host, config.port, {
      most: config.connections,
      isProxy: createProxyList(['127.0.0.0/8', '::1', ...config.trustedProxies]),
    });
  } catch (cause) {
    store.close();
    const taken = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
    throw new AppError(
      'conflict',
      taken ? 'The port is in use, perhaps by another pdpp.' : 'The address cannot be listened on.',
      { hint: 'Stop the other one, or choose another with --port.', cause },
    );
  }
}

async function welcome(config: Config, store: Store): Promise<string> {
  const { n } = await store.read.db
    .selectFrom('days')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('n'), eb.val(0)).as('n'))
    .executeTakeFirstOrThrow();
  const next =
    n === 0
      ? 'No data yet. Try: npm run -s pdpp -- demo'
      : `${n.toLocaleString('en')} records in ${config.dataDirectory}`;
  const open = (await hasPassphrase(store.read))
    ? `${config.publicUrl}/dashboard/connect`
    : `${await createSetupLink(store.write, config.publicUrl, new Date())}   (once, within the hour)`;
  return `pdpp ${version}: ${next}

Open   ${open}
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
