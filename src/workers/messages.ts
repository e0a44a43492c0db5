import type { ErrorCode, Refusal } from '../errors.ts';
import type { Grant } from '../grants/grant.ts';
import type { Disclosure } from '../reads/granted-read.ts';

/** What a worker needs to open the store and to make cursors. */
export interface WorkerSettings {
  readonly directory: string;
  readonly cursorKey: Uint8Array;
  readonly origin: string;
  /** Holds the number of the job that must stop. */
  readonly stopped: Int32Array;
}

/** Grants that a worker remembers, each with the caches of its reader. Then it forgets all, and they are sent again. */
export const MAX_GRANTS = 50;

/** A tool call. A grant is sent once; later jobs name it by its number. */
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
  | {
      readonly job: number;
      readonly refusal: {
        readonly code: ErrorCode;
        readonly parts: Refusal['parts'];
        readonly details: Refusal['details'];
      };
    }
  | { readonly job: number; readonly failure: { readonly stack: string; readonly code: string | undefined } }
  /** Looks words up in the dictionary, which only the main thread holds. */
  | { readonly lookup: number; readonly method: 'findSimilar' | 'findContaining'; readonly word: string };
