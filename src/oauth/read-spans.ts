import { sql } from 'kysely';
import type { ReadStore } from '../store/open-store.ts';
import { NO_TIME } from '../store/tables.ts';

const DAY_MS = 86_400_000;

/** How much there is of each stream and from when to when, from the daily counts. */
export async function readSpans(store: ReadStore) {
  const rows = await store.db
    .selectFrom('days')
    .select((eb) => [
      'stream_id',
      eb.fn.sum<number>('n').as('records'),
      // Records without a time count, but have no place in the span.
      sql<number | null>`min(case when day > ${NO_TIME} then day end)`.as('first'),
      eb.fn.max<number>('day').as('last'),
    ])
    .groupBy('stream_id')
    .execute();
  return new Map(
    rows.map(({ stream_id, records, first, last }) => [
      stream_id,
      { records, ...(first === null ? {} : { first: toDay(first), last: toDay(last) }) },
    ]),
  );
}

function toDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
