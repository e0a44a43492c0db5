import { sql } from 'kysely';
import type { ReadStore } from '../store/open-store.ts';
import { NO_TIME } from '../store/tables.ts';

const DAY_MS = 86_400_000;

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

/** `2026-01-31`; nothing for a day that no calendar has. */
export function dayName(day: number): string | null {
  const date = new Date(day * DAY_MS);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}
