import { MINUTE_MS } from '../../time/durations.ts';
import type { Network } from '../network.ts';
import type { AccountKind, SyncSource } from '../sync-source.ts';
import type { AccountProblem } from './account-problem.ts';
import type { RunChanges } from './run-report.ts';

/** Limits of one run, so that other accounts get their turn. The next run continues where this one stopped. */
export interface RunBudget {
  readonly records: number;
  readonly characters: number;
  readonly ms: number;
}

export const DEFAULT_BUDGET: RunBudget = { records: 20_000, characters: 256 * 2 ** 20, ms: 2 * MINUTE_MS };

export interface SyncOptions {
  readonly loadSource: (kind: AccountKind) => Promise<SyncSource>;
  readonly createNetwork: (allowsPrivate: boolean) => Network | Promise<Network>;
  readonly now: () => Date;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Logs an unexpected error, or the cause of an expected one. Returns its id in the log. */
  readonly onError: (error: unknown) => string;
  readonly onProgress?: (progress: SyncProgress) => void;
  readonly budget?: RunBudget;
}

export interface SyncProgress {
  readonly done: number;
  readonly total: number | null;
}

/** `partial`: the budget was used up, or the run was stopped. `busy`: another run holds the account. */
export type SyncOutcome =
  | {
      readonly state: 'synced' | 'partial';
      readonly importId: number | undefined;
      readonly changes: RunChanges;
    }
  | { readonly state: 'failed'; readonly problem: AccountProblem; readonly stopped: boolean }
  | { readonly state: 'busy' | 'removed' };
