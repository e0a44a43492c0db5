import type { SqliteStore } from './open-store.ts';
import { type SlotValue, slotColumns } from './tables.ts';

export interface Lookup {
  find(streamId: number, key: string): { emitted_at: number; data: string } | undefined;
  /** When a record that is no longer there was deleted. */
  findDeletion(streamId: number, key: string): number | undefined;
}

/** What is stored under a key now, for saying what storing more would do. */
export function prepareLookup({ read: { raw } }: SqliteStore): Lookup {
  const find = raw.prepare('select emitted_at, data from records where stream_id = ? and key = ?');
  const findDeletion = raw
    .prepare('select emitted_at from deletions where stream_id = ? and key = ?')
    .pluck();
  return {
    find: (streamId, key) => find.get(streamId, key) as ReturnType<Lookup['find']>,
    findDeletion: (streamId, key) => findDeletion.get(streamId, key) as number | undefined,
  };
}

/** How many records of a stream have a value in a slot. */
export function prepareCount(
  { read: { raw } }: SqliteStore,
  streamId: number,
  slot: number,
): (value: SlotValue) => number {
  const count = raw
    .prepare(`select count(*) from facets where stream_id = ? and ${slotColumns[slot]} = ?`)
    .pluck();
  return (value) => count.get(streamId, value) as number;
}
