import type { ReadStore } from '../../store/sqlite/open-store.ts';
import { getImport, type ImportState, type LoggedImport, listImports } from '../import-log.ts';
import type { StreamCounts } from '../import-report.ts';

/** An import as a list shows it. */
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

const MOST_LISTED = 200;

/** The newest first. Where nothing runs here, one that never ended broke off. */
export async function listHistory(store: ReadStore, isRunning: boolean): Promise<HistoryLine[]> {
  return (await listImports(store)).slice(0, MOST_LISTED).map(({ import_id, started_at, state, report }) => ({
    import_id,
    started_at,
    state: nameState(state, isRunning),
    title: report.title,
    connection_id: report.connection_id,
    connection_name: report.connection_name,
    counts: addUp(Object.values(report.streams)),
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

function addUp(all: readonly StreamCounts[]): StreamCounts {
  const sum = { new: 0, changed: 0, same: 0, skipped: 0 };
  for (const counts of all)
    for (const key of Object.keys(sum) as (keyof StreamCounts)[]) sum[key] += counts[key];
  return sum;
}
