import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';

/** A proxy that sends each request to the next server. */
export interface RoundRobin {
  readonly port: number;
  /** Replaces the ports of the servers. */
  route(ports: readonly number[]): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy as simple as they come: no cookie, no repetition. A server that accepts no connection is skipped, because
 * it was sent nothing; a server that ends in the middle of a request gives a 502. The servers see the public host, if one
 * is given.
 */
export async function startRoundRobin(publicHost?: string): Promise<RoundRobin> {
  let ports: readonly number[] = [];
  let turn = 0;
  const server: Server = createServer(async (incoming, outgoing) => {
    const body = await readBody(incoming);
    const first = turn++;
    for (let at = 0; at < ports.length; at++) {
      const port = ports[(first + at) % ports.length] as number;
      if (await send(port, publicHost ?? incoming.headers.host ?? '', incoming, body, outgoing)) return;
    }
    outgoing.writeHead(502).end('no server');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    route(next) {
      ports = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Sends a request to a server. Returns whether it was answered, by the server or with a 502. */
function send(
  port: number,
  host: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = request(
      // A connection per request: the server takes nothing more after `connection: close`.
      {
        ...{ host: '127.0.0.1', port, method, path: url, agent: false },
        headers: { ...headers, host, connection: 'close' },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        answer.on('error', () => outgoing.destroy());
        outgoing.on('close', () => resolve(true));
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') return resolve(false);
      if (!outgoing.headersSent) outgoing.writeHead(502).end(String(error.code));
      resolve(true);
    });
    sent.end(body);
  });
}
