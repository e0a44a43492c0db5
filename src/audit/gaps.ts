import type Database from 'better-sqlite3';
import { CHAIN_START, type ChainName, sealNote } from '../store/sqlite/chain.ts';

/** Rows that are no longer there. The chain is joined over them, from the seal before to the last of them. */
export interface Gap {
  readonly chain: ChainName;
  readonly after_id: number;
  readonly through_id: number;
  /** How many rows were counted before they were let go; none of those that were lost. */
  readonly entries: number;
  readonly cause: 'pruned' | 'lost';
  readonly at: string;
  readonly mac_before: Uint8Array;
  readonly mac_after: Uint8Array;
}

export type SealedGap = Gap & { readonly seal: Uint8Array };

export interface SealedId {
  readonly id: number;
  readonly mac: Uint8Array | null;
}

export function sealGap(key: Uint8Array, gap: Gap): Buffer {
  return sealNote(key, 'gap', [
    gap.chain,
    gap.after_id,
    gap.through_id,
    gap.entries,
    gap.cause,
    gap.at,
    Buffer.from(gap.mac_before).toString('hex'),
    Buffer.from(gap.mac_after).toString('hex'),
  ]);
}

/** Notes that these rows, in the order of their ids, are let go. Part of the transaction that removes them. */
export function addPrunedGaps(
  raw: Database.Database,
  key: Uint8Array,
  chain: ChainName,
  rows: readonly SealedId[],
  at: string,
): void {
  for (const run of splitRuns(rows)) {
    const [first, last] = [run[0] as SealedId, run.at(-1) as SealedId];
    const left = findGap(raw, chain, 'through_id', first.id - 1);
    const right = findGap(raw, chain, 'after_id', last.id);
    for (const gap of [left, right]) if (gap !== undefined) removeGap(raw, gap);
    addGap(raw, key, {
      chain,
      after_id: left?.after_id ?? first.id - 1,
      through_id: right?.through_id ?? last.id,
      entries: (left?.entries ?? 0) + run.length + (right?.entries ?? 0),
      cause: 'pruned',
      at,
      mac_before: left?.mac_before ?? readMac(raw, chain, first.id - 1),
      mac_after: right?.mac_after ?? last.mac ?? CHAIN_START,
    });
  }
}

export function addGap(raw: Database.Database, key: Uint8Array, gap: Gap): void {
  const names = Object.keys(gap) as (keyof Gap)[];
  raw
    .prepare(
      `insert into chain_gaps (${names.join(', ')}, seal) values (${names.map((name) => `@${name}`).join(', ')}, @seal)`,
    )
    .run({ ...gap, seal: sealGap(key, gap) });
}

export function readGaps(raw: Database.Database, chain: ChainName): SealedGap[] {
  return raw.prepare('select * from chain_gaps where chain = ? order by after_id').all(chain) as SealedGap[];
}

export function resealGaps(raw: Database.Database, key: Uint8Array): void {
  for (const { seal: _, ...gap } of [...readGaps(raw, 'audit'), ...readGaps(raw, 'events')]) {
    removeGap(raw, gap);
    addGap(raw, key, gap);
  }
}

function findGap(raw: Database.Database, chain: ChainName, end: 'after_id' | 'through_id', id: number) {
  return raw.prepare(`select * from chain_gaps where chain = ? and ${end} = ?`).get(chain, id) as
    | SealedGap
    | undefined;
}

function removeGap(raw: Database.Database, { chain, after_id }: Gap): void {
  raw.prepare('delete from chain_gaps where chain = ? and after_id = ?').run(chain, after_id);
}

function readMac(raw: Database.Database, chain: ChainName, id: number): Uint8Array {
  const mac = raw.prepare(`select mac from ${chain} where id = ?`).pluck().get(id);
  return (mac as Uint8Array | null | undefined) ?? CHAIN_START;
}

function splitRuns(rows: readonly SealedId[]): SealedId[][] {
  const runs: SealedId[][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1)?.id === row.id - 1) run.push(row);
    else runs.push([row]);
  }
  return runs;
}
