import { HOUR_MS, MINUTE_MS } from '../../time/durations.ts';

/** Accounts of one interval do not run at the same moment. */
const JITTER = 0.1;
const FIRST_RETRY_MS = MINUTE_MS;
const MAX_RETRY_MS = 6 * HOUR_MS;
/** A run that has used up its budget goes on after others had their turn. */
const CONTINUE_MS = 2_000;

/** Returns when the next run begins after a good one. */
export function nextRun(now: Date, intervalSeconds: number, random: number): Date {
  return new Date(now.getTime() + intervalSeconds * 1_000 * (1 + JITTER * (2 * random - 1)));
}

export function continueRun(now: Date): Date {
  return new Date(now.getTime() + CONTINUE_MS);
}

/** Returns when a failed run is repeated: soon at first, and then after twice the time each. */
export function retryRun(now: Date, failures: number, random: number): Date {
  const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), MAX_RETRY_MS);
  return new Date(now.getTime() + wait * (1 + JITTER * (2 * random - 1)));
}
