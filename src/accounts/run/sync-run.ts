import { loadCatalog } from '../../schema-index/catalog.ts';
import type { AccountRow } from '../../store/accounts/account-store.ts';
import type { Store } from '../../store/store.ts';
import { createContext } from '../account-context.ts';
import { type AccountKind, SyncError, type SyncItem, type SyncPlan, type SyncRun } from '../sync-source.ts';
import { AccountFiles } from './account-files.ts';
import { type AccountLease, LeaseLost } from './account-lease.ts';
import { AccountRemoved } from './account-records.ts';
import { importDownloads } from './import-downloads.ts';
import { RunOutcome, type RunTarget } from './run-outcome.ts';
import { RunReport } from './run-report.ts';
import { DEFAULT_BUDGET, type SyncOptions, type SyncOutcome, type SyncProgress } from './sync-options.ts';
import { SyncWriter } from './sync-writer.ts';
import { createSyncedItems, readStoredRecords } from './synced-items.ts';
import { delayAbort, waitOrStop } from './wait-or-stop.ts';

/** How long a source may take to stop. After that its run is abandoned. */
const STOP_MS = 5_000;
const PROGRESS_MS = 1_000;

function tooSlow(): SyncError {
  return new SyncError('too_slow', 'The server took too long to answer.', 'pdpp tries again later.');
}

/** One run of a leased account: reads its source within the budget, and stores the items. */
export class AccountRun {
  readonly #store: Store;
  readonly #account: AccountRow;
  readonly #lease: AccountLease;
  readonly #options: SyncOptions;
  readonly #report: RunReport;
  readonly #outcome: RunOutcome;
  readonly #controller = new AbortController();
  readonly #startedAt: Date;
  readonly #deadline: NodeJS.Timeout;
  #isLate = false;
  #hasCheckpoint = false;
  #writer: SyncWriter | undefined;
  #files: AccountFiles | undefined;
  #isComplete = false;
  #plan: SyncPlan | undefined;
  #downloads = { new: 0, changed: 0 };
  #progressAt = 0;

  constructor(store: Store, account: AccountRow, lease: AccountLease, options: SyncOptions) {
    [this.#store, this.#account, this.#lease, this.#options] = [store, account, lease, options];
    this.#startedAt = options.now();
    this.#report = new RunReport(account, this.#startedAt);
    this.#outcome = new RunOutcome({ store, account, lease, options, report: this.#report });
    options.signal.addEventListener('abort', this.#stop, { once: true });
    if (options.signal.aborted) this.#stop();
    lease.lost.addEventListener('abort', this.#stop, { once: true });
    const expire = () => {
      this.#isLate = true;
      this.#stop();
    };
    this.#deadline = setTimeout(expire, 3 * (options.budget ?? DEFAULT_BUDGET).ms).unref();
  }

  readonly #stop = () => this.#controller.abort();

  async close(): Promise<void> {
    clearTimeout(this.#deadline);
    this.#options.signal.removeEventListener('abort', this.#stop);
    this.#controller.abort();
    await this.#files?.close(this.#isComplete);
    this.#writer?.close();
  }

  /** Stores everything that the source yields, and the outcome. */
  async complete(): Promise<SyncOutcome> {
    try {
      const isComplete = await this.#readAll();
      const { new: added, changed, ...own } = this.#report.countChanges();
      const downloads = this.#downloads;
      return await this.#outcome.end(this.#target, {
        isComplete,
        // Without a checkpoint the next run would only repeat this one.
        continues: !isComplete && this.#hasCheckpoint,
        changes: { new: added + downloads.new, changed: changed + downloads.changed, ...own },
      });
    } catch (error) {
      if (error instanceof AccountRemoved || error instanceof LeaseLost) throw error;
      // Complete items that were read before the error are kept.
      await this.#writer?.commit().catch(() => {});
      return await this.#outcome.fail(this.#target, error);
    }
  }

  get #target(): RunTarget {
    return { plan: this.#plan, target: this.#writer?.target };
  }

  /** Stores everything that the source yields. Returns whether the source finished. */
  async #readAll(): Promise<boolean> {
    const [store, account, { loadSource, now }] = [this.#store, this.#account, this.#options];
    const { timeZone } = await loadCatalog(store.read);
    const source = await loadSource(account.kind as AccountKind);
    const context = {
      ...(await createContext(store, account, this.#options)),
      signal: this.#controller.signal,
      state: account.state === null ? undefined : (JSON.parse(account.state) as unknown),
    };
    const plan = await source.plan(context);
    this.#plan = plan;
    const [report, lease] = [this.#report, this.#lease];
    const writer = new SyncWriter({ store, account, plan, report, timeZone, now, lease });
    this.#writer = writer;
    const files = new AccountFiles({
      ...{ store, account, report },
      openConnection: () => writer.openConnection(),
    });
    this.#files = files;
    await files.begin();
    const sync: SyncRun = {
      ...context,
      keepFile: files.keep,
      items: createSyncedItems(store.read, account.account_id, () => writer.commit()),
      readStored: async (stream, keys) => {
        await writer.commit();
        return readStoredRecords(store.read, await this.#findStream(stream), keys);
      },
    };
    const items = source.sync(sync)[Symbol.asyncIterator]();
    const isComplete = await this.#drain(items, writer);
    if (isComplete) await writer.deleteOrphans();
    else await writer.commit();
    this.#isComplete = isComplete;
    return isComplete;
  }

  async #drain(items: AsyncIterator<SyncItem>, writer: SyncWriter): Promise<boolean> {
    // The source has time to end by itself and to store what it has read.
    const stopped = delayAbort(this.#controller.signal, STOP_MS);
    for (;;) {
      const next = items.next();
      next.catch(() => {});
      const result = await waitOrStop(next, stopped);
      if (this.#isLate) throw tooSlow();
      if (result === 'stopped') return false;
      if (result.done === true) return !this.#controller.signal.aborted;
      await this.#addItem(result.value, writer);
      if (this.#isSpent(writer, result.value)) {
        this.#abandon(items);
        return false;
      }
    }
  }

  /** Ends a source without waiting for it, because it may never answer. */
  #abandon(items: AsyncIterator<SyncItem>): void {
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

  async #addItem(item: SyncItem, writer: SyncWriter): Promise<void> {
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
      case 'exports':
        return this.#import(item.paths);
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

  /** Imports downloaded exports, each with a report of its own. */
  async #import(paths: readonly string[]): Promise<void> {
    const { timeZone } = await loadCatalog(this.#store.read);
    const { signal } = this.#controller;
    const options = { timeZone, now: this.#options.now, signal };
    const imported = await importDownloads(this.#store, paths, this.#report, options);
    this.#downloads.new += imported.new;
    this.#downloads.changed += imported.changed;
  }

  async #showProgress(progress: SyncProgress): Promise<void> {
    this.#options.onProgress?.(progress);
    const at = performance.now();
    if (at - this.#progressAt < PROGRESS_MS) return;
    this.#progressAt = at;
    await this.#store.write.accounts.update(this.#account.account_id, { progress: JSON.stringify(progress) });
  }

  async #findStream(name: string) {
    const { streams } = await loadCatalog(this.#store.read);
    const row = await this.#store.read.accounts.find(this.#account.account_id);
    return streams.find((one) => one.name === name && one.connection.connection_id === row?.connection_id);
  }
}
