import type Database from 'better-sqlite3';
import { AppError } from '../errors.ts';
import type { SeqSpan } from '../store/apply-batch.ts';
import type { ReadStore, WriteStore } from '../store/open-store.ts';
import type { ImportReport } from './import-report.ts';

export type ImportState = 'running' | 'done' | 'stopped' | 'undone';

export interface LoggedImport {
  readonly import_id: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly state: ImportState;
  readonly report: ImportReport;
}

/** Writes down that an import begins. One that dies is seen as running and can be undone like any other. */
export async function beginImport(store: WriteStore, report: ImportReport, now: Date): Promise<number> {
  const { insertId } = await store.db
    .insertInto('imports')
    .values({
      connection_id: report.connection_id,
      format: report.format,
      started_at: now.toISOString(),
      state: 'running',
      report: JSON.stringify(report),
    })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function endImport(
  store: WriteStore,
  importId: number,
  state: ImportState,
  report: ImportReport,
  now: Date,
): Promise<void> {
  await store.db
    .updateTable('imports')
    .set({ state, ended_at: now.toISOString(), report: JSON.stringify(report) })
    .where('import_id', '=', importId)
    .execute();
}

/** Remembers, in the transaction of a batch, which change numbers it took. */
export function noteSpan(raw: Database.Database, importId: number, streamId: number, span: SeqSpan): void {
  const joined = raw
    .prepare('update import_spans set to_seq = ? where import_id = ? and stream_id = ? and to_seq = ?')
    .run(span.to, importId, streamId, span.from - 1);
  if (joined.changes === 0)
    raw.prepare('insert into import_spans values (?, ?, ?, ?)').run(importId, streamId, span.from, span.to);
}

/** The newest first. */
export async function listImports(store: ReadStore | WriteStore): Promise<LoggedImport[]> {
  const rows = await store.db.selectFrom('imports').selectAll().orderBy('import_id', 'desc').execute();
  return rows.map(({ import_id, started_at, ended_at, state, report }) => ({
    import_id,
    started_at,
    ended_at,
    state: state as ImportState,
    report: JSON.parse(report) as ImportReport,
  }));
}

export async function getImport(store: ReadStore | WriteStore, importId: number): Promise<LoggedImport> {
  const row = await store.db
    .selectFrom('imports')
    .selectAll()
    .where('import_id', '=', importId)
    .executeTakeFirst();
  if (row === undefined)
    throw new AppError('not_found', 'There is no such import.', { hint: 'pdpp import list' });
  const { import_id, started_at, ended_at, state, report } = row;
  return {
    import_id,
    started_at,
    ended_at,
    state: state as ImportState,
    report: JSON.parse(report) as ImportReport,
  };
}
