import type { AuditEntry } from '../audit/audit.ts';
import type { Grant } from '../grants/grant.ts';
import { LruCache } from '../limits/cache.ts';
import type { FairQueue } from '../limits/queue.ts';
import { TooManyRequests } from '../limits/too-many-requests.ts';
import { MINUTE_MS } from '../time/durations.ts';

export type Surface = AuditEntry['surface'];

/** Who is asking, and by which token where it was one. */
export type Caller = ({ readonly kind: 'client'; readonly grant: Grant } | { readonly kind: 'owner' }) & {
  readonly tokenHash?: string;
};

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

/** Lets a call begin when its turn comes, or refuses it. The result ends the call. */
export type EnterCall = (caller: Caller, surface: Surface, signal?: AbortSignal) => Promise<() => void>;

/** How often apps may call, how much work they may cause, and in which order they are served. */
export interface Admission {
  readonly enter: EnterCall;
  /** Before a request is read: refuses callers that go on calling after they were told to wait. */
  check(caller: Caller): Promise<void>;
  /** A message that runs no tool is a call too. */
  count(caller: Caller): void;
}

export interface AdmissionDeps {
  readonly rule: CallRule;
  readonly queue: FairQueue;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onRefused: (caller: Caller) => Promise<void>;
}

interface Allowance {
  readonly calls: Bucket;
  readonly work: Bucket;
  /** Refusals in full, each with its line in the audit. When they are used up, `check` refuses. */
  readonly refusals: Bucket;
}

/** A sixth of a minute's calls may come at once. */
const BURST = 1 / 6;
/** Of several programs on one access, a single one leaves half to the others. */
const TOKEN_SHARE = 1 / 2;
const REFUSALS = 20;
const UNLIMITED = 1e9;
const MAX_ALLOWANCES = 10_000;
const ADVICE = 'Ask for more per call (limit, aggregate, connection_id "*") instead of calling more often.';

/** Counts calls and the time they take, per token and per grant, in memory. What one grant spends is nothing to another. */
export function createAdmission({ rule, queue, now, onRefused }: AdmissionDeps): Admission {
  const allowances = new LruCache<string, Allowance>(MAX_ALLOWANCES);
  const create = (share: number): Allowance => {
    const calls = (rule.callsPerMinute || UNLIMITED) * share;
    const work = (rule.workSecondsPerMinute || UNLIMITED) * 1_000 * share;
    return {
      calls: new Bucket(Math.max(1, calls * BURST), calls, now()),
      work: new Bucket(work, work, now()),
      refusals: new Bucket(REFUSALS, 60, now()),
    };
  };
  const find = (key: string, share: number) => allowances.getOrSet(key, () => create(share));
  const findAll = (caller: Caller): Allowance[] => {
    const { tokenHash: token } = caller;
    const grant = caller.kind === 'client' ? caller.grant.grantId : undefined;
    return [
      ...(grant === undefined ? [] : [find(`grant ${grant}`, 1)]),
      ...(token === undefined ? [] : [find(`token ${token}`, grant === undefined ? 1 : TOKEN_SHARE)]),
    ];
  };
  const waitForWork = (all: readonly Allowance[]) =>
    Math.max(0, ...all.map(({ work }) => work.waitFor(0, now())));
  const waitForCall = (all: readonly Allowance[]) =>
    Math.max(waitForWork(all), ...all.map(({ calls }) => calls.waitFor(1, now())));
  const refusal = (waitMs: number) =>
    new TooManyRequests('Too many calls, or too much work, in a short time.', waitMs, ADVICE);
  const refuseFor = (all: readonly Allowance[], waitMs: number) => {
    if (waitMs <= 0) return;
    for (const { refusals } of all) refusals.spend(1, now());
    throw refusal(waitMs);
  };
  const take = (caller: Caller) => {
    const all = findAll(caller);
    refuseFor(all, waitForCall(all));
    for (const { calls } of all) calls.spend(1, now());
  };

  return {
    async check(caller) {
      const all = findAll(caller);
      const wait = waitForCall(all);
      if (wait <= 0 || all.every(({ refusals }) => refusals.waitFor(1, now()) <= 0)) return;
      await onRefused(caller);
      throw refusal(wait);
    },
    count: take,
    async enter(caller, surface, signal) {
      // The owner's own pages wait for their turn, but are not counted.
      if (surface === 'dashboard') return queue('owner', signal);
      take(caller);
      const leave = await queue(caller.kind === 'client' ? caller.grant.grantId : 'owner', signal);
      const all = findAll(caller);
      try {
        // Calls that ran meanwhile may have used up the time.
        refuseFor(all, waitForWork(all));
      } catch (error) {
        leave();
        throw error;
      }
      const started = performance.now();
      return () => {
        const ms = performance.now() - started;
        for (const { work } of findAll(caller)) work.spend(ms, now());
        leave();
      };
    },
  };
}

/**
 * An allowance that fills up evenly and may be overdrawn once: the cost of a call is known when it is done.
 * It owes at most what it holds, so that nobody waits longer than filling it takes.
 */
class Bucket {
  readonly #capacity: number;
  readonly #perMs: number;
  #level: number;
  #filledAt: number;

  constructor(capacity: number, perMinute: number, now: number) {
    this.#capacity = capacity;
    this.#perMs = perMinute / MINUTE_MS;
    this.#level = capacity;
    this.#filledAt = now;
  }

  /** Returns the milliseconds until the bucket holds the amount. */
  waitFor(amount: number, now: number): number {
    this.#fill(now);
    return this.#level >= amount ? 0 : (amount - this.#level) / this.#perMs;
  }

  spend(amount: number, now: number): void {
    this.#fill(now);
    this.#level = Math.max(-this.#capacity, this.#level - amount);
  }

  #fill(now: number): void {
    // A clock that is turned back gives nothing and takes nothing away.
    const passed = Math.max(0, now - this.#filledAt);
    this.#level = Math.min(this.#capacity, this.#level + passed * this.#perMs);
    this.#filledAt = now;
  }
}
