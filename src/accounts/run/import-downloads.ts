import { openInputs } from '../../import/open/open-inputs.ts';
import { importEach, recogniseOpened } from '../../import/recognise.ts';
import { runImport } from '../../import/run-import.ts';
import { loadImporters } from '../../sources/load-importers.ts';
import type { Store } from '../../store/store.ts';
import type { RunReport } from './run-report.ts';

export interface DownloadOptions {
  readonly timeZone: string;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** The results of importing downloaded exports. */
export interface ImportedDownloads {
  readonly new: number;
  readonly changed: number;
}

/** Imports downloaded exports as `pdpp import` would. Each has a report of its own. */
export async function importDownloads(
  store: Store,
  paths: readonly string[],
  report: RunReport,
  { timeZone, now, signal }: DownloadOptions,
): Promise<ImportedDownloads> {
  const sum = { new: 0, changed: 0 };
  const opened = await openInputs(paths);
  try {
    const { found } = await recogniseOpened(await loadImporters(), opened);
    const run = { options: { timeZone }, openProblems: opened.problems, now, signal };
    const results = await importEach(
      found,
      (one) => runImport(store, one, run),
      (problem) => opened.refuse(problem.path, problem.reason),
    );
    for (const { report: own } of results)
      for (const counts of Object.values(own.streams)) {
        sum.new += counts.new;
        sum.changed += counts.changed;
      }
    for (const problem of opened.problems) report.builder.addProblem(problem);
    if (found.length === 0 && opened.problems.length === 0)
      report.builder.addNote('Files that are not a known export were skipped.');
  } finally {
    opened.close();
  }
  return sum;
}
