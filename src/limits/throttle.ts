import { LruCache } from './cache.ts';
import { TooManyRequests } from './too-many-requests.ts';

interface Most {
  readonly most: number;
  readonly windowMs: number;
}

export interface ThrottleRule {
  readonly perAddress: Most;
  /** Over a shorter time than that of an address: a crowd of strangers makes everyone wait, but not for long. */
  readonly inAll: Most;
}

/** Whose attempt it is. Where one address stands for many, attempts are only counted in all. */
export interface Attempter {
  readonly key: string;
  readonly isShared?: boolean;
}

/** Takes one attempt, or refuses with the seconds to wait. The result gives it back. */
export type Throttle = (who: Attempter, now: Date) => () => void;

const MAX_ADDRESSES = 10_000;

/**
 * Counts attempts per address and in all, over sliding windows. It is kept in memory: a restart forgives.
 * Nobody is locked out for good: waiting helps, also when the clock was wrong for a while and is put right.
 */
export function createThrottle({ perAddress, inAll }: ThrottleRule): Throttle {
  const attempts = new LruCache<string, number[]>(MAX_ADDRESSES);
  let all: number[] = [];
  return ({ key, isShared = false }, now) => {
    const time = now.getTime();
    all = recent(all, inAll, time);
    const mine = isShared ? [] : recent(attempts.get(key) ?? [], perAddress, time);
    check(mine, perAddress, time);
    check(all, inAll, time);
    all.push(time);
    if (!isShared) {
      mine.push(time);
      attempts.set(key, mine);
    }
    return () => {
      for (const times of [attempts.get(key) ?? [], all]) {
        const index = times.indexOf(time);
        if (index >= 0) times.splice(index, 1);
      }
    };
  };
}

/** An attempt dated in the future was made by a clock that was wrong, and does not count. */
function recent(times: readonly number[], { windowMs }: Most, time: number): number[] {
  return times.filter((one) => one > time - windowMs && one <= time);
}

function check(times: readonly number[], { most, windowMs }: Most, time: number): void {
  if (times.length < most) return;
  throw new TooManyRequests('Too many attempts.', (times.at(-most) as number) + windowMs - time);
}

/** The same as a question. */
export function allows(throttle: Throttle, who: Attempter, now: Date): boolean {
  try {
    throttle(who, now);
    return true;
  } catch (error) {
    if (error instanceof TooManyRequests) return false;
    throw error;
  }
}
