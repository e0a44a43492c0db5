import { AppError } from '../../errors.ts';
import type { ImportReport } from '../import-report.ts';
import type { OpenProblem } from '../open/opened.ts';
import type { ImportProgress } from '../run-import.ts';
import type { ExportPreview } from './export-preview.ts';
import type { Upload } from './upload-folder.ts';

/** `looking` is a dry run, `ready` waits for the owner, `waiting` waits in the queue, `nothing` found no export. */
type JobState = 'looking' | 'ready' | 'nothing' | 'waiting' | 'running' | 'done' | 'stopped' | 'failed';

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
  /** Set when it is stored. */
  result: { readonly import_id: number; readonly report: ImportReport } | null;
}

/** Stands for a new connection. No connection has this id. */
export const NEW_CONNECTION = '*';

export interface JobChoices {
  readonly time_zone: string;
  /** Whether 03/04 is the third of April. Null: detect it. */
  readonly day_first: boolean | null;
  /** The format of the files. Null: detect it. */
  readonly format: string | null;
  /** The connection for each export, or `NEW_CONNECTION`. Null: choose automatically. */
  readonly into: readonly (string | null)[];
}

/** What the owner decided about one export. */
export interface ExportDecision {
  readonly take: boolean;
  readonly name?: string;
  readonly keepsFiles?: boolean;
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
  readonly upload: Pick<Upload, 'files' | 'remove'>;
  controller: AbortController;
  view: JobView;
  /** Exports that the dry run refused. Their files are read in another format. */
  readonly refused: Set<string>;
}

const MAX_LISTED = 50;
export const listFirst = <T>(items: readonly T[]): T[] => items.slice(0, MAX_LISTED);

export function createJob(upload: Upload, timeZone: string): Job {
  const { id, files } = upload;
  return {
    upload,
    controller: new AbortController(),
    refused: new Set(),
    view: {
      id,
      state: 'looking',
      files: listFirst(files).map(({ path, bytes }) => ({ path, bytes })),
      files_total: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      ...{ exports: [], refused: [], refused_total: 0, not_recognised: [], not_recognised_total: 0 },
      choices: { time_zone: timeZone, day_first: null, format: null, into: [] },
      ...{ progress: null, reason: null },
    },
  };
}

export function changeJob(job: Job, changes: Partial<JobView>): void {
  job.view = { ...job.view, ...changes };
}

const MAX_WAITING_JOBS = 20;
/** Finished jobs that the owner can still see. */
export const MAX_FINISHED_JOBS = 100;

export function isOver({ state }: Pick<JobView, 'state'>): boolean {
  return ['done', 'stopped', 'failed', 'nothing'].includes(state);
}

/** Refuses another upload if too many wait for the owner. */
export function checkUploadLimit(waiting: number): void {
  if (waiting < MAX_WAITING_JOBS) return;
  throw new AppError('conflict', `You already have ${MAX_WAITING_JOBS} uploads to review.`, {
    hint: 'Import or discard one of them first.',
  });
}

export function uploadNotFound(): AppError {
  return new AppError('not_found', 'Upload not found.', {
    hint: 'It was discarded, or the server was restarted. Upload the file again.',
  });
}

export function uploadMovedOn(): AppError {
  return new AppError('conflict', 'This upload has changed in the meantime.', { hint: 'Reload the page.' });
}

/** Shows the owner why a job failed. `onFailure` is called for errors that nobody expected. */
export function failJob(job: Job, error: unknown, onFailure: (error: unknown) => void): void {
  const expected = error instanceof AppError;
  if (!expected) onFailure(error);
  changeJob(job, { state: 'failed', reason: expected ? error.message : 'The upload could not be read.' });
}

/** Does the work of jobs. Their views show how far it is. */
export interface UploadRunner {
  /** Checks an upload with a dry run. The page then shows what an import would do. */
  check(job: Job): Promise<void>;
  /** Imports the exports that the owner accepted. */
  run(job: Job, decisions: readonly ExportDecision[]): Promise<void>;
}
