import type { Connections } from '../connections.ts';
import { compile, sql } from '../sql.ts';

/** How far the replica is behind the primary. */
export interface ReplicaLag {
  /** Bytes of the primary's log that the replica has not replayed. */
  readonly bytes: number;
  /** Seconds since the last transaction that the replica has replayed; 0 if it has replayed everything. */
  readonly seconds: number;
}

/** Returns how far the replica is behind; `unreachable` if it does not answer, undefined if there is no replica. */
export async function readReplicaLag(
  connections: Connections,
): Promise<ReplicaLag | 'unreachable' | undefined> {
  if (connections.replica === undefined) return;
  if (!connections.replica.isUsable()) return 'unreachable';
  const read = (use: 'calls' | 'replica', statement: ReturnType<typeof sql>) =>
    connections.withConnection(use, 0, (connection) => connection.run(compile(statement)));
  const { rows } = await read('calls', sql`select pg_current_wal_lsn()::text as written`);
  const { written } = rows[0] as { written: string };
  try {
    // A replica that was promoted has no lag.
    const replayed = await read(
      'replica',
      sql`select bytes, case when bytes = 0 then 0 else coalesce(extract(epoch from
            clock_timestamp() - pg_last_xact_replay_timestamp()), 0) end::float8 as seconds
          from (select case when pg_is_in_recovery() then greatest(0, pg_wal_lsn_diff(${written}::pg_lsn,
            pg_last_wal_replay_lsn())) else 0 end::float8 as bytes) behind`,
    );
    return replayed.rows[0] as ReplicaLag;
  } catch {
    return 'unreachable';
  }
}
