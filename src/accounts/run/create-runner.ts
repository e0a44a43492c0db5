import type { Store } from '../../store/store.ts';
import { createAccountNetwork } from '../account-network.ts';
import { loadSource } from '../sources.ts';
import { runSync } from './run-sync.ts';
import type { SyncRunner } from './scheduler.ts';
import type { SyncProgress } from './sync-options.ts';

export interface RunnerDeps {
  readonly store: Store;
  /** Logs an unexpected error. Returns its id in the log. */
  readonly onError: (error: unknown) => string;
  readonly onProgress?: (progress: SyncProgress) => void;
}

/** Runs syncs in this thread. */
export function createSyncRunner({ store, onError, onProgress }: RunnerDeps): SyncRunner {
  return (accountId, signal) =>
    runSync(store, accountId, {
      ...{ loadSource, createNetwork: createAccountNetwork, signal, onError },
      now: () => new Date(),
      random: Math.random,
      ...(onProgress === undefined ? {} : { onProgress }),
    });
}
