import { DAY_MS, HOUR_MS } from '../../../time/durations.ts';
import type { SharedState } from '../../shared-state.ts';
import type { PostgresDatabase } from '../database.ts';
import { sql } from '../sql.ts';
import { createJobStore } from './jobs.ts';
import { createLeaseStore } from './leases.ts';
import { createSharedAttempts, createSharedBuckets } from './limits.ts';

/** Longer than every rate limit window, and than a token bucket takes to fill. */
const LIMIT_RETENTION_MS = HOUR_MS;
/** An upload without a decision of the owner is discarded after this time. */
const JOB_RETENTION_MS = 7 * DAY_MS;

/** `db` runs each statement outside transactions, so that other processes see changes immediately. */
export function createSharedState(db: PostgresDatabase, secret: Uint8Array): SharedState {
  const owner = db.ownerId;
  return {
    attempts: createSharedAttempts(db, secret),
    buckets: createSharedBuckets(db),
    leases: createLeaseStore(db),
    jobs: createJobStore(db),
    async prune(now) {
      const time = now.getTime();
      const limitsEnd = time - LIMIT_RETENTION_MS;
      await db.run(sql`delete from attempts where owner_id = ${owner} and at < ${limitsEnd}::int8`);
      await db.run(sql`delete from buckets where owner_id = ${owner} and filled_at < ${limitsEnd}::int8`);
      await db.run(
        sql`delete from jobs where owner_id = ${owner} and changed_at < ${time - JOB_RETENTION_MS}::int8`,
      );
    },
  };
}
