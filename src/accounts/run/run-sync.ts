import { setTimeout as sleep } from 'node:timers/promises';
import { createEventLog } from '../../audit/events.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import { addSelf } from '../../schema-index/edit-catalog.ts';
import type { AccountChange, AccountRow } from '../../store/accounts/account-store.ts';
import type { Store } from '../../store/store.ts';
import { MINUTE_MS } from '../../time/durations.ts';
import { createContext } from '../account-context.ts';
import type { Network } from '../network.ts';
import {
  type AccountKind,
  SyncError,
  type SyncItem,
  type SyncPlan,
  type SyncRun,
  type SyncSource,
} from '../sync-source.ts';
import { AccountHold, HoldLost } from './account-hold.ts';
import { type AccountProblem, describeProblem, isStopping } from './account-problem.ts';
import { importDownloads } from './import-downloads.ts';
import { RunReport } from './run-report.ts';
import { continueRun, nextRun, retryRun } from './schedule.ts';
import { AccountRemoved, SyncWriter } from './sync-writer.ts';
import { createSyncedItems, readStoredRecords } from './synced-items.ts';

/** What one run may do before others have their turn. The next run goes on where it ended. */
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

export interface RunCounts {
  readonly new: number;
  readonly changed: number;
  readonly removed: number;
  readonly problems: number;
}

/** `partial`: the budget was used up, or the run was stopped. `busy`: another run holds the account. */
export type SyncOutcome =
  | {
      readonly state: 'synced' | 'partial';
      readonly importId: number | undefined;
      readonly changes: RunCounts;
    }
  | { readonly state: 'failed'; readonly problem: AccountProblem; readonly stopped: boolean }
  | { readonly state: 'busy' | 'removed' };

/** How long a source may take to stop. After that its run is abandoned. */
const STOP_MS = 5_000;

/** Syncs an account once, unless another run holds it. Stores the outcome with the account. Throws only for bugs of the store. */
export async function runSync(store: Store, accountId: string, options: SyncOptions): Promise<SyncOutcome> {
  const hold = await AccountHold.take(store, accountId, options.now);
  if (hold === undefined) {
    const isPresent = (await store.write.accounts.find(accountId)) !== undefined;
    return { state: isPresent ? 'busy' : 'removed' };
  }
  try {
    const account = await store.write.accounts.find(accountId);
    return account === undefined ? { state: 'removed' } : await runClaimed(store, account, hold, options);
  } finally {
    await hold.release();
  }
}

async function runClaimed(
  store: Store,
  account: AccountRow,
  hold: AccountHold,
  options: SyncOptions,
): Promise<SyncOutcome> {
  const run = new Run(store, account, hold, options);
  try {
    return await run.complete();
  } catch (error) {
    if (error instanceof AccountRemoved) return { state: 'removed' };
    if (error instanceof HoldLost) return { state: 'busy' };
    throw error;
  } finally {
    run.close();
  }
}

function tooSlow(): SyncError {
  return new SyncError('too_slow', 'The server took too long to answer.', 'It is tried again later.');
}

class Run {
  readonly #store: Store;
  readonly #account: AccountRow;
  readonly #hold: AccountHold;
  readonly #options: SyncOptions;
  readonly #report: RunReport;
  readonly #controller = new AbortController();
  readonly #startedAt: Date;
  readonly #deadline: NodeJS.Timeout;
  #isLate = false;
  #hasCheckpoint = false;
  #writer: SyncWriter | undefined;
  #plan: SyncPlan | undefined;
  #downloads = { new: 0, changed: 0 };

