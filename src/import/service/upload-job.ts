import type { ImportReport } from '../import-report.ts';
import type { OpenProblem } from '../open/opened.ts';
import type { ImportProgress } from '../run-import.ts';
import type { ExportPreview } from './export-preview.ts';
import type { Upload } from './upload-folder.ts';

/**
 * `looking` reads without storing, `ready` waits for the owner, `waiting` for its turn. `nothing` was recognised;
 * `failed` could not be gone through with.
 */
export type JobState =
  | 'looking'
  | 'ready'
  | 'nothing'
  | 'waiting'
  | 'running'
  | 'done'
  | 'stopped'
  | 'failed';

/** One export of an upload. */
export interface JobExport {
  readonly format: string;
  readonly title: string;
  readonly files: readonly string[];
  readonly files_total: number;
  /** The report of the dry run. */
  readonly foretold: ImportReport;
  readonly preview: ExportPreview;
  /** Connections of the same source. */
  readonly candidates: readonly { readonly connection_id: string; readonly name: string }[];
  /** Set once it is stored. */
  result: { readonly import_id: number; readonly report: ImportReport } | null;
}

/** No connection has this id. */
export const NEW_CONNECTION = '*';

export interface JobChoices {
  readonly time_zone: string;
  /** Whether 03/04 is the third of April; null where the files are to tell. */
  readonly day_first: boolean | null;
  /** What to take the files for; null where they are to tell. */
  readonly format: string | null;
  /** The connection that each export is to go into, or `NEW_CONNECTION`; null where it finds its own. */
  readonly into: readonly (string | null)[];
}

/** An upload as the page and its JSON show it. */
export interface JobView {
  readonly id: string;
  readonly state: JobState;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly files_total: number;
  readonly bytes: number;
  readonly exports: readonly JobExport[];
  readonly refused: readonly OpenProblem[];
  readonly refused_total: number;
  readonly not_recognised: readonly string[];
  readonly not_recognised_total: number;
  readonly choices: JobChoices;
  readonly progress: (ImportProgress & { readonly title: string }) | null;
  readonly reason: string | null;
}

export interface Job {
  readonly upload: Upload;
  controller: AbortController;
  view: JobView;
  /** Exports in which the dry run found nothing, so that their files are read as something else. */
  readonly refused: Set<string>;
}

const MAX_NAMED = 50;

export function createJob(upload: Upload, timeZone: string): Job {
  const { id, files } = upload;
  return {
    upload,
    controller: new AbortController(),
    refused: new Set(),
    view: {
      id,
      state: 'looking',
      files: nameFirst(files).map(({ path, bytes }) => ({ path, bytes })),
      files_total: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      exports: [],
      refused: [],
      refused_total: 0,
      not_recognised: [],
      not_recognised_total: 0,
      choices: { time_zone: timeZone, day_first: null, format: null, into: [] },
      progress: null,
      reason: null,
    },
  };
}

export function changeJob(job: Job, changes: Partial<JobView>): void {
  job.view = { ...job.view, ...changes };
}

export function nameFirst<T>(items: readonly T[]): T[] {
  return items.slice(0, MAX_NAMED);
}
