import type Database from 'better-sqlite3';
import { sealNote } from '../store/sqlite/chain.ts';

/** What is left of reads that were pruned: how many, per day of the owner's calendar, app, tool and outcome. */
export interface ReadCount {
  /** When the day began. */
  readonly day: string;
  /** Empty for the owner. */
  readonly grant_id: string;
  readonly client: string;
  readonly surface: string;
  readonly tool: string;
  readonly outcome: 'ok' | 'refused';
  calls: number;
  records: number;
  tokens_out: number;
  first_at: string;
  last_at: string;
}

export type SealedCount = Readonly<ReadCount> & { readonly seal: Uint8Array };

/** A read as far as it is counted. */
export interface CountedRead {
  readonly at: string;
  readonly grant_id: string | null;
  readonly client: string;
  readonly surface: string;
  readonly tool: string;
  readonly outcome: string;
  readonly records: number;
  readonly tokens_out: number;
}

const keyNames = ['day', 'grant_id', 'client', 'surface', 'tool', 'outcome'] as const;
const names = [...keyNames, 'calls', 'records', 'tokens_out', 'first_at', 'last_at'] as const;

export function sealCount(key: Uint8Array, count: ReadCount): Buffer {
  return sealNote(
    key,
    'count',
    names.map((name) => count[name]),
  );
}

/** Adds reads to the counts of their days. Part of the transaction that removes them. */
export function countReads(
  raw: Database.Database,
  key: Uint8Array,
  reads: readonly CountedRead[],
  dayOf: (at: string) => string,
): void {
  const counts = new Map<string, ReadCount>();
  const find = raw.prepare(
    `select * from usage_days where ${keyNames.map((name) => `${name} = @${name}`).join(' and ')}`,
  );
  for (const read of reads) {
    const place = {
      day: dayOf(read.at),
      grant_id: read.grant_id ?? '',
      client: read.client,
      surface: read.surface,
      tool: read.tool,
      outcome: read.outcome === 'ok' ? ('ok' as const) : ('refused' as const),
    };
    const id = JSON.stringify(Object.values(place));
    const count = counts.get(id) ?? (find.get(place) as ReadCount | undefined) ?? nothing(place, read.at);
    counts.set(id, count);
    count.calls += 1;
    count.records += read.records;
    count.tokens_out += read.tokens_out;
    if (read.at < count.first_at) count.first_at = read.at;
    if (read.at > count.last_at) count.last_at = read.at;
  }
  for (const count of counts.values()) writeCount(raw, key, count);
}

export function resealCounts(raw: Database.Database, key: Uint8Array): void {
  for (const count of raw.prepare('select * from usage_days').all() as SealedCount[])
    writeCount(raw, key, count);
}

function writeCount(raw: Database.Database, key: Uint8Array, count: ReadCount): void {
  raw
    .prepare(
      `insert or replace into usage_days (${names.join(', ')}, seal) values (${names.map((name) => `@${name}`).join(', ')}, @seal)`,
    )
    .run({ ...count, seal: sealCount(key, count) });
}

function nothing(
  place: Pick<ReadCount, 'day' | 'grant_id' | 'client' | 'surface' | 'tool' | 'outcome'>,
  at: string,
): ReadCount {
  return { ...place, calls: 0, records: 0, tokens_out: 0, first_at: at, last_at: at };
}
