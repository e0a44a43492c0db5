import { AppError } from '../errors.ts';
import type { ImportRow } from '../store/import-store.ts';
import type { ReadStore, WriteStore } from '../store/store.ts';
import { command } from '../text/hint.ts';
import type { ImportReport, StreamCounts } from './import-report.ts';

export type ImportState = 'running' | 'done' | 'stopped' | 'undone';

interface LoggedImport {
  readonly import_id: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly state: ImportState;
  readonly report: ImportReport;
}

/** Logs the start of an import. If the process dies, the import stays `running` and can still be undone. */
export function beginImport(store: WriteStore, report: ImportReport, now: Date): Promise<number> {
  const { connection_id, format } = report;
  const row = { connection_id, format, started_at: now.toISOString(), state: 'running' };
  return store.imports.add({ ...row, report: JSON.stringify(report) });
}

export function endImport(
  store: WriteStore,
  importId: number,
  state: ImportState,
  report: ImportReport,
  now: Date,
): Promise<void> {
  const ended_at = now.toISOString();
  return store.imports.update(importId, { state, ended_at, report: JSON.stringify(report) });
}

/** Lists the imports, newest first. */
export async function listImports(store: ReadStore | WriteStore): Promise<LoggedImport[]> {
  return (await store.imports.list()).map(parseRow);
}

export async function getImport(store: ReadStore | WriteStore, importId: number): Promise<LoggedImport> {
  const row = await store.imports.find(importId);
  if (row === undefined)
    throw new AppError('not_found', 'Import not found.', { hint: [command('import list')] });
  return parseRow(row);
}

function parseRow({ import_id, started_at, ended_at, state, report }: ImportRow): LoggedImport {
  const row = { import_id, started_at, ended_at, state: state as ImportState };
  return { ...row, report: JSON.parse(report) as ImportReport };
}

export interface HistoryLine {
  readonly import_id: number;
  readonly started_at: string;
  readonly state: ImportState | 'interrupted';
  readonly title: string;
  readonly connection_id: string;
  readonly connection_name: string;
  readonly counts: StreamCounts;
  readonly problems_total: number;
}

export type ImportView = Omit<LoggedImport, 'state'> & {
  readonly state: HistoryLine['state'];
  readonly time_zone: string;
};

const MAX_LISTED = 200;

/** Lists the imports for the page, newest first. Without a running import, `running` means interrupted. */
export async function listHistory(store: ReadStore, isRunning: boolean): Promise<HistoryLine[]> {
  return (await listImports(store)).slice(0, MAX_LISTED).map(({ import_id, started_at, state, report }) => ({
    import_id,
    started_at,
    state: nameState(state, isRunning),
    title: report.title,
    connection_id: report.connection_id,
    connection_name: report.connection_name,
    counts: sumCounts(Object.values(report.streams)),
    problems_total: report.problems_total,
  }));
}

export async function viewImport(
  store: ReadStore,
  importId: number,
  isRunning: boolean,
  timeZone: string,
): Promise<ImportView> {
  const { state, ...logged } = await getImport(store, importId);
  return { ...logged, state: nameState(state, isRunning), time_zone: timeZone };
}

function nameState(state: ImportState, isRunning: boolean): HistoryLine['state'] {
  return state === 'running' && !isRunning ? 'interrupted' : state;
}

function sumCounts(all: readonly StreamCounts[]): StreamCounts {
  const sum = { new: 0, changed: 0, same: 0, skipped: 0, removed: 0 };
  for (const counts of all)
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += counts[key] ?? 0;
  return sum;
}
