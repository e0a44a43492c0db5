import type { LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import {
  ClientDocumentError,
  createDocumentFetch,
  type DocumentFetchDeps,
} from '../../../src/oauth/documents/fetch-client-document.ts';

const readFixture = (name: string) => readFileSync(new URL(`tls/${name}`, import.meta.url));
const cert = readFixture('cert.pem');

/** Stands in for the public internet: not special-purpose, and never really dialled. */
export const PUBLIC_ADDRESS = '93.184.215.14';

export const at = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/**
 * The document host doc.example, on loopback. Its `request` is https.request with the last step bent: every
 * address, public or inner, is reached at this server, so that `connections` counts what would have left.
 */
async function startDocumentHost(handler: RequestListener, ca: RequestOptions['ca']) {
  const server = https.createServer({ cert, key: readFixture('key.pem') }, handler);
  const sockets = new Set<Duplex>();
  const seen = { connections: 0, dialled: [] as string[] };
  server.on('connection', (socket) => {
    seen.connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;

  const bend =
    (lookup: LookupFunction): LookupFunction =>
    (hostname, options, done) =>
      lookup(hostname, options, (error, found) => {
        seen.dialled.push(...[found].flat().map((one) => (typeof one === 'string' ? one : one.address)));
        if (options.all) done(error, at('127.0.0.1'));
        else done(error, '127.0.0.1', 4);
      });
  const request = (url: URL, options: RequestOptions) =>
    https.request(url, { ...options, ca, port, lookup: bend(options.lookup as LookupFunction) });
  return { seen, request, openSockets: () => sockets.size };
}

interface TrialOptions extends Partial<DocumentFetchDeps> {
  /** What each look-up in turn resolves to; the last one stays. */
  readonly answers?: LookupAddress[][];
  readonly ca?: RequestOptions['ca'];
}

/** A fetch whose internet is one document host. */
export async function createTrial(handler: RequestListener, options: TrialOptions = {}) {
  const { answers = [at(PUBLIC_ADDRESS)], ca = cert, ...deps } = options;
  const host = await startDocumentHost(handler, ca);
  const lookups: string[] = [];
  const lookup = async (name: string) => {
    lookups.push(name);
    return answers[Math.min(lookups.length, answers.length) - 1] ?? [];
  };
  const fetchDocument = createDocumentFetch({ lookup, request: host.request, timeoutMs: 3_000, ...deps });
  return { host, lookups, fetchDocument };
}

/** What went wrong, once it is certain that the caller sees the one error there is. */
export async function refusal(fetching: Promise<Response>): Promise<string> {
  const error = await fetching.then(
    () => expect.fail('it was not refused'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ClientDocumentError);
  expect(error).toHaveProperty('message', 'The client metadata document could not be used.');
  return String((error as Error).cause);
}
