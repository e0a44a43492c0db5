import type { Server } from 'node:http';
import { type HttpBindings, type ServerType, serve } from '@hono/node-server';
import { type ConnectionRule, limitConnections } from '../limits/connections.ts';
import { takeRest } from './take-rest.ts';

export type { ServerType } from '@hono/node-server';

type Fetch = Parameters<typeof serve>[0]['fetch'];

/** Sooner than the ten seconds that headers may take, because Node only looks now and then. */
const HEADERS_MS = 9_000;
/** By default Node looks for connections that take too long only twice a minute. */
const LOOK_EVERY_MS = 1_000;
const IDLE_MS = 5_000;
/** Nothing comes and nothing goes: somebody who does not read their answer, or a line that is dead. */
const STALLED_MS = 55_000;

/** Listens at an address. Ready when it resolves; rejects with Node's error when the address cannot be had. */
export function listen(
  fetch: Fetch,
  host: string,
  port: number,
  connections?: ConnectionRule,
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
    if (!incoming.complete) await takeRest(incoming, outgoing);
    return response;
  };
}
