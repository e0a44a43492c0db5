import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditStore, DayCount, SparedEvents, StoredRead } from '../store/audit-store.ts';
import { DAY_MS } from '../time/durations.ts';
import { accessKinds, alarmKinds, endingKinds, strangerKinds } from './event-kinds.ts';
import { getEventLog } from './events.ts';

export interface RetentionLimits {
  readonly days: number;
  readonly bytes: number;
}

/** Alarms that were not seen and the history of grants that are live are kept at any age, like what ended access. */
export interface Spared {
  readonly alarmsSeen: number;
  readonly liveGrants: readonly string[];
}

interface RetentionDeps {
  readonly audit: AuditStore;
  readonly limits: RetentionLimits;
  readonly readSpared: () => Promise<Spared>;
  /** The beginning of the owner's day that contains a time. */
  readonly dayOf: (at: string) => string;
  readonly now: () => Date;
  /** Something failed and will be tried again. */
  readonly onError: (error: unknown) => void;
}

/** Removes the oldest entries beyond the limits, a few at a time. Returns whether there is more to do. */
type PruneStep = (limits: RetentionLimits, spared: Spared, now: Date) => Promise<boolean>;

const CHECK_INTERVAL_MS = 10_000;
/** Between two steps, so that answers come first. */
const PAUSE_MS = 20;
/** Entries per step: a writer waits for one step at most, which is a few milliseconds. */
const MAX_STEP_ENTRIES = 200;
const MAX_STEP_PAGES = 200;
/** Room is made before the limit is reached, and some more than is needed at once. */
const FULL = 0.9;
const ENOUGH = 0.8;
const MOSTLY_USED = 0.75;

/** Keeps the audit within its limits and writes counted events while the server runs, never while it answers. */
export function startRetention(deps: RetentionDeps): { stop(): Promise<void> } {
  const { audit, limits, now, onError } = deps;
  const log = getEventLog(audit);
  const prune = createPruneStep(audit, deps.dayOf);
  let isStopped = false;
  let running: Promise<void> | undefined;

  const check = async () => {
    await log.flush(now(), 'due');
    const spared = await deps.readSpared();
    while (!isStopped && (await prune(limits, spared, now()))) await sleep(PAUSE_MS);
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
    /** Writes what is still counted in memory, before the store is closed. */
    async stop() {
      clearInterval(timer);
      isStopped = true;
      await running;
      await log.flush(now(), 'all').catch(onError);
    },
  };
}

export function createPruneStep(audit: AuditStore, dayOf: (at: string) => string): PruneStep {
  let isMakingRoom = false;
  const pruneReads = async (reads: readonly StoredRead[]) => {
    if (reads.length > 0) await audit.pruneReads(idsOf(reads), countByDay(reads, dayOf));
    return reads.length > 0;
  };
  const pruneEvents = async (events: readonly { id: number }[]) => {
    if (events.length > 0) await audit.pruneEvents(idsOf(events));
    return events.length > 0;
  };

  return async (limits, { alarmsSeen, liveGrants }, now) => {
    const spared: SparedEvents = {
      kinds: endingKinds,
      unseen: { kinds: alarmKinds, seenId: alarmsSeen },
      ofGrants: { kinds: accessKinds, grantIds: liveGrants },
    };
    const cutoff = new Date(now.getTime() - limits.days * DAY_MS).toISOString();
    const reads = await audit.listOldestReads(MAX_STEP_ENTRIES);
    const events = await audit.listOldestEvents(spared, MAX_STEP_ENTRIES);
    if ((await pruneReads(upTo(reads, cutoff))) || (await pruneEvents(upTo(events, cutoff)))) return true;
    const { used, free, onDisk } = await audit.measureFile();
    isMakingRoom = used > limits.bytes * (isMakingRoom ? ENOUGH : FULL);
    if (isMakingRoom) {
      const strangers = await audit.listOldestEvents(spared, MAX_STEP_ENTRIES, strangerKinds);
      // A flood by strangers must not push out what was read.
      if (strangers.length === MAX_STEP_ENTRIES) return pruneEvents(strangers);
      const areEventsOlder = (events[0]?.at ?? '~') < (reads[0]?.at ?? '~');
      if (areEventsOlder && (await pruneEvents(events))) return true;
      if ((await pruneReads(reads)) || (await pruneEvents(events))) return true;
    }
    // Most of what was freed is written to again soon; only a file that is too large gives it back.
    if (free === 0 || (onDisk <= limits.bytes && used > onDisk * MOSTLY_USED)) return false;
    await audit.shrinkFile(MAX_STEP_PAGES);
    return (await audit.measureFile()).free < free;
  };
}

/** Entries up to the last one that is too old. One with a time in the future, from a wrong clock, does not hold up others. */
function upTo<T extends { readonly at: string }>(entries: readonly T[], cutoff: string): readonly T[] {
  return entries.slice(0, entries.findLastIndex(({ at }) => at < cutoff) + 1);
}

function idsOf(entries: readonly { readonly id: number }[]): number[] {
  return entries.map(({ id }) => id);
}

function countByDay(reads: readonly StoredRead[], dayOf: (at: string) => string): DayCount[] {
  const counts = new Map<string, DayCount>();
  for (const { at, grant_id, client, surface, tool, outcome, records, tokens_out } of reads) {
    const group = {
      day: dayOf(at),
      grant_id: grant_id ?? '',
      client,
      surface,
      tool,
      outcome: outcome === 'ok' ? ('ok' as const) : ('refused' as const),
    };
    const id = JSON.stringify(Object.values(group));
    const count = counts.get(id);
    counts.set(id, {
      ...group,
      calls: (count?.calls ?? 0) + 1,
      records: (count?.records ?? 0) + records,
      tokens_out: (count?.tokens_out ?? 0) + tokens_out,
      first_at: count === undefined || at < count.first_at ? at : count.first_at,
      last_at: count === undefined || at > count.last_at ? at : count.last_at,
    });
  }
  return [...counts.values()];
}
