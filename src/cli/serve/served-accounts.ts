import { createAccountNetwork } from '../../accounts/account-network.ts';
import type { AccountService } from '../../accounts/account-service.ts';
import { createAccountService } from '../../accounts/create-account-service.ts';
import { logSyncError } from '../../accounts/log-sync-error.ts';
import { createSyncScheduler, type SyncRunner } from '../../accounts/run/scheduler.ts';
import { accountKinds, loadSource } from '../../accounts/sources.ts';
import type { ImportService } from '../../import/service/import-service.ts';
import type { Log } from '../../log.ts';

import type { Store } from '../../store/store.ts';

export interface ServedAccounts {
  readonly service: AccountService;
  start(): void;
  stop(): Promise<void>;
}

/** The accounts of a served store: the service for the pages, and the schedule. */
export function createServedAccounts(
  store: Store,
  runner: SyncRunner,
  imports: Pick<ImportService, 'enqueue'>,
  log: Log,
): ServedAccounts {
  const deps = {
    ...{ store, loadSource, createNetwork: createAccountNetwork },
    now: () => new Date(),
    onError: (error: unknown) => logSyncError(log, error),
  };
  const scheduler = createSyncScheduler({ ...deps, runner, enqueue: (work) => imports.enqueue(work) });
  const service = createAccountService({
    ...deps,
    kinds: accountKinds,
    wake: () => scheduler.wake(),
    mayRunCommands: false,
  });
  return { service, start: () => scheduler.start(), stop: () => scheduler.stop() };
}
