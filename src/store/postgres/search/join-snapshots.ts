import { AsyncLocalStorage } from 'node:async_hooks';
import { disableWhenIdle } from '../../../limits/disable-when-idle.ts';
import type { SearchReads } from '../../search-reads.ts';
import type { PostgresDatabase, Queries } from '../database.ts';
import { sql } from '../sql.ts';

/** A database whose reads are part of the current snapshot, if there is one. */
export interface SnapshotDatabase extends PostgresDatabase {
  readonly inSnapshot: SearchReads['inSnapshot'];
  /** Returns the statements of the current snapshot, if there is one. */
  readonly findSnapshot: () => Queries | undefined;
  /** Returns a database whose reads are part of the current snapshot, and run on another database if there is none. */
  readonly orElse: (other: PostgresDatabase) => PostgresDatabase;
}

interface Snapshot {
  readonly queries: Queries;
  isOver: boolean;
}

/** Adds snapshots that last for a whole search: all reads in its asynchronous context see the same commits. */
export function joinSnapshots(database: PostgresDatabase): SnapshotDatabase {
  const snapshots = new AsyncLocalStorage<Snapshot>();
  const keepStorage = disableWhenIdle(snapshots);
  /** A read that outlives its search, because others wait for it too, runs alone. */
  const findSnapshot = () => {
    const snapshot = snapshots.getStore();
    return snapshot?.isOver === false ? snapshot.queries : undefined;
  };
  const run = async <T>(queries: Queries, work: (horizon: number) => Promise<T>): Promise<T> => {
    const snapshot = { queries, isOver: false };
    try {
      return await snapshots.run(snapshot, async () => {
        const [row] = await queries.query<{ value: number }>(
          sql`select value from counters where owner_id = ${database.ownerId} and name = 'seq'`,
        );
        return work(row?.value ?? 0);
      });
    } finally {
      snapshot.isOver = true;
    }
  };
  const join = (other: PostgresDatabase): PostgresDatabase => ({
    ...other,
    query: (statement) => (findSnapshot() ?? other).query(statement),
    snapshot(work) {
      const queries = findSnapshot();
      return queries === undefined ? other.snapshot(work) : work(queries);
    },
  });
  return {
    ...join(database),
    findSnapshot,
    orElse: join,
    inSnapshot: (work) => keepStorage(() => database.snapshot((queries) => run(queries, work))),
  };
}
