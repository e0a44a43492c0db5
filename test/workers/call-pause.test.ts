import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CallPause } from '../../src/workers/call-pause.ts';

const WORK_MS = 60;
const LONG_WORK_MS = 10_000;

async function measureWait(pause: CallPause): Promise<number> {
  const began = performance.now();
  await pause.wait();
  return performance.now() - began;
}

/** Sends call after call until the work has waited. */
async function measureWaitUnderCalls(pause: CallPause): Promise<number> {
  const calls = setInterval(pause.noteCall, 5);
  try {
    return await measureWait(pause);
  } finally {
    clearInterval(calls);
  }
}

it('pauses several times as long as the work took while apps send calls', async () => {
  const pause = new CallPause();
  await pause.wait();
  await sleep(WORK_MS);
  pause.noteCall();
  expect(await measureWaitUnderCalls(pause)).toBeGreaterThan(4 * WORK_MS);
});

it('does not pause without calls, and ends a pause soon after the last call', async () => {
  const pause = new CallPause();
  await pause.wait();
  await sleep(WORK_MS);
  expect(await measureWait(pause)).toBeLessThan(WORK_MS);
  await sleep(4 * WORK_MS);
  pause.noteCall();
  expect(await measureWait(pause)).toBeLessThan(1_000);
});

it('limits the pause after long work', async () => {
  const pause = new CallPause();
  pause.noteCall();
  const waited = await measureWaitUnderCalls(pause);
  expect(waited).toBeGreaterThan(1_000);
  expect(waited).toBeLessThan(LONG_WORK_MS / 2);
});
