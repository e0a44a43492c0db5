import { AppError } from '../errors.ts';

export interface ThrottleRule {
  readonly windowMs: number;
  readonly mostPerAddress: number;
  readonly mostInAll: number;
}

/** Takes one attempt from an address, or refuses with the seconds to wait. The result gives it back. */
export type Throttle = (address: string, now: Date) => () => void;

const MOST_ADDRESSES = 10_000;

/**
 * Counts attempts per address and in all, over a sliding window. It is kept in memory: a restart forgives.
 * Addresses are those of sockets; what a header claims makes no difference. Waiting always helps, so nobody
 * is locked out for good.
 */
export function createThrottle(rule: ThrottleRule): Throttle {
  const attempts = new Map<string, number[]>();
  let all: number[] = [];
  return (address, now) => {
    const time = now.getTime();
    const recent = (times: number[]) => times.filter((one) => one > time - rule.windowMs);
    all = recent(all);
    const mine = recent(attempts.get(address) ?? []);
    check(mine, rule.mostPerAddress);
    check(all, rule.mostInAll);
    mine.push(time);
    all.push(time);
    attempts.delete(address);
    attempts.set(address, mine);
    if (attempts.size > MOST_ADDRESSES) attempts.delete(attempts.keys().next().value as string);
    return () => {
      for (const times of [attempts.get(address) ?? [], all]) {
        const index = times.indexOf(time);
        if (index >= 0) times.splice(index, 1);
      }
    };

    function check(times: number[], most: number): void {
      if (times.length < most) return;
      const free = (times.at(-most) as number) + rule.windowMs;
      throw new TooManyAttempts(Math.max(1, Math.ceil((free - time) / 1_000)));
    }
  };
}

/** The same as a question. */
export function allows(throttle: Throttle, address: string, now: Date): boolean {
  try {
    throttle(address, now);
    return true;
  } catch (error) {
    if (error instanceof TooManyAttempts) return false;
    throw error;
  }
}

export class TooManyAttempts extends AppError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('too_many_requests', 'Too many attempts.', {
      hint: `Try again in ${retryAfterSeconds} seconds.`,
    });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
