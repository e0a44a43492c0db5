import type { Change } from '../../batches.ts';
import { minuteOf, ridRanges } from '../../records/rid.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { sql } from '../sql.ts';

/** The time and key that determine a row id. */
type Timed = Pick<Change & { op: 'put' }, 't' | 'key'>;

/** Free row ids of one stream, for the records of one batch. */
export class FreeRids {
  readonly #streamId: number;
  /** The last row id that is taken, by the first one of its range. */
  readonly #taken: Map<number, number | null>;

  constructor(streamId: number, taken: Map<number, number | null>) {
    this.#streamId = streamId;
    this.#taken = taken;
  }

  /** Returns the next free row id in the record's minute, or in a later minute when that is full. */
  take({ t, key }: Timed): number {
    for (const [first, last] of ridRanges(this.#streamId, t, key)) {
      const taken = this.#taken.get(first);
      if (taken === undefined) throw new Error('a range of row ids was not read');
      if (taken === last) continue;
      const rid = taken === null ? first : taken + 1;
      this.#taken.set(first, rid);
      return rid;
    }
    throw new Error('every row id of the stream is taken');
  }
}

/** Reads which row ids are taken in the minutes of some records, and in later minutes while there may be too few. */
export async function readFreeRids(
  db: OwnerQueries,
  streamId: number,
  records: readonly Timed[],
): Promise<FreeRids> {
  const taken = new Map<number, number | null>();
  const byMinute = new Map(records.map((record) => [minuteOf(record.t, record.key), record]));
  let open = [...byMinute.values()].map(({ t, key }) => ridRanges(streamId, t, key));
  while (open.length > 0) {
    const next = open.map((ranges) => ({ ranges, range: ranges.next().value as [number, number] }));
    const unread = next.filter(({ range }) => !taken.has(range[0])).map(({ range }) => range);
    const rows = await db.query<{ first: number; taken: number | null }>(sql`
      select f.first, (select max(r.rid) from records r
        where r.owner_id = ${db.ownerId} and r.rid between f.first and f.last) as taken
      from unnest(${unread.map(([first]) => first)}::int8[], ${unread.map(([, last]) => last)}::int8[]) as f (first, last)`);
    for (const row of rows) taken.set(row.first, row.taken);
    // If a minute may have too few free ids for the whole batch, the next minute is read too.
    open = next.flatMap(({ ranges, range: [first, last] }) =>
      last - (taken.get(first) ?? first - 1) >= records.length ? [] : [ranges],
    );
  }
  return new FreeRids(streamId, taken);
}
