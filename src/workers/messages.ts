import type { Grant } from '../grants/grant.ts';
import type { Disclosure } from '../reads/granted-read.ts';
import type { SentError } from './thread-errors.ts';

/** What a worker needs to open the store and to make cursors. */
export interface WorkerSettings {
  readonly directory: string;
  readonly cursorKey: Uint8Array;
  readonly origin: string;
  /** Holds the number of the job that must stop. */
  readonly stopped: Int32Array;
}

/**
 * The number of grants that a worker caches, each with the caches of its reader. Beyond it, the worker clears all, and
 * grants are sent again.
 */
export const MAX_GRANTS = 80;

/** A tool call, or another read by its name. A grant is sent once; later jobs name it by its number. */
export interface Job {
  readonly job: number;
  readonly tool: string;
  readonly input: unknown;
  readonly grantNumber: number | undefined;
  readonly grant: Grant | undefined;
  readonly requestId: string;
  readonly now: number;
}

/** The answer of the main thread to a `lookup`. */
export interface LookupResult {
  readonly lookup: number;
  readonly words: readonly string[];
}

export type ToWorker = Job | LookupResult;

export type FromWorker =
  | 'ready'
  | {
      readonly job: number;
      readonly text: string;
      readonly tokens?: number | undefined;
      readonly disclosure: Disclosure;
    }
  | { readonly job: number; readonly error: SentError }
  /** Looks words up in the dictionary, which only the main thread holds. */
  | { readonly lookup: number; readonly method: 'findSimilar' | 'findContaining'; readonly word: string };
