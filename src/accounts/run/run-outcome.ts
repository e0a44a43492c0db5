import { createEventLog } from '../../audit/events.ts';
import { addSelf } from '../../schema-index/edit-catalog.ts';
import type { AccountChange, AccountRow } from '../../store/accounts/account-store.ts';
import type { Store } from '../../store/store.ts';
import type { SyncPlan } from '../sync-source.ts';
import type { AccountLease } from './account-lease.ts';
import { type AccountProblem, describeProblem, isStopping } from './account-problem.ts';
import type { OpenTarget } from './open-target.ts';
import type { RunChanges, RunReport } from './run-report.ts';
import { continueRun, nextRun, retryRun } from './schedule.ts';
import type { SyncOptions, SyncOutcome } from './sync-options.ts';

export interface OutcomeParts {
  readonly store: Store;
  readonly account: AccountRow;
  readonly lease: AccountLease;
  readonly options: SyncOptions;
  readonly report: RunReport;
}

/** The declaration and the connection of a run, if it came so far. */
export interface RunTarget {
  readonly plan: SyncPlan | undefined;
  readonly target: OpenTarget | undefined;
}

/** Stores the outcome of a run with its account: its import, its counts, and when the next run begins. */
export class RunOutcome {
  readonly #parts: OutcomeParts;

  constructor(parts: OutcomeParts) {
    this.#parts = parts;
  }

  /** `continues`: the run ended early, and the next one can go on from a checkpoint. */
  async end(
    run: RunTarget,
    { isComplete, continues, changes }: { isComplete: boolean; continues: boolean; changes: RunChanges },
  ): Promise<SyncOutcome> {
    const { account, options, report } = this.#parts;
    const { now, random } = options;
    const wasStopped = options.signal.aborted;
    await this.#saveImport(run, isComplete ? 'done' : 'stopped');
    const next = continues ? continueRun(now()) : nextRun(now(), account.interval_seconds, random());
    await this.#save({
      ...(wasStopped ? {} : { next_run_at: next.toISOString() }),
      ...(isComplete ? { last_run_at: now().toISOString() } : {}),
      ...this.#describeChanges(changes),
      ...{ problem: null, failures: 0, stopped: 0 },
    });
    return { state: isComplete ? 'synced' : 'partial', importId: report.importId, changes };
  }

  async fail(run: RunTarget, error: unknown): Promise<SyncOutcome> {
    const { account, options, report, store } = this.#parts;
    const { now, random, onError } = options;
    await this.#saveImport(run, 'stopped').catch(() => {});
    const changes = report.countChanges();
    if (options.signal.aborted) return { state: 'partial', importId: report.importId, changes };
    const row = await store.write.accounts.find(account.account_id);
    if (row === undefined) return { state: 'removed' };
    const failures = row.failures + 1;
    const described = describeProblem(error, onError);
    const before = row.problem === null ? undefined : (JSON.parse(row.problem) as AccountProblem);
    const problem = { ...described, since: before?.since ?? now().toISOString() };
    const stopped = isStopping(problem.code);
    await this.#save({
      ...{ failures, problem: JSON.stringify(problem), stopped: stopped ? 1 : 0 },
      next_run_at: stopped ? null : retryRun(now(), failures, random()).toISOString(),
      ...this.#describeChanges(changes),
    });
    if (before === undefined || (stopped && row.stopped === 0))
      await createEventLog(store.audit)({ kind: 'sync_failed', detail: account.account }, now());
    return { state: 'failed', problem, stopped };
  }

  /** Describes the changes of the last run that changed something. */
  #describeChanges(changes: RunChanges): AccountChange {
    if (changes.new + changes.changed + changes.removed === 0) return {};
    const { options, report } = this.#parts;
    const at = options.now().toISOString();
    return { last_changes: JSON.stringify({ at, import_id: report.importId ?? null, ...changes }) };
  }

  async #saveImport({ plan, target }: RunTarget, state: 'done' | 'stopped'): Promise<void> {
    const { options, report, store } = this.#parts;
    if (plan === undefined || target === undefined || report.importId === undefined) return;
    const { connectionId } = target.target;
    await addSelf(store.write, connectionId, report.builder.self);
    await report.save(store, plan, target, state, options.now());
    await createEventLog(store.audit)({ kind: 'synced', detail: connectionId }, options.now());
  }

  #save(changes: AccountChange): Promise<void> {
    const { account, lease, store } = this.#parts;
    return store.write.transact(async () => {
      await lease.check();
      await store.write.accounts.update(account.account_id, changes);
    });
  }
}
