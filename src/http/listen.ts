import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { type HttpBindings, type ServerType, serve } from '@hono/node-server';
import { type ConnectionLimit, limitConnections } from '../limits/connections.ts';
import type { AppFetch } from './choose-app.ts';
import { trackResponses } from './drain.ts';

export type { ServerType } from '@hono/node-server';

/** Headers may take ten seconds. This is less, because Node checks only at intervals. */
const HEADERS_TIMEOUT_MS = 9_000;
/** Node's default is 30 seconds. */
const CHECK_INTERVAL_MS = 1_000;
const KEEP_ALIVE_MS = 5_000;
/** Closes connections without traffic: a client that does not read its answer, or a dead network. */
const STALLED_MS = 55_000;
/** Limits how much of a refused body is read and discarded before the answer is sent. */
const DRAIN_MS = 2_000;
const MAX_DRAINED_BYTES = 64 * 1024 * 1024;
/** How long a connection stays open for reading after the answer to a longer body. */
const LINGER_MS = 5_000;

/** Answers a request if it can, and otherwise returns false: then Hono answers it. */
export type ServeEarly = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<boolean> | false;

/** Listens on an address. Rejects with Node's error if the address is not available. */
export function listen(
  fetch: AppFetch,
  host: string,
  port: number,
  connections?: ConnectionLimit,
  serveEarly: ServeEarly = () => false,
): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    const serverOptions = {
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      // An upload may take long. All other bodies have their own timeout (read-body.ts).
      requestTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
    };
    const server = serve(
      {
        ...{ fetch: answerAfterRequest(fetch), port, hostname: host, serverOptions },
        createServer: (options: ServerOptions, listener: RequestListener) =>
          createServer(options, async (incoming, outgoing) => {
            const early = serveEarly(incoming, outgoing);
            if (early === false || !(await early)) listener(incoming, outgoing);
          }),
      } as Parameters<typeof serve>[0],
      () => resolve(server),
    );
    (server as Server).timeout = connections?.stalledMs ?? STALLED_MS;
    trackResponses(server);
    if (connections !== undefined) limitConnections(server as Server, connections);
    server.once('error', reject);
  });
}

/** Sends the answer after the whole request has arrived, even if it was refused before its body was read. */
function answerAfterRequest(fetch: AppFetch): Parameters<typeof serve>[0]['fetch'] {
  return async (request, given) => {
    const bindings = given as HttpBindings;
    const response = await fetch(request, bindings);
    const { incoming, outgoing } = bindings;
    if (!incoming.complete) await drainRequest(incoming, outgoing);
    return response;
  };
}

/**
 * Waits for the rest of a request before it is answered. Proxies close a connection that is answered while the client
 * still sends. If the rest is too long, the answer closes the connection, and we keep reading for a while (RFC 9112
 * §9.6): an immediate close would be a reset, which can destroy the answer.
 */
async function drainRequest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (await waitForRequest(incoming)) return;
  outgoing.shouldKeepAlive = false;
  const { socket } = incoming;
  // Replaced because Node calls it after the last answer and has no option to close one direction only.
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

function waitForRequest(incoming: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(() => resolve(false), DRAIN_MS);
    const end = (hasEnded: boolean) => {
      clearTimeout(timer);
      resolve(hasEnded);
    };
    // The listener stays until the connection ends, so that the data is consumed.
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_DRAINED_BYTES) end(false);
    });
    incoming.once('end', () => end(true));
    incoming.once('close', () => end(incoming.complete));
    incoming.resume();
  });
}
