import type { SyncOutcome } from '../accounts/run/sync-options.ts';
import type { Upload } from '../import/service/upload-folder.ts';
import type { ExportDecision, JobView } from '../import/service/upload-job.ts';
import type { SentError } from './thread-errors.ts';

/** The work of one job: a dry run, or, with decisions, an import. */
export interface ImportTask {
  readonly task: number;
  readonly files: Upload['files'];
  readonly view: JobView;
  readonly refused: ReadonlySet<string>;
  readonly decisions: readonly ExportDecision[] | undefined;
}

/** Syncs an account. */
export interface SyncTask {
  readonly task: number;
  readonly account: string;
}

export type ToImportThread =
  | ImportTask
  | SyncTask
  | { readonly stop: number }
  /** The thread may write until it sends `leave`. */
  | { readonly enter: number };

export type FromImportThread =
  | { readonly task: number; readonly view: JobView }
  | { readonly task: number; readonly refused: ReadonlySet<string>; readonly error: SentError | undefined }
  | { readonly task: number; readonly outcome: SyncOutcome }
  /** An unexpected error of a sync, for the log. */
  | { readonly syncError: SentError; readonly id: string }
  /** The thread waits in the queue of writers, which the main thread holds. */
  | { readonly wait: number }
  | { readonly leave: number };
