import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createFairQueue } from '../../src/limits/queue.ts';

/** Runs so many calls in a lane at once, each of which takes some milliseconds of a clock of ours, and notes when they ran. */
function createLine(atOnce = 1, maxWaiting = 100) {
  let time = 0;
  const takeTurn = createFairQueue({ atOnce, maxWaiting }, () => time);
  const order: string[] = [];
  const run = async (lane: string, ms: number, signal?: AbortSignal) => {
    const leave = await takeTurn(lane, signal);
    order.push(lane);
    time += ms;
    leave();
  };
  const runAll = (lane: string, count: number, ms: number) =>
    Promise.all(Array.from({ length: count }, () => run(lane, ms)));
  return { takeTurn, order, run, runAll };
}

describe('turns', () => {
  it('go to whoever has used least: small calls do not wait for all the large ones', async () => {
    const { order, runAll } = createLine();
    await Promise.all([runAll('heavy', 10, 20), runAll('light', 10, 1)]);
    // The heavy one came first and runs once; then the light one has used less for as long as it asks.
    expect(order.lastIndexOf('light')).toBeLessThan(order.length - 7);
    expect(order.filter((lane) => lane === 'heavy')).toHaveLength(10);
  });

  it('are no credit for whoever was away', async () => {
    const { order, runAll } = createLine();
    await runAll('busy', 20, 2);
    order.length = 0;
    await Promise.all([runAll('new', 10, 2), runAll('busy', 10, 2)]);
    // If the past counted, all of the new one's calls would go before the second of the busy one's.
    expect(order.slice(0, 10).filter((lane) => lane === 'busy').length).toBeGreaterThan(2);
  });

  it('let the event loop go round in between', async () => {
    const { runAll } = createLine();
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

  it('that are waited for by too many are refused, and by one who has gone are dropped', async () => {
    const { takeTurn } = createLine(1, 2);
    const leave = await takeTurn('a');
    const hangUp = new AbortController();
    const gone = takeTurn('a', hangUp.signal);
    const stays = takeTurn('a');
    await expect(takeTurn('a')).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 1 });
    hangUp.abort();
    await expect(gone).rejects.toMatchObject({ code: 'cancelled' });
    await expect(takeTurn('b', hangUp.signal)).rejects.toMatchObject({ code: 'cancelled' });
    leave();
    (await stays)();
    (await takeTurn('a'))();
  });

  it('may be several at once, of different lanes', async () => {
    const { takeTurn } = createLine(2);
    const first = await takeTurn('a');
    let isSecondOn = false;
    const second = takeTurn('a').then((leave) => {
      isSecondOn = true;
      return leave;
    });
    const other = await takeTurn('b').then((leave) => leave);
    await sleep(20);
    expect(isSecondOn).toBe(false);
    other();
    first();
    (await second)();
    // Ending a turn twice ends it once.
    first();
    (await takeTurn('c'))();
  });
});
