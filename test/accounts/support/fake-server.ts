import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createNetwork, type NetworkTimes } from '../../../src/accounts/network/create-network.ts';
import { makeCertificate } from '../../support/tls/make-certificate.ts';
import { authority, HOST } from './tls-proxy.ts';

export interface FakeServer {
  readonly url: string;
  /** Requests as method and path, with the text of their bodies. */
  readonly seen: { request: string; authorization: string | undefined; body: string }[];
  /** Names that were looked up. */
  readonly lookups: string[];
  handle: (request: IncomingMessage & { text: string }, response: ServerResponse) => void;
  createNetwork(times?: Partial<NetworkTimes>): ReturnType<typeof createNetwork>;
}

/** A server that answers as a test says, at a host of its own. */
export function useFakeServer(): FakeServer {
  const { cert, key } = makeCertificate({ names: [HOST, 'other.test'], issuer: authority });
  const sockets = new Set<Duplex>();
  let port = 0;
  const fake: FakeServer = {
    get url() {
      return `https://${HOST}:${port}/`;
    },
    seen: [],
    lookups: [],
    handle: (_request, response) => response.writeHead(404).end(),
    createNetwork: (times = { idleMs: 500 }) =>
      createNetwork({
        allowPrivate: true,
        ca: authority.cert,
        times,
        async lookup(name) {
          fake.lookups.push(name);
          return [{ address: '127.0.0.1', family: 4 }];
        },
      }),
  };
  const server = https.createServer({ cert, key }, async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { authorization } = request.headers;
    fake.seen.push({ request: `${request.method} ${request.url}`, authorization, body: text });
    response.on('error', () => {});
    fake.handle(Object.assign(request, { text }), response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  beforeEach(() => {
    fake.seen.length = 0;
    fake.lookups.length = 0;
  });
  afterAll(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return fake;
}

/** Writes a text again and again until the client leaves. */
export function writeForever(response: ServerResponse, text: string): void {
  const write = () => {
    while (!response.destroyed && response.write(text));
  };
  response.on('drain', write);
  write();
}
