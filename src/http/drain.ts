import type { Server, ServerResponse } from 'node:http';
import type { ServerType } from './listen.ts';

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
export function drain(server: ServerType, maxMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => (server as Server).closeAllConnections(), maxMs);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    for (const response of responses.get(server) ?? []) response.shouldKeepAlive = false;
    (server as Server).closeIdleConnections();
  });
}
