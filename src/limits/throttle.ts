import { LruCache } from './cache.ts';
import type { Limit, SharedAttempts, ThrottleRule } from './shared-limits.ts';
import { TooManyRequests } from './too-many-requests.ts';

/** The address that an attempt is counted for. Attempts from a shared address count only in the total. */
export interface SourceAddress {
  readonly key: string;
  readonly isShared?: boolean;
}

/** Counts one attempt, or throws with the seconds to wait. The returned function removes the attempt again. */
export type Throttle = (source: SourceAddress, now: Date) => Promise<() => Promise<void>>;

const MAX_ADDRESSES = 10_000;
/** How long a refusal is repeated without asking the database, so that a flood costs it nothing. */
const REPEAT_MS = 1_000;

/**
 * Counts attempts per address and in total over sliding windows: in memory, where a restart resets the counts, or under a
 * name together with other processes.
 */
export function createThrottle(name: string, rule: ThrottleRule, shared?: SharedAttempts): Throttle {
  return shared === undefined ? countInMemory(rule) : countTogether(name, rule, shared);
}

function countInMemory({ perAddress, total }: ThrottleRule): Throttle {
  const attempts = new LruCache<string, number[]>(MAX_ADDRESSES);
  let all: number[] = [];
  return async ({ key, isShared = false }, now) => {
    const time = now.getTime();
    all = recent(all, total, time);
    const own = isShared ? [] : recent(attempts.get(key) ?? [], perAddress, time);
    check(own, perAddress, time);
    check(all, total, time);
    all.push(time);
    if (!isShared) {
      own.push(time);
      attempts.set(key, own);
    }
    return async () => {
      for (const times of [attempts.get(key) ?? [], all]) {
        const index = times.indexOf(time);
        if (index >= 0) times.splice(index, 1);
      }
    };
  };
}

/** Ignores attempts in the future: the clock was wrong when they were made. */
function recent(times: readonly number[], { windowMs }: Limit, time: number): number[] {
  return times.filter((one) => one > time - windowMs && one <= time);
}

function check(times: readonly number[], { max, windowMs }: Limit, time: number): void {
  if (times.length < max) return;
  throw tooMany((times.at(-max) as number) + windowMs - time);
}

function tooMany(waitMs: number): TooManyRequests {
  return new TooManyRequests('Too many attempts.', waitMs);
}

function countTogether(name: string, rule: ThrottleRule, shared: SharedAttempts): Throttle {
  const refusals = new LruCache<string, { readonly at: number; readonly waitMs: number }>(MAX_ADDRESSES);
  return async ({ key, isShared = false }, now) => {
    const time = now.getTime();
    const ownKey = isShared ? undefined : key;
    const refused = refusals.get(ownKey ?? '');
    const passed = refused === undefined ? Number.POSITIVE_INFINITY : time - refused.at;
    if (refused !== undefined && passed >= 0 && passed < Math.min(REPEAT_MS, refused.waitMs))
      throw tooMany(refused.waitMs - passed);
    const counted = await shared.add(name, ownKey, rule, time);
    if ('remove' in counted) return counted.remove;
    refusals.set(ownKey ?? '', { at: time, waitMs: counted.waitMs });
    throw tooMany(counted.waitMs);
  };
}

/** Counts one attempt and returns whether it is allowed. */
export async function allows(throttle: Throttle, source: SourceAddress, now: Date): Promise<boolean> {
  try {
    await throttle(source, now);
    return true;
  } catch (error) {
    if (error instanceof TooManyRequests) return false;
    throw error;
  }
}
