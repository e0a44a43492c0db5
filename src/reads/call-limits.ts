import { TooManyRequests } from '../limits/too-many-requests.ts';
import { argument, hint, toolCall } from '../text/hint.ts';
import { Bucket } from './bucket.ts';

/** What one app may use in a minute. Zero means no limit. */
export interface CallRule {
  readonly callsPerMinute: number;
  readonly workSecondsPerMinute: number;
}

/**
 * Several times what an agent in a hurry asks for (a call of 2 to 4 ms every 25 ms), and less than a loop. The
 * reasons are in docs/decisions/limits.md.
 */
export const DEFAULT_CALL_RULE: CallRule = { callsPerMinute: 2_400, workSecondsPerMinute: 40 };
export const NO_CALL_RULE: CallRule = { callsPerMinute: 0, workSecondsPerMinute: 0 };

/** One who calls: by a token, which may be one of several of a grant. */
export interface Spender {
  readonly token: string | undefined;
  readonly grant: string | undefined;
}

export interface CallLimits {
  /** Before anything of a request is read: refuses whoever goes on calling after they were told to wait. */
  checkDoor(spender: Spender): void;
  /** Takes one call, or refuses it with the seconds to wait. */
  take(spender: Spender): void;
  /** When the turn of a call comes: refuses it if those before it have used up the time. */
  checkWork(spender: Spender): void;
  /** What a call has cost is known afterwards; it delays the next one. */
  charge(spender: Spender, ms: number): void;
}

interface Allowance {
  readonly calls: Bucket;
  readonly work: Bucket;
  /** Refusals in full, each with its line in the audit. When they are used up, the door refuses. */
  readonly refusals: Bucket;
}

/** A sixth of a minute's calls may come at once. */
const BURST = 1 / 6;
/** Of several programs on one access, a single one leaves half to the others. */
const TOKEN_SHARE = 1 / 2;
const REFUSALS = 20;
const UNLIMITED = 1e9;
const MOST_KEPT = 10_000;
const ADVICE = hint`Ask for more per call (${argument('limit')}, ${toolCall('aggregate')}, ${argument('connection_id')} "*"), not more often.`;

/**
 * Counts calls and the time they take, per token and per grant. In memory, and bounded; what one grant spends is
 * nothing to another.
 */
export function createCallLimits(rule: CallRule, now: () => number): CallLimits {
  const kept = new Map<string, Allowance>();

  const create = (share: number): Allowance => {
    const calls = (rule.callsPerMinute || UNLIMITED) * share;
    const work = (rule.workSecondsPerMinute || UNLIMITED) * 1_000 * share;
    return {
      calls: new Bucket(Math.max(1, calls * BURST), calls, now()),
      work: new Bucket(work, work, now()),
      refusals: new Bucket(REFUSALS, 60, now()),
    };
  };
  const find = (key: string, share: number): Allowance => {
    const allowance = kept.get(key) ?? create(share);
    kept.delete(key);
    kept.set(key, allowance);
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value as string);
    return allowance;
  };
  const findAll = ({ token, grant }: Spender): Allowance[] => [
    ...(grant === undefined ? [] : [find(`grant ${grant}`, 1)]),
    ...(token === undefined ? [] : [find(`token ${token}`, grant === undefined ? 1 : TOKEN_SHARE)]),
  ];
  const waitForWork = (all: readonly Allowance[]) =>
    Math.max(0, ...all.map(({ work }) => work.waitFor(0, now())));
  const waitForCall = (all: readonly Allowance[]) =>
    Math.max(waitForWork(all), ...all.map(({ calls }) => calls.waitFor(1, now())));
  const refusal = (waitMs: number) =>
    new TooManyRequests('Too many calls, or too much work, in a short time.', waitMs, ADVICE);
  const refuse = (all: readonly Allowance[], waitMs: number): never => {
    for (const { refusals } of all) refusals.spend(1, now());
    throw refusal(waitMs);
  };

  return {
    checkDoor(spender) {
      const all = findAll(spender);
      const wait = waitForCall(all);
      if (wait > 0 && all.some(({ refusals }) => refusals.waitFor(1, now()) > 0)) throw refusal(wait);
    },
    take(spender) {
      const all = findAll(spender);
      const wait = waitForCall(all);
      if (wait > 0) refuse(all, wait);
      for (const { calls } of all) calls.spend(1, now());
    },
    checkWork(spender) {
      const all = findAll(spender);
      const wait = waitForWork(all);
      if (wait > 0) refuse(all, wait);
    },
    charge(spender, ms) {
      for (const { work } of findAll(spender)) work.spend(ms, now());
    },
  };
}
