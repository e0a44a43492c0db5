import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { createFixedLookup } from '../../network/resolve-host.ts';
import { isLoopbackAddress } from '../../network/special-address.ts';
import { SyncError } from '../sync-source.ts';
import type { Connector } from './create-network.ts';
import { type Deadline, wasStopped } from './deadline.ts';
import { explainNetworkError } from './network-errors.ts';

export interface ReadRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const MAX_HEADER_BYTES = 32 * 1_024;

/** Sends one request over a new connection and returns the head of its response. */
export async function sendRequest(
  connector: Connector,
  request: ReadRequest,
  mayBePrivate: boolean,
  { signal, expire }: Deadline,
): Promise<IncomingMessage> {
  const { url, method, headers, body } = request;
  const { times, ca } = connector;
  try {
    const addresses = await connector.resolve(url.hostname, mayBePrivate, signal);
    const isPlain = url.protocol === 'http:';
    if (isPlain && !addresses.every(({ address }) => isLoopbackAddress(address)))
      throw new SyncError('not_encrypted', 'The address does not use HTTPS.', 'Use an address with https.');
    return await new Promise((resolve, reject) => {
      const sent = (isPlain ? http : https).request(url, {
        method,
        // A new connection to the addresses just checked.
        agent: false,
        lookup: createFixedLookup(addresses),
        ...(isPlain ? {} : { ca, rejectUnauthorized: true }),
        headers: {
          'user-agent': 'pdpp',
          ...headers,
          'accept-encoding': 'gzip',
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
        maxHeaderSize: MAX_HEADER_BYTES,
        signal,
      });
      const timer = setTimeout(expire, times.connectMs);
      sent.on('socket', (socket) => {
        socket.once(isPlain ? 'connect' : 'secureConnect', () => clearTimeout(timer));
        socket.setTimeout(times.idleMs, expire);
      });
      sent.on('response', resolve);
      sent.on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      // A protocol switch closes the connection without either event.
      sent.on('close', () => {
        clearTimeout(timer);
        reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
      });
      sent.end(body);
    });
  } catch (error) {
    throw wasStopped(signal) ? signal.reason : explainNetworkError(signal.aborted ? signal.reason : error);
  }
}
