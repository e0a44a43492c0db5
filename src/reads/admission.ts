import type { AuditEntry } from '../audit/audit.ts';
import type { FoundAccess, Grant } from '../grants/grant.ts';
import { Bucket } from '../limits/bucket.ts';
import { LruCache } from '../limits/cache.ts';
import type { FairQueue } from '../limits/queue.ts';
import { createBucketSharing, type ShareBucket } from '../limits/share-buckets.ts';
import type { SharedBuckets } from '../limits/shared-limits.ts';
import { TooManyRequests } from '../limits/too-many-requests.ts';

export type Surface = AuditEntry['surface'];

/** The caller, and how its token was found if it has one. */
export type Caller = ({ readonly kind: 'client'; readonly grant: Grant } | { readonly kind: 'owner' }) &
  Partial<FoundAccess>;

/** The limits of one app. Zero means no limit. */
export interface CallRule {
  readonly callsPerMinute: number;
  readonly workSecondsPerMinute: number;
}

/**
 * Several times what a fast agent needs (a call of 2 to 4 ms every 25 ms), and less than a client in an endless loop
 * uses. See docs/decisions/limits.md.
 */
export const DEFAULT_CALL_RULE: CallRule = { callsPerMinute: 2_400, workSecondsPerMinute: 40 };
export const NO_CALL_RULE: CallRule = { callsPerMinute: 0, workSecondsPerMinute: 0 };

export interface EnterOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether the call is short, so that it does not wait for long ones. */
  readonly isShort: boolean;
}

/** Waits until a call may start, or refuses it. The returned function ends the call. */
export type EnterCall = (caller: Caller, surface: Surface, options: EnterOptions) => Promise<() => void>;

/** Limits how often apps call and how much work they cause, and orders their calls. */
export interface Admission {
  readonly enter: EnterCall;
  /** Refuses, before the request is read, callers that keep calling after a refusal. */
  check(caller: Caller): Promise<void>;
  /** Counts a message that runs no tool. */
  count(caller: Caller): void;
  /** Returns the number of running and of waiting calls. */
  readonly measure: FairQueue['count'];
}

export interface AdmissionDeps {
  readonly rule: CallRule;
  readonly queue: FairQueue;
  /** The queue of short calls. Without it, all calls wait in one queue. */
  readonly shortQueue?: FairQueue | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onRefused: (caller: Caller) => Promise<void>;
  /** Buckets of all processes. Without them, this process counts alone. */
  readonly shared?: SharedBuckets | undefined;
}

interface Allowance {
  readonly name: string;
  readonly calls: Bucket;
  readonly work: Bucket;
  /** Refusals with an audit entry. When they are used up, `check` refuses. */
  readonly refusals: Bucket;
}

/** The share of a minute's calls that may come at once. */
const BURST = 1 / 6;
/** The share of a grant's limits that one token may use. */
const TOKEN_SHARE = 1 / 2;
const MAX_AUDITED_REFUSALS = 20;
const UNLIMITED = 1e9;
const MAX_ALLOWANCES = 10_000;
const ADVICE = 'Ask for more per call (limit, aggregate, connection_id "*") instead of calling more often.';

/** Counts calls and their running time, per token and per grant. Grants do not affect each other. */
export function createAdmission(deps: AdmissionDeps): Admission {
  const { rule, queue, shortQueue = queue, now, onRefused, shared } = deps;
  const allowances = new LruCache<string, Allowance>(MAX_ALLOWANCES);
  const share = createSharing(rule, shared, now);
  const create = (name: string, part: number): Allowance => {
    const calls = (rule.callsPerMinute || UNLIMITED) * part;
    const work = (rule.workSecondsPerMinute || UNLIMITED) * 1_000 * part;
    return {
      name,
      calls: new Bucket(Math.max(1, calls * BURST), calls, now()),
      work: new Bucket(work, work, now()),
      refusals: new Bucket(MAX_AUDITED_REFUSALS, 60, now()),
    };
  };
  const find = (name: string, part: number) =>
    allowances.getOrSet(name, () => {
      const created = create(name, part);
      share(created);
      return created;
    });
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
    for (const allowance of all) {
      allowance.calls.spend(1, now());
      share(allowance);
    }
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
    measure: () => addCounts(new Set([queue, shortQueue])),
    async enter(caller, surface, { signal, isShort }) {
      const wait = isShort ? shortQueue : queue;
      // The owner's pages wait in the queue, but are not counted.
      if (surface === 'dashboard') return wait('owner', signal);
      take(caller);
      const leave = await wait(caller.kind === 'client' ? caller.grant.grantId : 'owner', signal);
      const all = findAll(caller);
      try {
        // Calls that ran meanwhile may have used up the allowance.
        refuseFor(all, waitForWork(all));
      } catch (error) {
        leave();
        throw error;
      }
      const started = performance.now();
      return () => {
        const ms = performance.now() - started;
        for (const allowance of findAll(caller)) {
          allowance.work.spend(ms, now());
          share(allowance);
        }
        leave();
      };
    },
  };
}

function addCounts(queues: ReadonlySet<FairQueue>): ReturnType<FairQueue['count']> {
  const counts = [...queues].map((queue) => queue.count());
  const add = (name: 'running' | 'waiting') => counts.reduce((sum, count) => sum + count[name], 0);
  return { running: add('running'), waiting: add('waiting') };
}

/** Returns a function that shares a changed allowance with other processes, if there are any. */
function createSharing(
  { callsPerMinute, workSecondsPerMinute }: CallRule,
  shared: SharedBuckets | undefined,
  now: () => number,
): (allowance: Allowance) => void {
  if (shared === undefined) return () => {};
  const shareBucket: ShareBucket = createBucketSharing(shared, now);
  return ({ name, calls, work }) => {
    if (callsPerMinute > 0) shareBucket(`${name} calls`, calls);
    if (workSecondsPerMinute > 0) shareBucket(`${name} work`, work);
  };
}
