import { AppError } from '../errors.ts';
import type { ReadStore, WriteStore } from '../store/sqlite/open-store.ts';
import { command } from '../text/hint.ts';
import type { ImportReport } from './import-report.ts';
import { findImport, type ImportRow, insertImport, readImports, updateImport } from './import-store.ts';

export type ImportState = 'running' | 'done' | 'stopped' | 'undone';

export interface LoggedImport {
  readonly import_id: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly state: ImportState;
  readonly report: ImportReport;
}

/** Stores that an import begins. One that dies stays `running` and can be undone like any other. */
export function beginImport(store: WriteStore, report: ImportReport, now: Date): Promise<number> {
  const { connection_id, format } = report;
  const started_at = now.toISOString();
  return insertImport(store, {
    connection_id,
    format,
    started_at,
    state: 'running',
    report: JSON.stringify(report),
  });
}

export function endImport(
  store: WriteStore,
  importId: number,
  state: ImportState,
  report: ImportReport,
  now: Date,
): Promise<void> {
  return updateImport(store, importId, {
    state,
    ended_at: now.toISOString(),
    report: JSON.stringify(report),
  });
}

/** Lists the imports, the newest first. */
export async function listImports(store: ReadStore | WriteStore): Promise<LoggedImport[]> {
  return (await readImports(store)).map(parseRow);
}

export async function getImport(store: ReadStore | WriteStore, importId: number): Promise<LoggedImport> {
  const row = await findImport(store, importId);
  if (row === undefined)
    throw new AppError('not_found', 'There is no such import.', { hint: [command('import list')] });
  return parseRow(row);
}

function parseRow({ import_id, started_at, ended_at, state, report }: ImportRow): LoggedImport {
  return {
    import_id,
    started_at,
    ended_at,
    state: state as ImportState,
    report: JSON.parse(report) as ImportReport,
  };
}
