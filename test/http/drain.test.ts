import { Agent, request, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { drain } from '../../src/http/drain.ts';
import { listen } from '../../src/http/listen.ts';
import { findFreePort } from '../support/run-cli.ts';

interface Answer {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly text: string;
}

/** A server whose answers take a while, and a client that keeps its connections. */
async function startSlowServer(answerMs: number) {
  const port = await findFreePort();
  let begun = 0;
  const server = await listen(
    async () => {
      begun += 1;
      await sleep(answerMs);
      return new Response('done');
    },
    '127.0.0.1',
    port,
  );
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return { server, port, ask: () => ask(port, agent), begun: () => begun };
}

function ask(port: number, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, agent }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve({ status: answer.statusCode, connection: answer.headers.connection, text });
    });
    sent.on('error', reject).end();
  });
}

describe('draining a server', () => {
  it('finishes running requests, then closes their connections, and takes no new ones', async () => {
    const { server, ask, begun } = await startSlowServer(300);
    await ask();
    const running = [ask(), ask(), ask()];
    await expect.poll(begun).toBe(4);
    const started = performance.now();
    const drained = drain(server, 10_000);
    await expect.poll(() => (server as Server).listening, { interval: 1 }).toBe(false);
    await expect(ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    for (const answer of await Promise.all(running))
      expect(answer).toEqual({ status: 200, connection: 'close', text: 'done' });
    await drained;
    // Without waiting for idle connections to time out.
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('answers the requests of connections that the system has taken and Node has not', async () => {
    const { server, port } = await startSlowServer(20);
    const waiting = Array.from({ length: 20 }, () => ask(port, new Agent()));
    // Node connects with the next tick.
    await new Promise((resolve) => process.nextTick(resolve));
    await drain(server, 10_000);
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  });

  it('ends at once when nothing runs, also with idle connections', async () => {
    const { server, ask } = await startSlowServer(0);
    await Promise.all([ask(), ask()]);
    const started = performance.now();
    await drain(server, 10_000);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('cuts requests off that take longer than allowed', async () => {
    const { server, ask, begun } = await startSlowServer(60_000);
    const running = ask();
    running.catch(() => {});
    await expect.poll(begun).toBe(1);
    await drain(server, 200);
    await expect(running).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});
