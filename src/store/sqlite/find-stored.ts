import { sql } from 'kysely';
import type { Value } from '../values.ts';
import type { ReadStore } from './open-store.ts';
import { type SlotColumn, slotColumns } from './tables.ts';

/** What is stored under some keys now, and when what is no longer there was deleted. */
export interface Stored {
  readonly records: ReadonlyMap<string, { readonly emitted_at: number; readonly data: string }>;
  readonly deletions: ReadonlyMap<string, number>;
}

/** For saying what storing more would do. */
export async function findStored(
  { db }: ReadStore,
  streamId: number,
  keys: readonly string[],
): Promise<Stored> {
  const records = await db
    .selectFrom('records')
    .select(['key', 'emitted_at', 'data'])
    .where('stream_id', '=', streamId)
    .where('key', 'in', keys)
    .execute();
  const deletions = await db
    .selectFrom('deletions')
    .select(['key', 'emitted_at'])
    .where('stream_id', '=', streamId)
    .where('key', 'in', keys)
    .execute();
  return {
    records: new Map(records.map((record) => [record.key, record])),
    deletions: new Map(deletions.map(({ key, emitted_at }) => [key, emitted_at])),
  };
}

/** How many records of a stream have a value in a slot. */
export async function countSlotValue(
  { db }: ReadStore,
  streamId: number,
  slot: number,
  value: Value,
): Promise<number> {
  const { n } = await db
    .selectFrom('facets')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('stream_id', '=', streamId)
    .where(slotColumns[slot] as SlotColumn, '=', value)
    .executeTakeFirstOrThrow();
  return n;
}

/** The times of the records that are stored under some keys. */
export async function findKeyTimes(
  { db }: ReadStore,
  streamId: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('records')
    .select(['key', 't'])
    .where('stream_id', '=', streamId)
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map(({ key, t }) => [key, t]));
}

/** Keys of the records that have a value in one of some fields. For streams of few records. */
export async function findKeysWithValue(
  { db }: ReadStore,
  streamId: number,
  fields: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('records')
    .select('key')
    .where('stream_id', '=', streamId)
    .where(({ or }) => or(fields.map((field) => sql<boolean>`data ->> ${field} is not null`)))
    .execute();
  return rows.map(({ key }) => key);
}
