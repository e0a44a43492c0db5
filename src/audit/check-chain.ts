import type Database from 'better-sqlite3';
import {
  CHAIN_START,
  type ChainName,
  type ChainValue,
  chainColumns,
  fingerprintOf,
  sealNote,
  sealRow,
} from '../store/sqlite/chain.ts';
import { type ReadCount, type SealedCount, sealCount } from './count-reads.ts';
import { readGaps, type SealedGap, sealGap } from './gaps.ts';

/** What walking along a chain has shown. Ids are the first few. */
export interface ChainReport {
  readonly entries: number;
  /** Rows that do not fit their seal: changed, added, or moved here. */
  readonly changed: Told;
  /** Rows that should be there and are not, without a word of ours about it. */
  readonly missing: Told;
  /** Rows that were found missing before, and said to be. */
  readonly lost: Told;
  /** Rows that were let go by age or size. */
  readonly pruned: number;
  /** Rows that another key has sealed. */
  readonly foreign: number;
  /** Where the chain ends. */
  readonly end: { readonly id: number; readonly mac: Uint8Array | undefined };
}

export interface Told {
  readonly count: number;
  readonly ids: readonly number[];
}

const MOST_IDS = 5;

/** Walks along a chain from its beginning, and says where it is broken. Holds one row at a time. */
export function checkChain(
  raw: Database.Database,
  key: Uint8Array,
  chain: ChainName,
  onRow: () => void = () => {},
): ChainReport {
  const ownFrom = findKeyStart(raw, key, chain);
  const gaps = new Map(readGaps(raw, chain).map((gap) => [gap.after_id, gap]));
  const [changed, missing, lost] = [createTold(), createTold(), createTold()];
  let [entries, foreign, pruned] = [0, 0, 0];
  let [id, mac]: [number, Uint8Array | undefined] = [0, CHAIN_START];

  /** Goes over what is no longer there, as far as that was written down. */
  const follow = (before: number) => {
    for (let gap = gaps.get(id); gap !== undefined && gap.through_id < before; gap = gaps.get(id)) {
      const fits = isSealed(key, gap) && (mac === undefined || isSame(mac, gap.mac_before));
      if (!fits && gap.through_id > ownFrom) changed.add(gap.after_id + 1);
      if (gap.cause === 'lost') lost.add(gap.after_id + 1, gap.through_id - gap.after_id);
      pruned += gap.entries;
      [id, mac] = [gap.through_id, gap.mac_after];
    }
  };

  const columns = chainColumns[chain];
  const rows = raw.prepare(`select mac, ${columns.join(', ')} from ${chain} order by id`).raw();
  for (const [stored, ...values] of rows.iterate() as Iterable<[Uint8Array | null, ...ChainValue[]]>) {
    const rowId = values[0] as number;
    onRow();
    entries += 1;
    follow(rowId);
    if (rowId !== id + 1) {
      missing.add(id + 1, rowId - id - 1);
      // What it was joined to is gone with them, so this one row cannot be told right from wrong.
      mac = undefined;
    }
    const isKnown = mac !== undefined && rowId > ownFrom;
    if (rowId <= ownFrom) foreign += 1;
    else if (stored === null || (isKnown && !isSame(stored, sealRow(key, mac as Uint8Array, chain, values))))
      changed.add(rowId);
    [id, mac] = [rowId, stored ?? undefined];
  }
  follow(Number.POSITIVE_INFINITY);
  return {
    entries,
    changed: changed.told,
    missing: missing.told,
    lost: lost.told,
    pruned,
    foreign,
    end: { id, mac },
  };
}

/** Counts of pruned reads that do not fit their seal, and whether together they are as many as were pruned. */
export function checkCounts(
  raw: Database.Database,
  key: Uint8Array,
): { days: number; changed: number; calls: number; pruned: number } {
  let [days, changed, calls] = [0, 0, 0];
  for (const { seal, ...count } of raw
    .prepare('select * from usage_days')
    .iterate() as Iterable<SealedCount>) {
    days += 1;
    calls += count.calls;
    if (!isSame(seal, sealCount(key, count as ReadCount))) changed += 1;
  }
  const pruned = readGaps(raw, 'audit').reduce((sum, gap) => sum + gap.entries, 0);
  return { days, changed, calls, pruned };
}

/** The last row that another key has sealed; 0 where the key at hand has sealed all. */
function findKeyStart(raw: Database.Database, key: Uint8Array, chain: ChainName): number {
  const row = raw.prepare('select * from chain_keys order by key_id desc limit 1').get() as
    | { fingerprint: string; audit_after: number; events_after: number; at: string; seal: Uint8Array }
    | undefined;
  // Not the key that seals now: nothing at all can be checked with it.
  if (row?.fingerprint !== fingerprintOf(key)) return Number.POSITIVE_INFINITY;
  const values = [row.fingerprint, row.audit_after, row.events_after, row.at];
  if (!isSame(row.seal, sealNote(key, 'key', values))) return 0;
  return row[`${chain}_after`];
}

function isSealed(key: Uint8Array, gap: SealedGap): boolean {
  return isSame(gap.seal, sealGap(key, gap));
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

function createTold() {
  const told = { count: 0, ids: [] as number[] };
  return {
    told: told as Told,
    add(id: number, count = 1) {
      told.count += count;
      if (told.ids.length < MOST_IDS) told.ids.push(id);
    },
  };
}
