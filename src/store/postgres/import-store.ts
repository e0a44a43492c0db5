import type {
  ChangedRecord,
  ImportedConnectionRow,
  ImportReads,
  ImportRow,
  ImportSpan,
  ImportStore,
} from '../import-store.ts';
import type { PostgresDatabase } from './database.ts';
import { decodeJson } from './json-text.ts';
import { sql } from './sql.ts';

const MAX_TOUCHED_RECORDS = 500;
const importColumns = sql`import_id, connection_id, format, started_at, ended_at, state, report`;

export function createImportReads(db: PostgresDatabase): ImportReads {
  const { ownerId } = db;
  /** Returns the time zone used in the keys of each connection: that of its newest import report with a `key_zone`. */
  const readKeyZones = async (connectionIds: readonly string[]) => {
    const rows = await db.query<{ connection_id: string; report: string }>(sql`
      select connection_id, report from imports
      where owner_id = ${ownerId} and connection_id = any(${connectionIds}) and report like '%"key_zone"%'
      order by import_id`);
    return new Map(
      rows.flatMap(({ connection_id, report }) => {
        const { key_zone } = JSON.parse(report) as { key_zone?: string | null };
        return key_zone == null ? [] : [[connection_id, key_zone] as const];
      }),
    );
  };
  return {
    list: () =>
      db.query(sql`select ${importColumns} from imports where owner_id = ${ownerId} order by import_id desc`),
    async find(importId) {
      const [row] = await db.query<ImportRow>(
        sql`select ${importColumns} from imports where owner_id = ${ownerId} and import_id = ${importId}`,
      );
      return row;
    },
    async listConnections(connectorKey) {
      const rows = await db.query<Omit<ImportedConnectionRow, 'key_zone'>>(sql`
        select connection_id, display_name, account, self from connections c
        where owner_id = ${ownerId} and connector_key = ${connectorKey} and exists (
          select 1 from imports i where i.owner_id = c.owner_id and i.connection_id = c.connection_id)
        order by created_at, connection_id`);
      const zones = await readKeyZones(rows.map(({ connection_id }) => connection_id));
      return rows.map((row) => ({ ...row, key_zone: zones.get(row.connection_id) ?? null }));
    },
    /** Returns the data of each record from before the import, which may have changed the record more than once. */
    async readChanged({ import_id, stream_id, from_seq, to_seq }) {
      const isIn = (column: 'h.to_seq' | 'h.from_seq') =>
        sql`exists (select 1 from import_spans s where s.owner_id = ${ownerId} and s.import_id = ${import_id}
          and s.stream_id = ${stream_id} and ${sql.raw(column)} between s.from_seq and s.to_seq)`;
      const rows = await db.query<ChangedRecord>(sql`
        select r.key, r.emitted_at, coalesce(l.data, h.data) as before from records r
        left join history h on h.owner_id = r.owner_id and h.stream_id = r.stream_id and h.key = r.key
          and ${isIn('h.to_seq')} and not ${isIn('h.from_seq')}
        left join large_past l on h.data like '#%' and l.owner_id = h.owner_id and l.seq = h.from_seq
        where r.owner_id = ${ownerId} and r.stream_id = ${stream_id} and r.seq between ${from_seq} and ${to_seq}
        order by r.seq, h.from_seq limit ${MAX_TOUCHED_RECORDS}`);
      return rows.map((row) => ({ ...row, before: row.before === null ? null : decodeJson(row.before) }));
    },
    async countChangedSince({ stream_id, from_seq, to_seq }) {
      const [row] = await db.query<{ n: number }>(sql`
        select count(*) as n from history h
        join records r on r.owner_id = h.owner_id and r.stream_id = h.stream_id and r.key = h.key
        where h.owner_id = ${ownerId} and h.stream_id = ${stream_id}
          and h.from_seq between ${from_seq} and ${to_seq} and h.to_seq > ${to_seq}`);
      return row?.n ?? 0;
    },
  };
}

export function createImportStore(db: PostgresDatabase): ImportStore {
  const { ownerId } = db;
  return {
    ...createImportReads(db),
    async add({ connection_id, format, started_at, state, report }) {
      const [row] = await db.query<{ import_id: number }>(sql`
        with number as (
          update counters set value = value + 1 where owner_id = ${ownerId} and name = 'import' returning value
        )
        insert into imports (owner_id, import_id, connection_id, format, started_at, state, report)
        select ${ownerId}::int4, value, ${connection_id}, ${format}, ${started_at}, ${state}, ${report} from number
        returning import_id`);
      return (row as { import_id: number }).import_id;
    },
    async update(importId, { state, ended_at, report }) {
      await db.run(sql`update imports set state = ${state}, ended_at = ${ended_at}, report = ${report}
        where owner_id = ${ownerId} and import_id = ${importId}`);
    },
    async remove(importId) {
      await db.run(sql`delete from imports where owner_id = ${ownerId} and import_id = ${importId}`);
    },
    listSpans: (importId) =>
      db.query<ImportSpan>(sql`select import_id, stream_id, from_seq, to_seq from import_spans
        where owner_id = ${ownerId} and import_id = ${importId} order by stream_id, from_seq`),
    async deleteSpans(importId) {
      await db.run(sql`delete from import_spans where owner_id = ${ownerId} and import_id = ${importId}`);
    },
    async hasSpans(connectionId) {
      const found = await db.query(sql`
        select 1 from imports i
        join import_spans s on s.owner_id = i.owner_id and s.import_id = i.import_id
        where i.owner_id = ${ownerId} and i.connection_id = ${connectionId} limit 1`);
      return found.length > 0;
    },
  };
}
