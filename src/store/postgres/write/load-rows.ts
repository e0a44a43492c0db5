import type { Change } from '../../batches.ts';
import type { StoredRecord } from '../../records/apply-changes.ts';
import type { SlotPlan } from '../../scope.ts';
import { decodeJson } from '../json-text.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { sql } from '../sql.ts';

interface PastVersion {
  readonly emitted_at: number;
  readonly data: string;
}

/** The stored rows that a batch may change. */
export interface LoadedRows {
  readonly records: ReadonlyMap<string, StoredRecord>;
  readonly deletions: ReadonlyMap<string, { readonly emittedAt: number; readonly seq: number }>;
  /** Past versions with the times of the batch. */
  readonly past: ReadonlyMap<string, readonly PastVersion[]>;
}

/** Returns the text columns of a stored plan. */
export function readTextPlan(plan: string | undefined): Pick<SlotPlan, 'texts'> {
  const { texts = {} } = JSON.parse(plan ?? '{}') as Partial<SlotPlan>;
  return { texts };
}

/** Returns the slot plan of a stream, and the number of the last change. */
export async function readPlan(
  db: OwnerQueries,
  streamId: number,
): Promise<{ readonly plan: string | undefined; readonly seq: number }> {
  const [row] = await db.query<{ plan: string | null; seq: number }>(sql`
    select c.value as seq, (select s.plan from streams s
      where s.owner_id = ${db.ownerId} and s.stream_id = ${streamId}) as plan
    from counters c where c.owner_id = ${db.ownerId} and c.name = 'seq'`);
  return { plan: row?.plan ?? undefined, seq: row?.seq ?? 0 };
}

export async function loadRows(
  db: OwnerQueries,
  streamId: number,
  changes: readonly Change[],
): Promise<LoadedRows> {
  const keys = [...new Set(changes.map(({ key }) => key))];
  const whereKeys = sql`owner_id = ${db.ownerId} and stream_id = ${streamId} and key = any(${keys}::text[])`;
  const found = await db.query<StoredRecord & { key: string }>(
    sql`select key, rid, t, emitted_at, seq, data from records where ${whereKeys}`,
  );
  const records = new Map(found.map((row) => [row.key, { ...row, data: decodeJson(row.data) }]));
  const deleted = await db.query<{ key: string; emitted_at: number; seq: number }>(
    sql`select key, emitted_at, seq from deletions where ${whereKeys}`,
  );
  return {
    records,
    deletions: new Map(deleted.map(({ key, emitted_at, seq }) => [key, { emittedAt: emitted_at, seq }])),
    past: await loadPast(db, streamId, changes, records),
  };
}

/** Loads versions that a change may repeat. The record must be there, because a deletion empties its versions. */
async function loadPast(
  db: OwnerQueries,
  streamId: number,
  changes: readonly Change[],
  records: ReadonlyMap<string, StoredRecord>,
): Promise<Map<string, PastVersion[]>> {
  const repeated = changes.filter(
    (change) => change.op === 'put' && (records.get(change.key)?.data ?? change.data) !== change.data,
  );
  const past = new Map<string, PastVersion[]>();
  if (repeated.length === 0) return past;
  const rows = await db.query<PastVersion & { key: string }>(sql`
    select h.key, h.emitted_at, coalesce(l.data, h.data) as data
    from (select distinct * from unnest(${repeated.map(({ key }) => key)}::text[],
      ${repeated.map(({ emittedAt }) => emittedAt)}::int8[])) as c (key, emitted_at)
    join history h on h.owner_id = ${db.ownerId} and h.stream_id = ${streamId} and h.key = c.key
      and h.emitted_at = c.emitted_at and h.data is not null
    left join large_past l on l.owner_id = ${db.ownerId} and l.seq = h.from_seq and h.data like '#%'`);
  for (const { key, emitted_at, data } of rows)
    past.set(key, [...(past.get(key) ?? []), { emitted_at, data: decodeJson(data) }]);
  return past;
}
