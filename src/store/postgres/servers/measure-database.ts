import { gauge, type Sample } from '../../../metrics/format-metrics.ts';
import type { Connections } from '../connections.ts';
import { readReplicaLag } from './replica-lag.ts';

/** Returns the state of the pool and of the replica. Does not wait for a database that cannot be reached. */
export async function measureDatabase(connections: Connections): Promise<Sample[]> {
  const { total, idle, waiting } = connections.count();
  return [
    {
      name: 'pdpp_database_connections',
      type: 'gauge',
      help: 'Connections of this process to the database.',
      values: [
        { labels: { state: 'in_use' }, value: total - idle },
        { labels: { state: 'idle' }, value: idle },
      ],
    },
    gauge('pdpp_database_waiting', 'Statements that wait for a connection.', waiting),
    ...(await measureReplica(connections)),
  ];
}

async function measureReplica(connections: Connections): Promise<Sample[]> {
  const lag = await readReplicaLag(connections).catch(() => 'unreachable' as const);
  if (lag === undefined) return [];
  const up = gauge('pdpp_replica_up', 'Whether the replica answers: 1 or 0.', lag === 'unreachable' ? 0 : 1);
  if (lag === 'unreachable') return [up];
  return [
    up,
    gauge('pdpp_replica_lag_bytes', 'Log of the primary that the replica has not replayed.', lag.bytes),
    gauge(
      'pdpp_replica_lag_seconds',
      'Seconds since the last replayed transaction; 0 if none is missing.',
      lag.seconds,
    ),
  ];
}
