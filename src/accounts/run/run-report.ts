import { beginImport, type ImportState } from '../../import/import-log.ts';
import { type ImportReport, ReportBuilder } from '../../import/import-report.ts';
import type { Store } from '../../store/store.ts';
import type { SyncPlan } from '../sync-source.ts';
import type { OpenTarget } from './open-target.ts';

/** The counts of a run that the account shows. */
export interface RunChanges {
  readonly new: number;
  readonly changed: number;
  readonly removed: number;
  readonly problems: number;
}

/** The report of a run. It becomes an import as soon as a record changes, so that the run can be undone like one. */
export class RunReport {
  readonly builder = new ReportBuilder();
  importId: number | undefined;
  /** The run that the index of kept files names. */
  keptRun: string | undefined;
  readonly #startedAt: Date;
  readonly #about: Pick<ImportReport, 'account' | 'account_id'>;

  constructor(account: { readonly account: string; readonly account_id: string }, startedAt: Date) {
    this.#about = { account: account.account, account_id: account.account_id };
    this.#startedAt = startedAt;
  }

  countChanges(): RunChanges {
    const { streams, problems_total } = this.builder.build();
    const sum = { new: 0, changed: 0, removed: 0, problems: problems_total };
    for (const counts of Object.values(streams))
      for (const name of ['new', 'changed', 'removed'] as const) sum[name] += counts[name] ?? 0;
    return sum;
  }

  hasChanges(): boolean {
    const changes = this.countChanges();
    return changes.new + changes.changed + changes.removed > 0;
  }

  /** Adds the import, as part of the current transaction. Returns a function that removes it again. */
  async begin(store: Store, plan: SyncPlan, target: OpenTarget): Promise<void> {
    this.importId ??= await beginImport(store.write, this.#build(plan, target), this.#startedAt);
  }

  /** Stores what the run has done so far, as part of the current transaction. */
  async save(
    store: Store,
    plan: SyncPlan,
    target: OpenTarget,
    state: ImportState,
    endedAt: Date | undefined,
  ): Promise<void> {
    if (this.importId === undefined) return;
    const report = JSON.stringify(this.#build(plan, target));
    await store.write.imports.update(this.importId, {
      state,
      ended_at: endedAt?.toISOString() ?? null,
      report,
    });
  }

  #build(plan: SyncPlan, { target, added, keyZone }: OpenTarget): ImportReport {
    const files = this.keptRun;
    return {
      format: plan.format,
      title: plan.title,
      connector_key: plan.declaration.connector_key as string,
      connection_id: target.connectionId,
      connection_name: target.name,
      connection: target.outcome,
      ...(target.matchedBy === undefined ? {} : { matched_by: target.matchedBy }),
      ...(target.others.length === 0 ? {} : { other_connections: target.others }),
      ...this.#about,
      key_zone: keyZone,
      files: 0,
      bytes: 0,
      ...this.builder.build(),
      ...(added === undefined && files === undefined ? {} : { added: { ...added, ...(files && { files }) } }),
    };
  }
}
