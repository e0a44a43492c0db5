import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openServedAccount } from './support/served-account.ts';

const IDLE_MS = 5_000;

it('a mail is found by search within 5 seconds of its delivery, with IDLE', async () => {
  const { deliver } = await openServedAccount();
  const times = [];
  for (const word of ['submarine', 'lighthouse', 'zeppelin']) {
    // The server listens again after each sync.
    await sleep(3_000);
    times.push(await deliver(word, 4 * IDLE_MS));
  }
  expect(Math.max(...times)).toBeLessThan(IDLE_MS);
}, 240_000);
