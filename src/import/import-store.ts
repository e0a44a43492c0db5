import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { SeqSpan } from '../store/sqlite/apply-batch.ts';
import type { Span } from '../store/sqlite/import-spans.ts';
import type { ReadStore, WriteStore } from '../store/sqlite/open-store.ts';

type AnyStore = ReadStore | WriteStore;

/** An import as it is stored. `report` is JSON. */
export interface ImportRow {
  readonly import_id: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly state: string;
  readonly report: string;
}

export interface ConnectionRow {
  readonly connection_id: string;
  readonly connector_key: string;
  readonly display_name: string;
}

/** A connection that an import made. `self` is JSON. */
export interface ImportedConnectionRow {
  readonly connection_id: string;
  readonly display_name: string;
  readonly account: string | null;
  readonly self: string | null;
  /** The time zone of its keys, as its newest import noted it. */
  readonly key_zone: string | null;
}

export async function insertImport(
  { db }: WriteStore,
  row: {
    readonly connection_id: string;
    readonly format: string;
    readonly started_at: string;
    readonly state: string;
    readonly report: string;
  },
): Promise<number> {
  const { insertId } = await db.insertInto('imports').values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function updateImport(
  { db }: WriteStore,
  importId: number,
  changes: Pick<ImportRow, 'state' | 'ended_at' | 'report'>,
): Promise<void> {
  await db.updateTable('imports').set(changes).where('import_id', '=', importId).execute();
}

/** Returns all imports, the newest first. */
export function readImports({ db }: AnyStore): Promise<ImportRow[]> {
  return db.selectFrom('imports').selectAll().orderBy('import_id', 'desc').execute();
}

export function findImport({ db }: AnyStore, importId: number): Promise<ImportRow | undefined> {
  return db.selectFrom('imports').selectAll().where('import_id', '=', importId).executeTakeFirst();
}

/** Stores, in the transaction of a batch, which change numbers it took. */
export function noteSpan(raw: Database.Database, importId: number, streamId: number, span: SeqSpan): void {
  const joined = raw
    .prepare('update import_spans set to_seq = ? where import_id = ? and stream_id = ? and to_seq = ?')
    .run(span.to, importId, streamId, span.from - 1);
  if (joined.changes === 0)
    raw.prepare('insert into import_spans values (?, ?, ?, ?)').run(importId, streamId, span.from, span.to);
}

export function listSpans(
  { db }: WriteStore,
  importId: number,
): Promise<(Span & { readonly import_id: number })[]> {
  return db.selectFrom('import_spans').selectAll().where('import_id', '=', importId).execute();
}

export async function deleteSpans({ db }: WriteStore, importId: number): Promise<void> {
  await db.deleteFrom('import_spans').where('import_id', '=', importId).execute();
}

/** Returns whether any import of the connection still has change numbers to undo. */
export async function hasSpans({ db }: WriteStore, connectionId: string): Promise<boolean> {
  const found = await db
    .selectFrom('imports')
    .innerJoin('import_spans', 'import_spans.import_id', 'imports.import_id')
    .select('imports.import_id')
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
  return found !== undefined;
}

export function listConnections({ db }: AnyStore): Promise<ConnectionRow[]> {
  return db.selectFrom('connections').select(['connection_id', 'connector_key', 'display_name']).execute();
}

/** Lists the connections of a source that imports made, the oldest first. */
export async function listImportedConnections(
  { db }: AnyStore,
  connectorKey: string,
): Promise<ImportedConnectionRow[]> {
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
}

/** Returns whether the connection had no account and has this one now. */
export async function setFirstAccount(
  { db }: WriteStore,
  connectionId: string,
  account: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set({ account })
    .where('connection_id', '=', connectionId)
    .where('account', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns the JSON of the stored declarations by connector key. */
export async function readDeclarations({ db }: AnyStore): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('sources').select(['connector_key', 'declaration']).execute();
  return new Map(rows.map((row) => [row.connector_key, row.declaration]));
}

/** Returns the connections whose removal has begun. */
export async function listRemovals({ db }: WriteStore): Promise<string[]> {
  const rows = await db.selectFrom('removals').select('connection_id').execute();
  return rows.map(({ connection_id }) => connection_id);
}
