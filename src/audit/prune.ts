import type Database from 'better-sqlite3';
import type { ChainName } from '../store/sqlite/chain.ts';
import type { SqliteStore } from '../store/sqlite/open-store.ts';
import { type CountedRead, countReads } from './count-reads.ts';
import { accessKinds, alarmKinds, endingKinds, strangerKinds } from './event-kinds.ts';
import { addPrunedGaps, type SealedId } from './gaps.ts';

/** How much of the audit is kept. */
export interface KeepRules {
  readonly days: number;
  readonly bytes: number;
}

/** What is kept whatever its age, beside what ends access: alarms that were not seen, and the story of an access that still lasts. */
export interface Spared {
  readonly alarmsSeen: number;
  readonly liveGrants: readonly string[];
}

type Row = SealedId & { readonly at: string };

/** Rows per step: a writer waits for one step at most, which is a few milliseconds. */
const STEP = 200;
const DAY = 86_400_000;
/** Room is made before the limit is reached, and some more than is needed at once. */
const FULL = 0.9;
const ENOUGH = 0.8;
const MOSTLY_USED = 0.75;
const PAGES_PER_STEP = 200;
const LOG_BYTES = 4 * 2 ** 20;

export interface Pruner {
  /** Lets go of the oldest rows that are too many, a few at a time. Says whether there is more to do. */
  step(rules: KeepRules, spared: Spared, now: Date): boolean;
}

/** `dayOf` gives the beginning of the owner's day that a time lies in. */
export function createPruner({ raw, chainKey }: SqliteStore['audit'], dayOf: (at: string) => string): Pruner {
  let isMakingRoom = false;
  const remove = raw.transaction((chain: ChainName, rows: readonly Row[], now: Date) => {
    if (chain === 'audit') countReads(raw, chainKey, rows as unknown as CountedRead[], dayOf);
    addPrunedGaps(raw, chainKey, chain, rows, now.toISOString());
    raw
      .prepare(`delete from ${chain} where id in (select value from json_each(?))`)
      .run(JSON.stringify(rows.map(({ id }) => id)));
  });
  const letGo = (chain: ChainName, rows: readonly Row[], now: Date) => {
    if (rows.length > 0) remove.immediate(chain, rows, now);
    return rows.length > 0;
  };

  return {
    step(rules, spared, now) {
      const cutoff = new Date(now.getTime() - rules.days * DAY).toISOString();
      const reads = readReads(raw);
      const events = readEvents(raw, spared, 'any');
      const [oldReads, oldEvents] = [upTo(reads, cutoff), upTo(events, cutoff)];
      if (letGo('audit', oldReads, now) || letGo('events', oldEvents, now)) return true;
      const { used, free, onDisk } = readSize(raw);
      isMakingRoom = used > rules.bytes * (isMakingRoom ? ENOUGH : FULL);
      if (isMakingRoom) {
        const strangers = readEvents(raw, spared, 'strangers');
        // A flood by strangers must not push out what was read.
        if (strangers.length === STEP) return letGo('events', strangers, now);
        const areEventsOlder = (events[0]?.at ?? '~') < (reads[0]?.at ?? '~');
        const [first, second] = areEventsOlder
          ? (['events', 'audit'] as const)
          : (['audit', 'events'] as const);
        const rowsOf = { audit: reads, events };
        if (letGo(first, rowsOf[first], now) || letGo(second, rowsOf[second], now)) return true;
      }
      // Most of what was freed is written to again soon; only a file that is too large gives it back.
      if (free === 0 || (onDisk <= rules.bytes && used > onDisk * MOSTLY_USED)) return false;
      raw.pragma(`incremental_vacuum(${PAGES_PER_STEP})`);
      return readSize(raw).free < free;
    },
  };
}

/** Lets the file give back what it no longer needs. New files and those of 0.1 are rewritten once for it. */
export function makeShrinkable(raw: Database.Database): void {
  raw.pragma(`journal_size_limit = ${LOG_BYTES}`);
  if (raw.pragma('auto_vacuum', { simple: true }) === 2) return;
  raw.pragma('auto_vacuum = incremental');
  raw.exec('vacuum');
  raw.pragma('wal_checkpoint(truncate)');
}

export function readSize(raw: Database.Database): { used: number; free: number; onDisk: number } {
  const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map(
    (name) => raw.pragma(name, { simple: true }) as number,
  ) as [number, number, number];
  return { used: (pages - free) * size, free, onDisk: pages * size };
}

/** The oldest reads but never the newest: the chain goes on from it. */
function readReads(raw: Database.Database): Row[] {
  return (raw.prepare(`select * from audit order by id limit ${STEP + 1}`).all() as Row[]).slice(0, -1);
}

function readEvents(raw: Database.Database, spared: Spared, which: 'any' | 'strangers'): Row[] {
  const list = (kinds: readonly string[]) => kinds.map((kind) => `'${kind}'`).join(', ');
  return raw
    .prepare(
      `select id, at, mac from events
       where kind not in (${list(endingKinds)})
         and not (kind in (${list(alarmKinds)}) and id > @alarmsSeen)
         and not (kind in (${list(accessKinds)}) and grant_id in (select value from json_each(@liveGrants)))
         and id < (select max(id) from events)
         ${which === 'any' ? '' : `and kind in (${list(strangerKinds)})`}
       order by id limit ${STEP}`,
    )
    .all({ alarmsSeen: spared.alarmsSeen, liveGrants: JSON.stringify(spared.liveGrants) }) as Row[];
}

/** Rows up to the last one that is too old. One with a time in the future, from a wrong clock, does not hold up the others. */
function upTo(rows: readonly Row[], cutoff: string): readonly Row[] {
  return rows.slice(0, rows.findLastIndex(({ at }) => at < cutoff) + 1);
}
