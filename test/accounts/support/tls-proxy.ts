import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll } from 'vitest';
import { makeCertificate } from '../../support/tls/make-certificate.ts';

export const authority = makeCertificate({ names: [], isAuthority: true });
export const HOST = 'dav.test';
const good = makeCertificate({ names: [HOST], issuer: authority });
const DAY_MS = 86_400_000;

export interface TlsProxy {
  readonly url: string;
  /** Methods and paths of the requests, in order. */
  readonly seen: string[];
  /** Runs before a request is passed on. Returns true if it has answered. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>) | undefined;
  useExpiredCertificate(): void;
  useGoodCertificate(): void;
}

/** Puts TLS in front of a server on loopback, for the tests of a file. */
export function useTlsProxy(target: { readonly port: number }): TlsProxy {
  let port = 0;
  const sockets = new Set<Duplex>();
  const proxy: TlsProxy = {
    get url() {
      return `https://${HOST}:${port}/`;
    },
    seen: [],
    intercept: undefined,
    useExpiredCertificate: () =>
      server.setSecureContext(
        makeCertificate({
          names: [HOST],
          issuer: authority,
          from: new Date(Date.now() - 2 * DAY_MS),
          until: new Date(Date.now() - DAY_MS),
        }),
      ),
    useGoodCertificate: () => server.setSecureContext(good),
  };
  const server = https.createServer({ cert: good.cert, key: good.key }, async (request, response) => {
    proxy.seen.push(`${request.method} ${request.url}`);
    if ((await proxy.intercept?.(request, response)) === true) return;
    const passed = http.request(
      {
        port: target.port,
        host: '127.0.0.1',
        method: request.method,
        path: request.url,
        headers: request.headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      },
    );
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return proxy;
}
