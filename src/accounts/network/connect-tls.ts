import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { createFixedLookup } from '../../network/resolve-host.ts';
import type { Connector } from './create-network.ts';
import { explainNetworkError } from './network-errors.ts';

/** Connects to a checked address and verifies the certificate for the host name. */
export async function openTls(
  connector: Connector,
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const addresses = await connector.resolve(host, connector.allowPrivate, signal);
  const name = host.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: name,
      port,
      ...(isIP(name) === 0 ? { servername: name } : {}),
      lookup: createFixedLookup(addresses),
      ca: connector.ca,
      rejectUnauthorized: true,
    });
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket.off('error', fail);
      socket.off('close', close);
      settle();
    };
    const fail = (error: unknown) =>
      end(() => {
        // A destroyed socket can still report an error.
        socket.on('error', () => {});
        socket.destroy();
        reject(signal.aborted ? signal.reason : explainNetworkError(error));
      });
    const stop = () => fail(signal.reason);
    const close = () => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    const timer = setTimeout(
      () => fail(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
      connector.times.connectMs,
    );
    socket.on('error', fail);
    socket.on('close', close);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    socket.once('secureConnect', () => end(() => resolve(socket)));
  });
}
