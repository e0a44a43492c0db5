import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountRow } from '../../store/accounts/account-store.ts';
import type { Store } from '../../store/store.ts';
import { MINUTE_MS } from '../../time/durations.ts';
import { createContext } from '../account-context.ts';
import { isHeld } from '../account-views.ts';
import type { Network } from '../network.ts';
import { type AccountKind, SyncError, type SyncSource } from '../sync-source.ts';
import { isStopping } from './account-problem.ts';
import type { SyncOutcome } from './sync-options.ts';

/** Runs the sync of one account. */
export type SyncRunner = (accountId: string, signal: AbortSignal) => Promise<SyncOutcome>;

export interface SchedulerDeps {
  readonly store: Store;
  readonly runner: SyncRunner;
  /** Queues work that writes a lot after imports. */
  readonly enqueue: <T>(work: () => Promise<T>) => Promise<T>;
  readonly loadSource: (kind: AccountKind) => Promise<SyncSource>;
  readonly createNetwork: (allowsPrivate: boolean) => Network | Promise<Network>;
  readonly now: () => Date;
  readonly onError: (error: unknown) => string;
  readonly pollMs?: number;
}

export interface SyncScheduler {
  start(): void;
  /** Looks for accounts that are due. */
  wake(): void;
  /** Stops the running sync, and waits for it. */
  stop(): Promise<void>;
}

const POLL_MS = 2_000;
const FIRST_RECONNECT_MS = 30_000;
const MAX_RECONNECT_MS = 15 * MINUTE_MS;
/** The minimum time between two runs of an account whose server reports changes. */
const MIN_CHANGE_MS = 2_000;

/** Syncs accounts when they are due, one at a time, and listens for changes where the server reports them. */
export function createSyncScheduler(deps: SchedulerDeps): SyncScheduler {
  const { store, now } = deps;
  const closing = new AbortController();
  const queued = new Map<string, Promise<unknown>>();
  const listeners = new Map<string, AbortController>();
  let timer: NodeJS.Timeout | undefined;
  let ticking: Promise<void> = Promise.resolve();

  const isDue = (row: AccountRow) =>
    row.paused === 0 &&
    row.stopped === 0 &&
    row.next_run_at !== null &&
    row.next_run_at <= now().toISOString() &&
    !isHeld(row, now());
  const stopListening = (accountId: string) => {
    listeners.get(accountId)?.abort();
    listeners.delete(accountId);
  };

  const run = async (accountId: string) => {
    const row = await store.write.accounts.find(accountId);
    if (closing.signal.aborted || row === undefined || !isDue(row)) return;
    stopListening(accountId);
    const outcome = await deps.runner(accountId, closing.signal);
    if (outcome.state === 'synced') listen(accountId);
  };
  const begin = (accountId: string) => {
    const work = deps
      .enqueue(() => run(accountId))
      .catch((error: unknown) => void deps.onError(error))
      .finally(() => queued.delete(accountId));
    queued.set(accountId, work);
  };
  /** Runs the account as soon as the server reports a change. */
  const listen = (accountId: string) => {
    if (closing.signal.aborted || listeners.has(accountId)) return;
    const controller = new AbortController();
    listeners.set(accountId, controller);
    const work = () => waitForChange(deps, accountId, AbortSignal.any([controller.signal, closing.signal]));
    const leases = store.shared?.leases;
    const listening = leases === undefined ? work() : leases.tryRun(`account ${accountId}`, work);
    listening
      .catch((error: unknown) => void deps.onError(error))
      .finally(() => {
        if (listeners.get(accountId) === controller) listeners.delete(accountId);
        wake();
      });
  };
  const tick = async () => {
    const rows = await store.read.accounts.list();
    for (const row of rows) if (isDue(row) && !queued.has(row.account_id)) begin(row.account_id);
    const live = new Set(
      rows.filter((row) => row.paused === 0 && row.stopped === 0).map((row) => row.account_id),
    );
    for (const accountId of listeners.keys()) if (!live.has(accountId)) stopListening(accountId);
  };
  const wake = () => {
    if (closing.signal.aborted || timer === undefined) return;
    ticking = ticking.then(tick).catch((error: unknown) => void deps.onError(error));
  };

  return {
    wake,
    start() {
      timer ??= setInterval(wake, deps.pollMs ?? POLL_MS).unref();
      wake();
      void listenAll();
    },
    async stop() {
      clearInterval(timer);
      closing.abort();
      await ticking;
      await Promise.allSettled(queued.values());
    },
  };

  /** Listens for accounts that were synced before this process began. */
  async function listenAll(): Promise<void> {
    try {
      for (const row of await store.read.accounts.list())
        if (row.last_run_at !== null && row.paused === 0 && row.stopped === 0 && !isDue(row))
          listen(row.account_id);
    } catch (error) {
      deps.onError(error);
    }
  }
}

/** Waits until the server reports a change, and connects again when the connection is lost. */
async function waitForChange(deps: SchedulerDeps, accountId: string, signal: AbortSignal): Promise<void> {
  const { store, now } = deps;
  for (let wait = FIRST_RECONNECT_MS; !signal.aborted; wait = Math.min(2 * wait, MAX_RECONNECT_MS)) {
    const row = await store.read.accounts.find(accountId);
    if (row === undefined) return;
    const source = await deps.loadSource(row.kind as AccountKind);
    if (source.waitForChange === undefined) return;
    try {
      const context = await createContext(store, row, { ...deps, signal });
      const state = row.state === null ? undefined : (JSON.parse(row.state) as unknown);
      await source.waitForChange({ ...context, state });
      if (signal.aborted) return;
      const earliest = Date.parse(row.last_run_at ?? '') + MIN_CHANGE_MS;
      const at = new Date(Math.max(now().getTime(), Number.isNaN(earliest) ? 0 : earliest));
      await store.write.accounts.update(accountId, { next_run_at: at.toISOString() });
      return;
    } catch (error) {
      if (signal.aborted) return;
      // The next run reports the error to the owner.
      if (error instanceof SyncError && isStopping(error.code)) return;
      if (!(error instanceof SyncError)) deps.onError(error);
    }
    await sleep(wait, undefined, { signal, ref: false }).catch(() => {});
  }
}
