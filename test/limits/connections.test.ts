import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProxyList } from '../../src/limits/proxies.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { type Listening, startListening } from '../support/servers/servers.ts';

const MOST = 20;
let world: Awaited<ReturnType<typeof createDiaryWorld>>;
let server: Listening;
let sockets: Socket[];
beforeEach(async () => {
  world = await createDiaryWorld({ clock: 'real' });
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
  world.close();
});

const start = async (proxies: string[], more: { stalledMs?: number } = {}) => {
  server = await startListening(world, {}, { max: MOST, isProxy: createProxyList(proxies), ...more });
};
/** A connection that says so much and then nothing more. */
async function hold(text: string, from = '127.0.0.1'): Promise<Socket & { heard: string }> {
  const port = Number(new URL(server.origin).port);
  const socket = Object.assign(connect({ port, host: '127.0.0.1', localAddress: from }), { heard: '' });
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    socket.heard += chunk.toString();
  });
  sockets.push(socket);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(text);
  await sleep(5);
  return socket;
}
const holdAll = async (count: number, text: string, from?: string) => {
  const held = [];
  for (let i = 0; i < count; i += 1) held.push(await hold(text, from));
  return held;
};
const isServed = async () =>
  (await fetch(`${server.origin}/healthz`, { headers: { connection: 'close' } })).status;
/** A request whose body never ends: it is under way for as long as bodies are waited for. */
const busy = () =>
  `POST /oauth/token HTTP/1.1\r\nHost: ${server.host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 500\r\n\r\ngrant`;

describe('more connections than the limit', () => {
  it('R-06 closes the oldest idle connection for a new one', async () => {
    await start(['127.0.0.0/8']);
    const silent = await holdAll(MOST, '');
    const kept = await hold(`GET /healthz HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`);
    for (let i = 0; i < 5; i += 1) expect(await isServed()).toBe(200);
    expect(kept.heard).toContain('200 OK');
    await sleep(20);
    expect(silent[0]?.destroyed).toBe(true);
    expect(silent.at(-1)?.destroyed).toBe(false);
  });

  it('R-06 answers 503 with Retry-After while all are in use', async () => {
    await start(['127.0.0.0/8']);
    const held = await holdAll(MOST, busy());
    const refused = await hold('');
    await sleep(20);
    expect(refused.heard).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: 1\r\n/);
    expect(refused.destroyed).toBe(true);
    held[0]?.destroy();
    await sleep(50);
    expect(await isServed()).toBe(200);
  });

  it('R-06 limits one address to half of the connections', async () => {
    await start([]);
    await holdAll(MOST / 2, busy(), '127.0.0.2');
    const refused = await hold('', '127.0.0.2');
    await sleep(20);
    expect(refused.heard).toMatch(/^HTTP\/1\.1 503/);
    expect(await isServed()).toBe(200);
  });

  it('R-06 answers an app beside 2,000 silent connections', async () => {
    await start(['127.0.0.0/8']);
    for (let i = 0; i < 20; i += 1) {
      await Promise.all(Array.from({ length: 100 }, () => hold('')));
      expect(await isServed()).toBe(200);
    }
    expect(sockets.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(MOST + 5);
  });

  it('R-06 closes connections whose clients do not read their answers', async () => {
    await start(['127.0.0.0/8'], { stalledMs: 1_000 });
    const ask = `GET /llms.txt HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`;
    const deaf = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const socket = await hold('');
        socket.pause();
        // More than what the system keeps for a reader; the server stops answering when nobody takes it.
        socket.write(ask.repeat(6_000));
        return socket;
      }),
    );
    const closed = deaf.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    expect(await isServed()).toBe(200);
    // Nothing moves for a second, then the server ends it. Only a reader hears of that.
    await sleep(4_000);
    for (const socket of deaf) socket.resume();
    await Promise.all(closed);
    const whole = 6_000 * (await (await fetch(`${server.origin}/llms.txt`)).text()).length;
    for (const socket of deaf) expect(socket.heard.length).toBeLessThan(whole / 2);
  });
});
