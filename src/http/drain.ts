import type { Server, ServerResponse } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ServerType } from './listen.ts';

/** Limits how long new connections can delay the end while they keep coming. */
const MAX_ACCEPT_MS = 500;

/** By server, because `drain` gets only the server. */
const responses = new WeakMap<ServerType, Set<ServerResponse>>();

/** Remembers the requests that a server is answering, so that `drain` can wait for them. */
export function trackResponses(server: ServerType): void {
  const open = new Set<ServerResponse>();
  responses.set(server, open);
  (server as Server).on('request', (_, response) => {
    // After `drain` no connection takes another request.
    if (!server.listening) response.shouldKeepAlive = false;
    open.add(response);
    response.once('close', () => open.delete(response));
  });
}

/**
 * Stops accepting connections, finishes the requests that were begun, and closes their connections after the answer.
 * Requests that take longer than the time limit are cut off.
 */
export async function drain(server: ServerType, maxMs: number): Promise<void> {
  await acceptWaiting(server);
  await new Promise<void>((resolve) => {
    const force = setTimeout(() => (server as Server).closeAllConnections(), maxMs);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    for (const response of responses.get(server) ?? []) response.shouldKeepAlive = false;
    (server as Server).closeIdleConnections();
  });
}

/**
 * Accepts the connections that wait in the system: closing the server would reset them. Node accepts one per turn of its
 * event loop, so a busy process has some. The first turn may have begun before the last of them came.
 */
async function acceptWaiting(server: ServerType): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  await yieldToEventLoop();
  const until = performance.now() + MAX_ACCEPT_MS;
  for (let before = -1; accepted > before && performance.now() < until; ) {
    before = accepted;
    await yieldToEventLoop();
  }
  server.off('connection', count);
}