  constructor(store: Store, account: AccountRow, hold: AccountHold, options: SyncOptions) {
    [this.#store, this.#account, this.#hold, this.#options] = [store, account, hold, options];
    this.#startedAt = options.now();
    this.#report = new RunReport(account, this.#startedAt);
    options.signal.addEventListener('abort', this.#stop, { once: true });
    if (options.signal.aborted) this.#stop();
    hold.lost.addEventListener('abort', this.#stop, { once: true });
    const expire = () => {
      this.#isLate = true;
      this.#stop();
    };
    this.#deadline = setTimeout(expire, 3 * (options.budget ?? DEFAULT_BUDGET).ms).unref();
  }

  readonly #stop = () => this.#controller.abort();

  close(): void {
    clearTimeout(this.#deadline);
    this.#options.signal.removeEventListener('abort', this.#stop);
    this.#controller.abort();
    this.#writer?.close();
  }

  /** Stores everything that the source yields, and the outcome. */
  async complete(): Promise<SyncOutcome> {
    try {
      return await this.#end(await this.#readAll());
    } catch (error) {
      if (error instanceof AccountRemoved || error instanceof HoldLost) throw error;
      return await this.#fail(error);
    }
  }

  /** Stores everything that the source yields. Returns whether it came to its end. */
  async #readAll(): Promise<boolean> {
    const { loadSource, now } = this.#options;
    const { timeZone } = await loadCatalog(this.#store.read);
    const source = await loadSource(this.#account.kind as AccountKind);
    const context = {
      ...(await createContext(this.#store, this.#account, this.#options)),
      signal: this.#controller.signal,
      state: this.#account.state === null ? undefined : (JSON.parse(this.#account.state) as unknown),
    };
    this.#plan = await source.plan(context);
    const writer = new SyncWriter({
      ...{
        store: this.#store,
        account: this.#account,
        plan: this.#plan,
        report: this.#report,
        timeZone,
        now,
        hold: this.#hold,
      },
    });
    this.#writer = writer;
    const sync: SyncRun = {
      ...context,
      items: createSyncedItems(this.#store.read, this.#account.account_id, () => writer.commit()),
      readStored: async (stream, keys) => {
        await writer.commit();
        return readStoredRecords(this.#store.read, await this.#findStream(stream), keys);
      },
    };
    const items = source.sync(sync)[Symbol.asyncIterator]();
    const isComplete = await this.#drain(items, writer);
    if (isComplete) await writer.removeWaiting();
    else await writer.commit();
    return isComplete;
  }

  async #drain(items: AsyncIterator<SyncItem>, writer: SyncWriter): Promise<boolean> {
    const aborted = new Promise<'aborted'>((resolve) => {
      const stop = async () => {
        // The source is given time to end by itself, with what it has read.
        await sleep(STOP_MS, undefined, { ref: false });
        resolve('aborted');
      };
      this.#controller.signal.addEventListener('abort', () => void stop(), { once: true });
      if (this.#controller.signal.aborted) void stop();
    });
    for (;;) {
      const next = items.next();
      next.catch(() => {});
      const result = await Promise.race([next, aborted]);
      if (this.#isLate) throw tooSlow();
      if (result === 'aborted') return false;
      if (result.done === true) return !this.#controller.signal.aborted;
      await this.#take(result.value, writer);
      if (this.#isSpent(writer, result.value)) {
        this.#endSoon(items);
        return false;
      }
    }
  }

  /** Ends a source without waiting for it: it may never answer. */
  #endSoon(items: AsyncIterator<SyncItem>): void {
    if (this.#controller.signal.aborted) return;
    this.#controller.abort();
    items.return?.()?.catch(() => {});
  }

  /** Whether the budget is used up. A run ends at a checkpoint, if the source makes one in time. */
  #isSpent({ records, characters }: SyncWriter, item: SyncItem): boolean {
    const { budget = DEFAULT_BUDGET, now } = this.#options;
    const factor = item.kind === 'checkpoint' ? 1 : 2;
    return (
      records > factor * budget.records ||
      characters > factor * budget.characters ||
      now().getTime() - this.#startedAt.getTime() > factor * budget.ms
    );
  }

  async #take(item: SyncItem, writer: SyncWriter): Promise<void> {
    const { builder } = this.#report;
    switch (item.kind) {
      case 'put':
      case 'remove':
      case 'reset':
      case 'record':
        return writer.add(item);
      case 'checkpoint':
        this.#hasCheckpoint = true;
        return writer.commit({ state: JSON.stringify(item.state) ?? null });
      case 'plan':
        this.#plan = item.plan;
        return writer.growPlan(item.plan);
      case 'exports': {
        const { timeZone } = await loadCatalog(this.#store.read);
        const imported = await importDownloads(this.#store, item.paths, this.#report, {
          ...{ timeZone, now: this.#options.now, signal: this.#controller.signal },
        });
        this.#downloads.new += imported.new;
        this.#downloads.changed += imported.changed;
        return;
      }
      case 'progress':
        return this.#showProgress({ done: item.done, total: item.total ?? null });
      case 'problem':
        return builder.addProblem({ path: this.#account.account, place: item.place, reason: item.reason });
      case 'note':
        return builder.addNote(item.note);
      case 'self':
        return builder.addItem({ kind: 'self', value: item.value });
    }
  }

  #progressAt = 0;

  async #showProgress(progress: SyncProgress): Promise<void> {
    this.#options.onProgress?.(progress);
    const at = performance.now();
    if (at - this.#progressAt < 1_000) return;
    this.#progressAt = at;
    await this.#store.write.accounts.update(this.#account.account_id, { progress: JSON.stringify(progress) });
  }

  async #findStream(name: string) {
    const { streams } = await loadCatalog(this.#store.read);
    const row = await this.#store.read.accounts.find(this.#account.account_id);
    return streams.find((one) => one.name === name && one.connection.connection_id === row?.connection_id);
  }

  async #end(isComplete: boolean): Promise<SyncOutcome> {
    const { now, random } = this.#options;
    const wasStopped = this.#options.signal.aborted;
    await this.#saveImport(isComplete ? 'done' : 'stopped');
    const own = this.#report.countChanges();
    const changes = {
      ...own,
      new: own.new + this.#downloads.new,
      changed: own.changed + this.#downloads.changed,
    };
    // Without a checkpoint the next run would only repeat this one.
    const continues = !isComplete && this.#hasCheckpoint;
    const next = continues ? continueRun(now()) : nextRun(now(), this.#account.interval_seconds, random());
    await this.#save({
      ...(wasStopped ? {} : { next_run_at: next.toISOString() }),
      ...(isComplete ? { last_run_at: now().toISOString() } : {}),
      ...this.#describeChanges(changes),
      ...{ problem: null, failures: 0, stopped: 0 },
    });
    const importId = this.#report.importId;
    return { state: isComplete ? 'synced' : 'partial', importId, changes };
  }

  async #fail(error: unknown): Promise<SyncOutcome> {
    const { now, random, onError } = this.#options;
    // Complete items that were read before the error are kept.
    await this.#writer?.commit().catch(() => {});
    await this.#saveImport('stopped').catch(() => {});
    if (this.#options.signal.aborted) {
      const changes = this.#report.countChanges();
      return { state: 'partial', importId: this.#report.importId, changes };
    }
    const row = await this.#store.write.accounts.find(this.#account.account_id);
    if (row === undefined) return { state: 'removed' };
    const failures = row.failures + 1;
    const described = describeProblem(error, onError);
    const before = row.problem === null ? undefined : (JSON.parse(row.problem) as AccountProblem);
    const problem = { ...described, since: before?.since ?? now().toISOString() };
    const stopped = isStopping(problem.code);
    await this.#save({
      ...{ failures, problem: JSON.stringify(problem), stopped: stopped ? 1 : 0 },
      next_run_at: stopped ? null : retryRun(now(), failures, random()).toISOString(),
      ...this.#describeChanges(this.#report.countChanges()),
    });
    if (before === undefined || (stopped && row.stopped === 0))
      await createEventLog(this.#store.audit)({ kind: 'sync_failed', detail: this.#account.account }, now());
    return { state: 'failed', problem, stopped };
  }

  /** What the last run that changed something did. */
  #describeChanges(changes: RunCounts): AccountChange {
    if (changes.new + changes.changed + changes.removed === 0) return {};
    const at = this.#options.now().toISOString();
    return { last_changes: JSON.stringify({ at, import_id: this.#report.importId ?? null, ...changes }) };
  }

  async #saveImport(state: 'done' | 'stopped'): Promise<void> {
    const { now } = this.#options;
    const target = this.#writer?.target;
    if (this.#plan === undefined || target === undefined || this.#report.importId === undefined) return;
    const { connectionId } = target.target;
    await addSelf(this.#store.write, connectionId, this.#report.builder.self);
    await this.#report.save(this.#store, this.#plan, target, state, now());
    await createEventLog(this.#store.audit)({ kind: 'synced', detail: connectionId }, now());
  }

  #save(changes: AccountChange): Promise<void> {
    return this.#store.write.transact(async () => {
      await this.#hold.check();
      await this.#store.write.accounts.update(this.#account.account_id, changes);
    });
  }
}
