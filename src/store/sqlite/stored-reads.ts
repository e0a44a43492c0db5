import { type Kysely, sql } from 'kysely';
import { encodeSlot } from '../records/slots.ts';
import type { StoredReads, StreamSpan } from '../stored-reads.ts';
import { NO_TIME } from '../values.ts';
import type { Queries } from './sqlite.ts';
import { type SlotColumn, slotColumns, type Tables } from './tables.ts';

export function createStoredReads(db: Kysely<Tables> | Queries<Tables>): StoredReads {
  const selectKeys = (table: 'records' | 'deletions', streamId: number, keys: readonly string[]) =>
    db.selectFrom(table).where('stream_id', '=', streamId).where('key', 'in', keys);
  return {
    async spans(until = Number.MAX_SAFE_INTEGER) {
      const { rows } = await sql<StreamSpan>`
        select stream_id, sum(n) as records,
          min(case when day > ${NO_TIME} and day <= ${until} then day end) as first,
          max(case when day > ${NO_TIME} and day <= ${until} then day end) as last
        from days where n > 0 group by stream_id`.execute(db);
      return new Map(rows.map((row) => [row.stream_id, row]));
    },
    async count() {
      const { rows } = await sql<{ n: number }>`select coalesce(sum(n), 0) as n from days
        where stream_id in (select stream_id from streams)`.execute(db);
      return rows[0]?.n ?? 0;
    },
    async lastChanges() {
      const { rows } = await sql<{ stream_id: number; at: number | null }>`
        select s.stream_id,
          (select r.emitted_at from records r where r.stream_id = s.stream_id order by r.seq desc limit 1) as at
        from streams s order by s.connection_id, s.stream`.execute(db);
      return new Map(rows.flatMap(({ stream_id, at }) => (at === null ? [] : [[stream_id, new Date(at)]])));
    },
    async find(streamId, keys) {
      const records = await selectKeys('records', streamId, keys)
        .select(['key', 'emitted_at', 'data'])
        .execute();
      const deletions = await selectKeys('deletions', streamId, keys).select(['key', 'emitted_at']).execute();
      return {
        records: new Map(records.map((record) => [record.key, record])),
        deletions: new Map(deletions.map(({ key, emitted_at }) => [key, emitted_at])),
      };
    },
    async countValue({ streamId, plan }, field, value) {
      const { n } = await db
        .selectFrom('facets')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('stream_id', '=', streamId)
        .where(slotColumns[plan.slots[field] ?? -1] as SlotColumn, '=', encodeSlot(value))
        .executeTakeFirstOrThrow();
      return n;
    },
    async keyTimes(streamId, keys) {
      const rows = await selectKeys('records', streamId, keys).select(['key', 't']).execute();
      return new Map(rows.map(({ key, t }) => [key, t]));
    },
    async keysWithValue(streamId, fields) {
      const rows = await db
        .selectFrom('records')
        .select('key')
        .where('stream_id', '=', streamId)
        .where(({ or }) => or(fields.map((field) => sql<boolean>`data ->> ${field} is not null`)))
        .execute();
      return rows.map(({ key }) => key);
    },
    async isEmptyConnection(connectionId) {
      const found = await db
        .selectFrom('records')
        .innerJoin('streams', 'streams.stream_id', 'records.stream_id')
        .select('records.rid')
        .where('connection_id', '=', connectionId)
        .executeTakeFirst();
      return found === undefined;
    },
    async words(after, limit) {
      // Returns one string, because transferring ten thousand rows costs more than reading them. No word has a line break.
      const { rows } = await sql<{ words: string | null; last: number | null }>`
        select group_concat(word, char(10)) as words, max(id) as last
        from (select id, word from lexicon where id > ${after} order by id limit ${limit})`.execute(db);
      const [row] = rows;
      return { words: row?.words?.split('\n') ?? [], last: row?.last ?? after };
    },
  };
}
