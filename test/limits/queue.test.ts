import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createFairQueue } from '../../src/limits/queue.ts';

/** A fair queue with a clock of its own. `order` lists the clients of the calls that ran. */
function createTestQueue(maxWaiting = 100) {
  let time = 0;
  const enter = createFairQueue(maxWaiting, 1, () => time);
  const order: string[] = [];
  const run = async (client: string, ms: number, signal?: AbortSignal) => {
    const leave = await enter(client, signal);
    order.push(client);
    time += ms;
    leave();
  };
  const runAll = (client: string, count: number, ms: number) =>
    Promise.all(Array.from({ length: count }, () => run(client, ms)));
  return { enter, order, run, runAll };
}

describe('the fair queue', () => {
  it('lets small calls of one client run before the next large call of another', async () => {
    const { order, runAll } = createTestQueue();
    await Promise.all([runAll('heavy', 10, 20), runAll('light', 10, 1)]);
    // The heavy one came first and runs once; then it rests as long as ten calls of the light one take.
    expect(order.lastIndexOf('light')).toBeLessThan(order.length - 7);
    expect(order.filter((client) => client === 'heavy')).toHaveLength(10);
  });

  it('gives no credit to a client that was away', async () => {
    const { order, runAll } = createTestQueue();
    await runAll('busy', 20, 2);
    order.length = 0;
    await Promise.all([runAll('new', 10, 2), runAll('busy', 10, 2)]);
    // If the past counted, all of the new one's calls would go before the second of the busy one's.
    expect(order.slice(0, 10).filter((client) => client === 'busy').length).toBeGreaterThan(2);
  });

  it('keeps a client after a large call waiting little longer than the others', async () => {
    const { order, run, runAll } = createTestQueue();
    const light = Array.from({ length: 63 }, (_, index) => runAll(`light ${index}`, 100, 2));
    await Promise.all([run('heavy', 30), ...light, run('heavy', 30)]);
    // It rests 30 ms, in which 15 calls run, and those that arrived meanwhile go first.
    const between = order.lastIndexOf('heavy') - order.indexOf('heavy');
    expect(between).toBeGreaterThan(15);
    expect(between).toBeLessThan(15 + 2 * 63);
  });

  it('lets the event loop run between calls', async () => {
    const { runAll } = createTestQueue();
    let rounds = 0;
    let isOver = false;
    const count = () => {
      rounds += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await runAll('a', 20, 3);
    isOver = true;
    expect(rounds).toBeGreaterThanOrEqual(19);
  });

  it('refuses calls when too many wait, and drops those of a caller that hung up', async () => {
    const { enter } = createTestQueue(2);
    const leave = await enter('a');
    const hangUp = new AbortController();
    const gone = enter('a', hangUp.signal);
    const stays = enter('a');
    await expect(enter('a')).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 1 });
    hangUp.abort();
    await expect(gone).rejects.toMatchObject({ code: 'cancelled' });
    await expect(enter('b', hangUp.signal)).rejects.toMatchObject({ code: 'cancelled' });
    leave();
    (await stays)();
    (await enter('a'))();
  });

  it('runs one call at a time and ends a call only once', async () => {
    const { enter } = createTestQueue();
    const first = await enter('a');
    let isSecondRunning = false;
    const second = enter('b').then((leave) => {
      isSecondRunning = true;
      return leave;
    });
    await sleep(20);
    expect(isSecondRunning).toBe(false);
    first();
    const endSecond = await second;
    first();
    let isThirdRunning = false;
    const third = enter('c').then((leave) => {
      isThirdRunning = true;
      return leave;
    });
    await sleep(20);
    expect(isThirdRunning).toBe(false);
    endSecond();
    (await third)();
  });
});
