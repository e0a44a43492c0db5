import type { SyncRunner } from '../../accounts/run/scheduler.ts';
import type { AppDeps } from '../../app.ts';
import type { WriteEvent } from '../../audit/events.ts';
import type { Config } from '../../config.ts';
import type { UploadRunner } from '../../import/service/upload-job.ts';
import type { Log } from '../../log.ts';
import type { Sample } from '../../metrics/format-metrics.ts';
import type { OwnerList } from '../../store/owners/owner-list.ts';
import type { Store } from '../../store/store.ts';
import type { Hint } from '../../text/hint.ts';

/** An open store, and what its engine needs while a server runs on it. */
export interface ServedEngine {
  readonly store: Store;
  /** Where the data is, for the owner. */
  readonly place: string;
  /** Files in which damage was found. */
  readonly damaged: ReadonlySet<string>;
  readonly uploads: UploadRunner;
  readonly syncs: SyncRunner;
  /** How calls run. */
  readonly calls: Pick<AppDeps, 'readPool' | 'callTimeoutMs' | 'queue' | 'onCall'>;
  /** Checks the store before the first request, and returns findings for the owner. */
  examine(writeEvent: WriteEvent, now: Date): Promise<readonly Hint[]>;
  /** Starts regular work. The returned function ends it. */
  startMaintenance(): Promise<() => Promise<void>>;
  /** Starts checks that take long. The returned function ends them. */
  startChecks(): () => void;
  /** Returns metrics of the process and its database. Absent for an owner who must not see the load of others. */
  readonly measure?: () => Promise<readonly Sample[]>;
  /** Returns the error to show for one that ended the server. */
  explain(error: unknown): unknown;
  close(): Promise<void>;
}

/** The engine of the main owner, which opens the stores of the others. */
export interface MainEngine extends ServedEngine {
  readonly owners: OwnerList;
  /** Other owners whose apps are in memory at a time. */
  readonly maxApps: number;
  /** How long an app stays in memory without a request. */
  readonly idleMs: number;
  /** Limits the time between the last response and the end of the process. Set for a database that may not answer. */
  readonly maxStopMs?: number;
  /** `isFirst` if this process has not opened the store before. Then small files are checked as a whole. */
  openHosted(config: Config, log: Log, isFirst: boolean): Promise<ServedEngine>;
}
