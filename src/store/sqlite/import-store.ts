import { type Kysely, sql } from 'kysely';
import type { ChangedRecord, ImportedConnectionRow, ImportReads, ImportStore } from '../import-store.ts';
import type { Queries } from './sqlite.ts';
import type { Tables } from './tables.ts';

const TOUCHED_PER_READ = 500;

export function createImportReads(db: Kysely<Tables> | Queries<Tables>): ImportReads {
  return {
    list: () => db.selectFrom('imports').selectAll().orderBy('import_id', 'desc').execute(),
    find: (importId) =>
      db.selectFrom('imports').selectAll().where('import_id', '=', importId).executeTakeFirst(),
    async listConnections(connectorKey) {
      const { rows } = await sql<ImportedConnectionRow>`
        select connection_id, display_name, account, self, (
          select report ->> 'key_zone' from imports i
          where i.connection_id = c.connection_id and report ->> 'key_zone' is not null
          order by import_id desc limit 1
        ) as key_zone
        from connections c
        where connector_key = ${connectorKey}
          and exists (select 1 from imports i where i.connection_id = c.connection_id)
        order by created_at, connection_id`.execute(db);
      return rows;
    },
    /** An import may have changed a record more than once: undo restores the version before its first change. */
    async readChanged({ import_id, stream_id, from_seq, to_seq }) {
      const isIn = (column: 'h.to_seq' | 'h.from_seq') =>
        sql`exists (select 1 from import_spans s where s.import_id = ${import_id} and s.stream_id = ${stream_id}
          and ${sql.ref(column)} between s.from_seq and s.to_seq)`;
      const { rows } = await sql<ChangedRecord>`
        select r.key, r.emitted_at, coalesce(l.data, h.data) as before from records r
        left join history h on h.stream_id = r.stream_id and h.key = r.key
          and ${isIn('h.to_seq')} and not ${isIn('h.from_seq')}
        left join large_past l on h.data like '#%' and l.seq = h.from_seq
        where r.stream_id = ${stream_id} and r.seq between ${from_seq} and ${to_seq}
        order by r.seq, h.from_seq limit ${TOUCHED_PER_READ}`.execute(db);
      return rows;
    },
    async countChangedSince({ stream_id, from_seq, to_seq }) {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from history h join records r on r.stream_id = h.stream_id and r.key = h.key
        where h.stream_id = ${stream_id} and h.from_seq between ${from_seq} and ${to_seq}
          and h.to_seq > ${to_seq}`.execute(db);
      return rows[0]?.n ?? 0;
    },
  };
}

export function createImportStore(db: Queries<Tables>): ImportStore {
  return {
    ...createImportReads(db),
    async add(row) {
      const { insertId } = await db.insertInto('imports').values(row).executeTakeFirstOrThrow();
      return Number(insertId);
    },
    async update(importId, changes) {
      await db.updateTable('imports').set(changes).where('import_id', '=', importId).execute();
    },
    async remove(importId) {
      await db.deleteFrom('imports').where('import_id', '=', importId).execute();
    },
    listSpans: (importId) =>
      db.selectFrom('import_spans').selectAll().where('import_id', '=', importId).execute(),
    async deleteSpans(importId) {
      await db.deleteFrom('import_spans').where('import_id', '=', importId).execute();
    },
    async hasSpans(connectionId) {
      const found = await db
        .selectFrom('imports')
        .innerJoin('import_spans', 'import_spans.import_id', 'imports.import_id')
        .select('imports.import_id')
        .where('connection_id', '=', connectionId)
        .executeTakeFirst();
      return found !== undefined;
    },
  };
}
