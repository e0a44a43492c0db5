import type { SharedAttempts, SharedBuckets } from '../limits/shared-limits.ts';

/** State that the processes of one store share, besides its data. */
export interface SharedState {
  readonly attempts: SharedAttempts;
  readonly buckets: SharedBuckets;
  readonly leases: LeaseStore;
  readonly jobs: JobStore;
  /** Removes attempts and buckets that no limit needs any more, and forgotten uploads. */
  prune(now: Date): Promise<void>;
}

/** Work that one process does at a time. A process that dies loses its leases after a few seconds. */
export interface LeaseStore {
  /**
   * Runs work unless another process, or this one, runs work of the same name: then it returns undefined. The signal says
   * that the lease was lost, which happens when the database cannot be reached for too long.
   */
  tryRun<T>(
    name: string,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined>;
}

/** Returns the name of the lease of the process that runs a job. */
export const jobLease = (jobId: string) => `job ${jobId}`;

export type JobKind = 'upload' | 'removal';

/** A job that any process can show and continue. */
export interface StoredJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly state: string;
  /** JSON for the owner's pages. */
  readonly view: string;
  /** JSON with the data to continue the job. */
  readonly detail: string;
}

export interface JobStore {
  add(job: StoredJob, now: Date): Promise<void>;
  find(id: string): Promise<StoredJob | undefined>;
  /** Lists the jobs of a kind, oldest first. */
  list(kind: JobKind): Promise<StoredJob[]>;
  /** Lists all jobs, oldest first, and whether a process runs them. */
  states(): Promise<(Pick<StoredJob, 'id' | 'kind' | 'state'> & { readonly isHeld: boolean })[]>;
  /** Changes a job if it is in one of these states. Otherwise returns false. */
  change(
    id: string,
    from: readonly string[],
    to: Pick<StoredJob, 'state' | 'view' | 'detail'>,
    now: Date,
  ): Promise<boolean>;
  /** Asks the process that runs a job to stop it. Returns false if the job is in another state. */
  askToStop(id: string, from: readonly string[]): Promise<boolean>;
  /** Saves the progress of a job. Returns whether it goes on, was asked to stop, or is gone. */
  save(
    id: string,
    job: Pick<StoredJob, 'state' | 'view' | 'detail'>,
    now: Date,
  ): Promise<'running' | 'stopping' | 'gone'>;
  /** Removes a job with its files if it is in one of these states. Otherwise returns false. */
  remove(id: string, from: readonly string[]): Promise<boolean>;
  addPart(id: string, file: number, part: number, data: Uint8Array): Promise<void>;
  readParts(id: string, file: number): AsyncIterable<Uint8Array>;
  /** Removes the files of a job. */
  removeParts(id: string): Promise<void>;
}
