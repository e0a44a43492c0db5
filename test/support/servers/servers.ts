import { connect } from 'node:net';
import { type AppDeps, createApp } from '../../../src/app.ts';
import { createAudit } from '../../../src/audit/audit.ts';
import { listen } from '../../../src/http/listen.ts';
import type { ConnectionLimit } from '../../../src/limits/connections.ts';
import { NO_CALL_RULE } from '../../../src/reads/admission.ts';
import { findFreePort } from '../run-cli.ts';
import { ORIGIN, type World } from '../world.ts';

export const HTTPS_ORIGIN = 'https://me.example';

/** Another server on the store of a world, with nothing in memory yet: what a restart leaves. */
export function startAgain(world: World, change: Partial<AppDeps> = {}): World {
  const { host } = new URL(change.publicUrl ?? ORIGIN);
  const app = startApp(world, { publicUrl: ORIGIN, hosts: new Set([host]), ...change });
  const request = async (path: string, init: RequestInit = {}) =>
    app.request(path, { ...init, headers: { host, ...(init.headers as Record<string, string>) } });
  return { ...world, request };
}

/** The same, behind a proxy that speaks https to the world. */
export function startHttps(world: World): World {
  return startAgain(world, { publicUrl: HTTPS_ORIGIN });
}

/** Every route with its method; `ALL` is what is asked before the others. */
export async function listRoutes(world: World): Promise<{ method: string; path: string }[]> {
  const app = startApp(world, { publicUrl: ORIGIN, hosts: new Set() });
  return [...app.routes, ...(await app.loadLateRoutes()).routes];
}

export interface Listening {
  readonly origin: string;
  readonly host: string;
  /** Sends bytes as they are; returns what had come back when the server closed, or after the wait. */
  raw(text: string, options?: { waitMs?: number; drip?: string; until?: RegExp }): Promise<RawAnswer>;
  close(): Promise<void>;
}

export interface RawAnswer {
  readonly text: string;
  /** Whether it was the server that ended the connection. */
  readonly closed: boolean;
  readonly ms: number;
}

/** The store of a world behind real sockets, with the time limits of `pdpp serve`. */
export async function startListening(
  world: World,
  change: Partial<AppDeps> = {},
  connections?: ConnectionLimit,
): Promise<Listening> {
  const port = await findFreePort();
  const host = `127.0.0.1:${port}`;
  const origin = `http://${host}`;
  const app = startApp(world, { publicUrl: origin, hosts: new Set([host]), ...change });
  const server = await listen(app.fetch, '127.0.0.1', port, connections, app.serveEarly);
  return {
    origin,
    host,
    raw: (text, { waitMs = 5_000, drip, until } = {}) =>
      new Promise((resolve) => {
        const started = performance.now();
        let received = '';
        let closed = false;
        const socket = connect(port, '127.0.0.1', () => socket.write(text));
        const give = setTimeout(() => socket.destroy(), waitMs);
        const dripping = drip === undefined ? undefined : setInterval(() => socket.write(drip), 1_000);
        socket.on('data', (chunk) => {
          received += chunk.toString('latin1');
          if (until?.test(received)) socket.destroy();
        });
        socket.on('end', () => {
          closed = true;
        });
        // A reset is an end too: the server did not want to hear the rest.
        socket.on('error', () => {
          closed = true;
        });
        socket.on('close', () => {
          clearTimeout(give);
          clearInterval(dripping);
          resolve({ text: received, closed, ms: performance.now() - started });
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

function startApp(world: World, change: Pick<AppDeps, 'publicUrl' | 'hosts'> & Partial<AppDeps>) {
  return createApp({
    store: world.store,
    accounts: world.accounts,
    audit: createAudit(world.store.audit),
    log: (event, details) => world.logged.push(JSON.stringify({ event, ...details })),
    now: () => new Date(),
    version: '0.0.0-test',
    callRule: NO_CALL_RULE,
    ...change,
  });
}
