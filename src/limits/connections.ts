import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey, writePlain } from './proxies.ts';

export interface ConnectionRule {
  readonly most: number;
  /** Half of them at most belong to one address, unless it stands for many: a proxy, or this computer. */
  readonly isProxy: (address: string) => boolean;
  /** How long nothing may come and nothing go while an answer is on its way. */
  readonly stalledMs?: number;
}

interface Connection {
  readonly socket: Socket;
  readonly key: string;
  /** Requests that are being read or answered. */
  busy: number;
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
 * Caps open connections. A newcomer takes the place of the one that has been open longest without a request
 * under way, of the address that holds most; so whoever only holds connections keeps nobody out. Where all are
 * in use, the newcomer is told to come back.
 */
export function limitConnections(server: Server, { most, isProxy }: ConnectionRule): void {
  const open = new Map<Socket, Connection>();
  const held = new Map<string, number>();

  const makeRoom = (isIn: (connection: Connection) => boolean): boolean => {
    let victim: Connection | undefined;
    for (const connection of open.values()) {
      if (connection.busy > 0 || connection.socket.destroyed || !isIn(connection)) continue;
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
    const address = writePlain(socket.remoteAddress ?? 'unknown');
    const key = addressKey(address);
    const mostOfOne = isProxy(address) ? most : Math.ceil(most / 2);
    const hasRoom =
      (heldBy(key) < mostOfOne || makeRoom((one) => one.key === key)) &&
      (open.size < most || makeRoom(() => true));
    if (!hasRoom) {
      socket.end(REFUSAL, () => socket.destroy());
      return;
    }
    open.set(socket, { socket, key, busy: 0 });
    held.set(key, heldBy(key) + 1);
    socket.once('close', () => forget(socket));
  });
  server.on('request', (request, response) => {
    const connection = open.get(request.socket);
    if (connection === undefined) return;
    connection.busy += 1;
    response.once('close', () => {
      connection.busy -= 1;
    });
  });
}
