import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listening, startListening } from '../support/servers/servers.ts';
import { createWorld } from '../support/world.ts';

const PIECE = Buffer.alloc(100_000, 'a');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let world: Awaited<ReturnType<typeof createWorld>>;
let server: Listening;
beforeAll(async () => {
  world = await createWorld({ clock: 'real' });
  server = await startListening(world);
});
afterAll(async () => {
  await server.close();
  world.close();
});

/** Sends a body in ten pieces over so long. */
function upload(agent: Agent, overMs: number) {
  return new Promise<{ status?: number; connection?: string; isReused: boolean }>((resolve, reject) => {
    const headers = { 'content-length': 10 * PIECE.length };
    const sent = request(
      `${server.origin}/v1/ingest/mine/notes`,
      { method: 'POST', agent, headers },
      (answer) => {
        const { statusCode: status = 0, headers: got } = answer.resume();
        answer.on('end', () =>
          resolve({ status, connection: got.connection ?? '', isReused: sent.reusedSocket }),
        );
      },
    );
    sent.on('error', reject);
    void (async () => {
      for (let i = 1; i < 10; i += 1) {
        sent.write(PIECE);
        await pause(overMs / 10);
      }
      sent.end(PIECE);
    })();
  });
}

describe('a body that is refused before it is received', () => {
  it('T-04 is answered when complete, and the connection stays open as the answer says', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const answer = { status: 401, connection: 'keep-alive' };
    expect(await upload(agent, 1_000)).toEqual({ ...answer, isReused: false });
    expect(await upload(agent, 0)).toEqual({ ...answer, isReused: true });
    agent.destroy();
  });

  it('T-04 that does not end is answered with Connection: close and read for a limited time', async () => {
    const { port } = new URL(server.origin);
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    const problems: string[] = [];
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', (error) => problems.push(error.message));
    const ended = new Promise<void>((resolve) => socket.once('end', resolve));
    const lines = [
      'POST /v1/ingest/mine/notes HTTP/1.1',
      `Host: ${server.host}`,
      'Content-Length: 900000000',
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const sending = setInterval(() => socket.write(PIECE), 50);
    await ended;
    // As long as bytes are under way, a connection that is closed whole is reset.
    await pause(1_000);
    clearInterval(sending);
    expect([received.slice(0, 12), /^connection: (.*)\r$/im.exec(received)?.[1], problems]).toEqual([
      'HTTP/1.1 401',
      'close',
      [],
    ]);
    socket.destroy();
  });
});
