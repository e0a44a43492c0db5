import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Between the program and a server of the tests. */
export interface SilentProxy {
  /** The address of the same database through the proxy. */
  readonly url: string;
  /** Passes nothing on and ends no connection, as a server does that froze. */
  freeze(): void;
  wake(): void;
}

/** Starts a proxy in front of a database whose address has the folder of a socket. */
export async function startSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const target = new URL(databaseUrl.replace(/@[^/]+/, '@host'));
  const folder = decodeURIComponent(/@([^/]+)/.exec(databaseUrl)?.[1] ?? '');
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const add = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (bytes) => to.write(bytes));
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (isFrozen) from.pause();
  };
  const server = createServer((client) => {
    const database = connect(`${folder}/.s.PGSQL.5432`);
    add(client, database);
    add(database, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return {
    url: `postgres://pdpp@127.0.0.1:${port}${target.pathname}`,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    wake() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
