import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey, type IsProxy, unmapIpv4 } from './proxies.ts';

export interface ConnectionLimit {
  readonly max: number;
  /** One address may hold half of the connections, or all of them if it is a proxy or this computer. */
  readonly isProxy: IsProxy;
  /** The longest time without traffic while an answer is being sent. */
  readonly stalledMs?: number;
}

interface Connection {
  readonly socket: Socket;
  readonly key: string;
  /** The number of requests that are being read or answered. */
  activeRequests: number;
}

const REFUSAL = [
  'HTTP/1.1 503 Service Unavailable',
  'Retry-After: 1',
  'Content-Type: text/plain',
  'Connection: close',
  '',
  'Too many connections.\n',
].join('\r\n');

/**
 * Limits the number of open connections. A new connection replaces the oldest idle one of the address that holds the
 * most, so idle connections block nobody. If all connections are in use, the new one gets a 503.
 */
export function limitConnections(server: Server, { max, isProxy }: ConnectionLimit): void {
  const open = new Map<Socket, Connection>();
  const held = new Map<string, number>();

  const closeIdle = (matches: (connection: Connection) => boolean): boolean => {
    let victim: Connection | undefined;
    for (const connection of open.values()) {
      if (connection.activeRequests > 0 || connection.socket.destroyed || !matches(connection)) continue;
      if (victim === undefined || heldBy(connection.key) > heldBy(victim.key)) victim = connection;
    }
    victim?.socket.destroy();
    if (victim !== undefined) forget(victim.socket);
    return victim !== undefined;
  };
  const heldBy = (key: string) => held.get(key) ?? 0;
  const forget = (socket: Socket) => {
    const connection = open.get(socket);
    if (connection === undefined) return;
    open.delete(socket);
    const left = heldBy(connection.key) - 1;
    if (left > 0) held.set(connection.key, left);
    else held.delete(connection.key);
  };

  server.on('connection', (socket) => {
    const address = unmapIpv4(socket.remoteAddress ?? 'unknown');
    const key = addressKey(address);
    const maxPerAddress = isProxy(address) ? max : Math.ceil(max / 2);
    const isAccepted =
      (heldBy(key) < maxPerAddress || closeIdle((one) => one.key === key)) &&
      (open.size < max || closeIdle(() => true));
    if (!isAccepted) {
      socket.end(REFUSAL, () => socket.destroy());
      return;
    }
    open.set(socket, { socket, key, activeRequests: 0 });
    held.set(key, heldBy(key) + 1);
    socket.once('close', () => forget(socket));
  });
  server.on('request', (request, response) => {
    const connection = open.get(request.socket);
    if (connection === undefined) return;
    connection.activeRequests += 1;
    response.once('close', () => {
      connection.activeRequests -= 1;
    });
  });
}
