import { LruCache } from './cache.ts';
import { TooManyRequests } from './too-many-requests.ts';

interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

export interface ThrottleRule {
  readonly perAddress: Limit;
  /** Has a shorter window than `perAddress`: many strangers make everyone wait, but not for long. */
  readonly inAll: Limit;
}

/** The address that an attempt is counted for. Attempts from a shared address count only in all. */
export interface SourceAddress {
  readonly key: string;
  readonly isShared?: boolean;
}

/** Counts one attempt, or throws with the seconds to wait. The returned function takes the attempt back. */
export type Throttle = (source: SourceAddress, now: Date) => () => void;

const MAX_ADDRESSES = 10_000;

/** Counts attempts per address and in all over sliding windows, in memory: a restart resets the counts. */
export function createThrottle({ perAddress, inAll }: ThrottleRule): Throttle {
  const attempts = new LruCache<string, number[]>(MAX_ADDRESSES);
  let all: number[] = [];
  return ({ key, isShared = false }, now) => {
    const time = now.getTime();
    all = recent(all, inAll, time);
    const own = isShared ? [] : recent(attempts.get(key) ?? [], perAddress, time);
    check(own, perAddress, time);
    check(all, inAll, time);
    all.push(time);
    if (!isShared) {
      own.push(time);
      attempts.set(key, own);
    }
    return () => {
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
  throw new TooManyRequests('Too many attempts.', (times.at(-max) as number) + windowMs - time);
}

/** Counts one attempt and returns whether it is allowed. */
export function allows(throttle: Throttle, source: SourceAddress, now: Date): boolean {
  try {
    throttle(source, now);
    return true;
  } catch (error) {
    if (error instanceof TooManyRequests) return false;
    throw error;
  }
}
