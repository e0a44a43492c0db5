import { encodeSlot } from '../records/slots.ts';
import type { StoredReads, StreamSpan } from '../stored-reads.ts';
import { NO_TIME } from '../values.ts';
import { decodeJson } from './json-text.ts';
import type { OwnerQueries } from './owner-queries.ts';
import { toSlot } from './slot-values.ts';
import { sql } from './sql.ts';

/** Reads that the index of words does not answer. */
export function createStoredReads(db: OwnerQueries): Omit<StoredReads, 'words'> {
  const owner = db.ownerId;
  const whereKeys = (streamId: number, keys: readonly string[]) =>
    sql`owner_id = ${owner} and stream_id = ${streamId} and key = any(${keys}::text[]) order by key`;
  return {
    async spans(until = Number.MAX_SAFE_INTEGER) {
      const inTime = sql`day > ${NO_TIME}::int8 and day <= ${until}::int8`;
      const rows = await db.query<StreamSpan>(sql`
        select stream_id, sum(n)::int8 as records, min(day) filter (where ${inTime}) as first,
          max(day) filter (where ${inTime}) as last
        from days where owner_id = ${owner} and n > 0 group by stream_id order by stream_id`);
      return new Map(rows.map((row) => [row.stream_id, row]));
    },
    async count() {
      const [row] = await db.query<{ n: number }>(sql`select coalesce(sum(n), 0)::int8 as n from days
        where owner_id = ${owner} and stream_id in (select stream_id from streams where owner_id = ${owner})`);
      return row?.n ?? 0;
    },
    async lastChanges() {
      const rows = await db.query<{ stream_id: number; at: number | null }>(sql`
        select s.stream_id, (select r.emitted_at from records r
          where r.owner_id = ${owner} and r.stream_id = s.stream_id order by r.seq desc limit 1) as at
        from streams s where s.owner_id = ${owner} order by s.connection_id, s.stream`);
      return new Map(rows.flatMap(({ stream_id, at }) => (at === null ? [] : [[stream_id, new Date(at)]])));
    },
    async find(streamId, keys) {
      const records = await db.query<{ key: string; emitted_at: number; data: string }>(
        sql`select key, emitted_at, data from records where ${whereKeys(streamId, keys)}`,
      );
      const deletions = await db.query<{ key: string; emitted_at: number }>(
        sql`select key, emitted_at from deletions where ${whereKeys(streamId, keys)}`,
      );
      return {
        records: new Map(records.map((row) => [row.key, { ...row, data: decodeJson(row.data) }])),
        deletions: new Map(deletions.map(({ key, emitted_at }) => [key, emitted_at])),
      };
    },
    async countValue({ streamId, plan }, field, value) {
      const slot = plan.slots[field];
      if (slot === undefined) throw new Error('a field without a slot reached the database');
      const { n, t } = toSlot(encodeSlot(value));
      const isEqual =
        n === null
          ? sql`${sql.raw(`s${slot}t`)} = ${t} and ${sql.raw(`s${slot}n`)} is null`
          : sql`${sql.raw(`s${slot}n`)} = ${n}::float8 ${t === null ? sql`` : sql`and ${sql.raw(`s${slot}t`)} = ${t}`}`;
      const [row] = await db.query<{ n: number }>(
        sql`select count(*) as n from records where owner_id = ${owner} and stream_id = ${streamId} and ${isEqual}`,
      );
      return row?.n ?? 0;
    },
    async keyTimes(streamId, keys) {
      const rows = await db.query<{ key: string; t: number }>(
        sql`select key, t from records where ${whereKeys(streamId, keys)}`,
      );
      return new Map(rows.map(({ key, t }) => [key, t]));
    },
    async keysWithValue(streamId, fields) {
      const rows = await db.query<{ key: string }>(sql`
        select r.key from records r where r.owner_id = ${owner} and r.stream_id = ${streamId}
          and exists (select 1 from unnest(${fields}::text[]) as f (name) where r.data::json ->> f.name is not null)
        order by r.key`);
      return rows.map(({ key }) => key);
    },
    async isEmptyConnection(connectionId) {
      const found = await db.query(sql`
        select 1 as found from streams s where s.owner_id = ${owner} and s.connection_id = ${connectionId}
          and exists (select 1 from records r where r.owner_id = ${owner} and r.stream_id = s.stream_id) limit 1`);
      return found.length === 0;
    },
  };
}
