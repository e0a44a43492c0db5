import { expect, it } from 'vitest';
import { openServedAccount } from '../support/served-account.ts';

/** One minute, a tenth more, and the time that a run takes. */
const INTERVAL_MS = 66_000 + 5_000;

it('a mail is found by search within the interval, without IDLE', async () => {
  const { deliver } = await openServedAccount('--idle', 'no', '--interval', '1');
  const ms = await deliver('submarine', 2 * INTERVAL_MS);
  process.stdout.write(`${JSON.stringify({ polled: Math.round(ms) })}\n`);
  expect(ms).toBeLessThan(INTERVAL_MS);
});
