import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditStore, DayCount, SparedEvents, StoredRead } from '../store/audit-store.ts';
import { DAY_MS } from '../time/durations.ts';
import { accessKinds, alarmKinds, anonymousKinds, endingKinds } from './event-kinds.ts';
import { getEventLog } from './events.ts';

export interface RetentionLimits {
  readonly days: number;
  readonly bytes: number;
}

/** Kept at any age, like events that ended access: unseen alarms and the history of live grants. */
export interface ProtectedEntries {
  readonly alarmsSeen: number;
  readonly liveGrants: readonly string[];
}

interface RetentionDeps {
  readonly audit: AuditStore;
  readonly limits: RetentionLimits;
  readonly readProtected: () => Promise<ProtectedEntries>;
  /** Returns the beginning of the owner's day that contains a time. */
  readonly dayOf: (at: string) => string;
  readonly now: () => Date;
  /** Runs work unless another process does the same. */
  readonly exclusively: (work: () => Promise<void>) => Promise<unknown>;
  /** Called after a failure; the work is tried again later. */
  readonly onError: (error: unknown) => void;
}

/** Removes some of the oldest entries beyond the limits. Returns whether more must be removed. */
type PruneStep = (limits: RetentionLimits, protectedEntries: ProtectedEntries, now: Date) => Promise<boolean>;

const CHECK_INTERVAL_MS = 10_000;
/** The pause between two steps, so that answers come first. */
const PAUSE_MS = 20;
/** A writer waits for one step at most, which takes a few milliseconds. */
const MAX_STEP_ENTRIES = 200;
const MAX_STEP_PAGES = 200;
/** Shares of the size limit at which pruning starts and stops. */
const START_SHARE = 0.9;
const STOP_SHARE = 0.8;
/** A file that is used at least this much is not shrunk. */
const MOSTLY_USED_SHARE = 0.75;

/** Keeps the audit within its limits and writes counted events in the background while the server runs. */
export function startRetention(deps: RetentionDeps): { stop(): Promise<void> } {
  const { audit, limits, now, onError } = deps;
  const log = getEventLog(audit);
  const prune = createPruneStep(audit, deps.dayOf);
  let isStopped = false;
  let running: Promise<void> | undefined;

  const check = async () => {
    await log.flush(now(), 'due');
    await deps.exclusively(async () => {
      const protectedEntries = await deps.readProtected();
      while (!isStopped && (await prune(limits, protectedEntries, now()))) await sleep(PAUSE_MS);
    });
  };
  const run = (work: () => Promise<void>) => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  };

  run(async () => {
    await audit.enableShrinking().catch(onError);
    await check();
  });
  const timer = setInterval(() => run(check), CHECK_INTERVAL_MS);
  timer.unref();
  return {
    /** Writes events that are only counted so far. Called before the store is closed. */
    async stop() {
      clearInterval(timer);
      isStopped = true;
      await running;
      await log.flush(now(), 'all').catch(onError);
    },
  };
}

export function createPruneStep(audit: AuditStore, dayOf: (at: string) => string): PruneStep {
  let isPruning = false;
  const pruneReads = async (reads: readonly StoredRead[]) => {
    const ids = reads.map(({ id }) => id);
    if (ids.length > 0) await audit.pruneReads(ids, countByDay(reads, dayOf));
    return reads.length > 0;
  };
  const pruneEvents = async (events: readonly { id: number }[]) => {
    if (events.length > 0) await audit.pruneEvents(events.map(({ id }) => id));
    return events.length > 0;
  };

  return async (limits, { alarmsSeen, liveGrants }, now) => {
    const protectedEntries: SparedEvents = {
      kinds: endingKinds,
      unseen: { kinds: alarmKinds, seenId: alarmsSeen },
      ofGrants: { kinds: accessKinds, grantIds: liveGrants },
    };
    const cutoff = new Date(now.getTime() - limits.days * DAY_MS).toISOString();
    const reads = await audit.listOldestReads(MAX_STEP_ENTRIES);
    const events = await audit.listOldestEvents(protectedEntries, MAX_STEP_ENTRIES);
    if ((await pruneReads(upTo(reads, cutoff))) || (await pruneEvents(upTo(events, cutoff)))) return true;
    const { used, free, onDisk } = await audit.measureFile();
    isPruning = used > limits.bytes * (isPruning ? STOP_SHARE : START_SHARE);
    if (isPruning) {
      const anonymous = await audit.listOldestEvents(protectedEntries, MAX_STEP_ENTRIES, anonymousKinds);
      // A flood of events by callers without access must not displace entries of reads.
      if (anonymous.length === MAX_STEP_ENTRIES) return pruneEvents(anonymous);
      const areEventsOlder = (events[0]?.at ?? '~') < (reads[0]?.at ?? '~');
      if (areEventsOlder && (await pruneEvents(events))) return true;
      if ((await pruneReads(reads)) || (await pruneEvents(events))) return true;
    }
    // Free pages are soon used again; only a file that is too large is shrunk.
    if (free === 0 || (onDisk <= limits.bytes && used > onDisk * MOSTLY_USED_SHARE)) return false;
    await audit.shrinkFile(MAX_STEP_PAGES);
    return (await audit.measureFile()).free < free;
  };
}

/** Returns the entries up to the last one that is too old. A time in the future, from a wrong clock, does not stop it. */
function upTo<T extends { readonly at: string }>(entries: readonly T[], cutoff: string): readonly T[] {
  return entries.slice(0, entries.findLastIndex(({ at }) => at < cutoff) + 1);
}

function countByDay(reads: readonly StoredRead[], dayOf: (at: string) => string): DayCount[] {
  const counts = new Map<string, DayCount>();
  for (const { at, grant_id, client, surface, tool, outcome, records, tokens_out } of reads) {
    const isOk = outcome === 'ok';
    const group = { day: dayOf(at), grant_id: grant_id ?? '', client, surface, tool };
    const id = JSON.stringify([...Object.values(group), isOk]);
    const sum = counts.get(id) ?? { calls: 0, records: 0, tokens_out: 0, first_at: at, last_at: at };
    const times = [sum.first_at, at, sum.last_at].sort();
    counts.set(id, {
      ...group,
      outcome: isOk ? 'ok' : 'refused',
      calls: sum.calls + 1,
      records: sum.records + records,
      tokens_out: sum.tokens_out + tokens_out,
      first_at: times[0] as string,
      last_at: times[2] as string,
    });
  }
  return [...counts.values()];
}
