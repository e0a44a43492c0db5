import { createRecordWriter } from '../../import/record-writer.ts';
import type { AccountRow } from '../../store/accounts/account-store.ts';
import type { BatchOptions, Change, Outcome } from '../../store/batches.ts';
import { openScratch } from '../../store/sqlite/scratch.ts';
import type { Store } from '../../store/store.ts';
import type { SyncPlan, SyncRecord } from '../sync-source.ts';
import type { AccountLease } from './account-lease.ts';
import { type OpenTarget, openTarget } from './open-target.ts';
import { RecordSet } from './record-references.ts';
import type { RunReport } from './run-report.ts';

/** The owner removed the account, or its connection, while it was synced. */
export class AccountRemoved extends Error {}

export interface SyncWriterOptions {
  readonly store: Store;
  readonly account: AccountRow;
  readonly plan: SyncPlan;
  readonly report: RunReport;
  readonly timeZone: string;
  readonly now: () => Date;
  readonly lease: AccountLease;
}

/** Writes records to the connection of an account, as part of the current transaction, and counts them in the report. */
export class AccountRecords {
  readonly options: SyncWriterOptions;
  /** The records that the current commit has written, and whether each existed before. */
  written = new RecordSet();
  #plan: SyncPlan;
  #target: OpenTarget | undefined;
  #writer: Awaited<ReturnType<typeof createRecordWriter>> | undefined;
  #scratch: ReturnType<typeof openScratch> | undefined;
  #emittedAt: number;

  constructor(options: SyncWriterOptions) {
    this.options = options;
    this.#plan = options.plan;
    this.#emittedAt = options.account.emitted_at;
  }

  get plan(): SyncPlan {
    return this.#plan;
  }

  get target(): OpenTarget | undefined {
    return this.#target;
  }

  /** The time of the last change. */
  get emittedAt(): number {
    return this.#emittedAt;
  }

  /** Uses a declaration that has grown. */
  growPlan(plan: SyncPlan): void {
    this.#plan = plan;
    this.close();
  }

  close(): void {
    this.#scratch?.close();
    [this.#target, this.#writer, this.#scratch] = [undefined, undefined, undefined];
  }

  /** Returns the key of the record; undefined if it cannot be stored, which the report says. */
  async write(record: SyncRecord, path = ''): Promise<string | undefined> {
    const written = await this.#writer?.add({ ...record, file: { path } });
    if (written?.kind === 'added') return written.key;
    const { account, report } = this.options;
    report.builder.count(record.stream, 'skipped');
    report.builder.addProblem({ path: account.account, place: record.stream, reason: written?.reason ?? '' });
    return undefined;
  }

  async finish(): Promise<void> {
    await this.#writer?.finish();
  }

  writeBatch(streamId: number, changes: readonly Change[], holdsChanges = false): Promise<Outcome[]> {
    const { store, report } = this.options;
    return store.write.batches.write(streamId, changes, { importId: report.importId, holdsChanges });
  }

  /** Returns a time after that of every earlier change of the account, even if the clock was set back. */
  tick(): number {
    this.#emittedAt = Math.max(this.options.now().getTime(), this.#emittedAt + 1);
    return this.#emittedAt;
  }

  /** Finds or creates the connection. */
  async open(): Promise<OpenTarget> {
    if (this.#target !== undefined) return this.#target;
    const { account, now, store, timeZone } = this.options;
    const row = await store.write.accounts.find(account.account_id);
    if (row === undefined) throw new AccountRemoved('The account was removed.');
    const target = await openTarget(store, row, this.#plan, timeZone, now());
    this.#scratch = openScratch();
    this.#writer = await this.#createWriter(target, this.#scratch);
    this.#target = target;
    return target;
  }

  #createWriter({ streams }: OpenTarget, scratch: ReturnType<typeof openScratch>) {
    const { report, store } = this.options;
    const { uncommitted } = store.write;
    const read = {
      catalog: store.read.catalog,
      stored: {
        ...uncommitted,
        words: (after: number, limit: number) => store.read.stored.words(after, limit),
      },
    };
    const write = {
      batches: {
        write: (streamId: number, changes: readonly Change[], options?: BatchOptions) =>
          this.writeBatch(streamId, changes, options?.holdsChanges),
      },
    };
    const { identity, totals } = this.#plan;
    return createRecordWriter({
      store: { read, write },
      scratch,
      importer: {
        ...(identity === undefined ? {} : { identity }),
        ...(totals === undefined ? {} : { totals }),
      },
      streams,
      // The batches above name the import.
      importId: 0,
      emittedAt: () => this.tick(),
      keyValue: (value) => value,
      count: (stream, outcome) => report.builder.count(stream, outcome),
      onBatch: ({ streamId }, changes, outcomes) => {
        for (const [at, { key }] of changes.entries())
          this.written.add(streamId, key, outcomes[at] !== 'new');
      },
    });
  }
}
