import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type HttpBindings, type ServerType, serve } from '@hono/node-server';
import { type ConnectionLimit, limitConnections } from '../limits/connections.ts';

export type { ServerType } from '@hono/node-server';

type Fetch = Parameters<typeof serve>[0]['fetch'];

/** Sooner than the ten seconds that headers may take, because Node only looks now and then. */
const HEADERS_MS = 9_000;
/** By default Node looks for connections that take too long only twice a minute. */
const LOOK_EVERY_MS = 1_000;
const IDLE_MS = 5_000;
/** Nothing comes and nothing goes: somebody who does not read their answer, or a line that is dead. */
const STALLED_MS = 55_000;
/** So much of a body that nobody wants is read and thrown away before its answer is sent. */
const REST_MS = 2_000;
const REST_BYTES = 64 * 1024 * 1024;
/** How long we go on reading after the answer to a body that is longer than that. */
const LINGER_MS = 5_000;

/** Listens at an address. Ready when it resolves; rejects with Node's error when the address cannot be had. */
export function listen(
  fetch: Fetch,
  host: string,
  port: number,
  connections?: ConnectionLimit,
): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    const serverOptions = {
      connectionsCheckingInterval: LOOK_EVERY_MS,
      headersTimeout: HEADERS_MS,
      // An import may take long to arrive; every other body has a limit of its own (read-body.ts).
      requestTimeout: 0,
      keepAliveTimeout: IDLE_MS,
    };
    const server = serve({ fetch: answerWhole(fetch), port, hostname: host, serverOptions }, () =>
      resolve(server),
    );
    (server as Server).timeout = connections?.stalledMs ?? STALLED_MS;
    if (connections !== undefined) limitConnections(server as Server, connections);
    server.once('error', reject);
  });
}

/** Answers a request once all of it has come, also where it was refused before anybody read it. */
function answerWhole(fetch: Fetch): Fetch {
  return async (request, bindings) => {
    const response = await fetch(request, bindings);
    const { incoming, outgoing } = bindings as HttpBindings;
    if (!incoming.complete) await drainRequest(incoming, outgoing);
    return response;
  };
}

/**
 * Waits until the rest of a request has come, so that it can be answered. An answer that overtakes its request is lost
 * on the way: proxies close a connection on which somebody still sends, and whoever uses it next is cut off. Where the
 * rest is too long, the answer says that the connection ends with it, and we read on for a while (RFC 9112 §9.6): to
 * close on what is still coming would be a reset, which can take the answer with it.
 */
async function drainRequest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (await hasArrived(incoming)) return;
  outgoing.shouldKeepAlive = false;
  const { socket } = incoming;
  // Replaced because Node calls it after the last answer and has no option to close one direction only.
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

function hasArrived(incoming: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(() => resolve(false), REST_MS);
    const end = (came: boolean) => {
      clearTimeout(timer);
      resolve(came);
    };
    // Stays until the connection ends: somebody must take what comes.
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > REST_BYTES) end(false);
    });
    incoming.once('end', () => end(true));
    incoming.once('close', () => end(incoming.complete));
    incoming.resume();
  });
}
