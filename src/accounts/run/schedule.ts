import { HOUR_MS, MINUTE_MS } from '../../time/durations.ts';

/** Accounts of one interval do not run at the same moment. */
const JITTER = 0.1;
const FIRST_RETRY_MS = MINUTE_MS;
const MAX_RETRY_MS = 6 * HOUR_MS;
/** A run that has used up its budget continues after this time, so that other accounts can run. */
const CONTINUE_MS = 2_000;

/** Returns the time of the next run after a successful one. */
export function nextRun(now: Date, intervalSeconds: number, random: number): Date {
  return new Date(now.getTime() + intervalSeconds * 1_000 * (1 + JITTER * (2 * random - 1)));
}

export function continueRun(now: Date): Date {
  return new Date(now.getTime() + CONTINUE_MS);
}

/** Returns the time at which a failed run is retried. The delay doubles with each failure. */
export function retryRun(now: Date, failures: number, random: number): Date {
  const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), MAX_RETRY_MS);
  return new Date(now.getTime() + wait * (1 + JITTER * (2 * random - 1)));
}
