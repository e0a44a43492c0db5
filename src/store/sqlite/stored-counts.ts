import { sql } from 'kysely';
import { NO_TIME } from '../values.ts';
import type { ReadStore } from './open-store.ts';

/**
 * What is stored altogether, in numbers and dates, for the owner: no grant and no record. What an app may know of it, the
 * granted reader counts.
 */

/** How much there is of a stream, and on which days (since 1970, UTC). Records without a time have no place in the span. */
export interface StreamSpan {
  readonly stream_id: number;
  readonly records: number;
  readonly first: number | null;
  readonly last: number | null;
}

/** By the daily counts alone: no record is touched. The span may be cut at a day, such as today. */
export async function readSpans(
  store: ReadStore,
  until = Number.MAX_SAFE_INTEGER,
): Promise<Map<number, StreamSpan>> {
  const { rows } = await sql<StreamSpan>`
    select stream_id, sum(n) as records,
      min(case when day > ${NO_TIME} and day <= ${until} then day end) as first,
      max(case when day > ${NO_TIME} and day <= ${until} then day end) as last
    from days where n > 0 group by stream_id`.execute(store.db);
  return new Map(rows.map((row) => [row.stream_id, row]));
}

/** All records there are. */
export async function countStored({ db }: ReadStore): Promise<number> {
  const { rows } = await sql<{ n: number }>`select coalesce(sum(n), 0) as n from days
    where stream_id in (select stream_id from streams)`.execute(db);
  return rows[0]?.n ?? 0;
}

/** When each stream last changed, by its number, in the order of their names. */
export async function readLastChanges({ db }: ReadStore): Promise<Map<number, Date>> {
  const { rows } = await sql<{ stream_id: number; at: number | null }>`
    select s.stream_id,
      (select r.emitted_at from records r where r.stream_id = s.stream_id order by r.seq desc limit 1) as at
    from streams s order by s.connection_id, s.stream`.execute(db);
  return new Map(rows.flatMap(({ stream_id, at }) => (at === null ? [] : [[stream_id, new Date(at)]])));
}
