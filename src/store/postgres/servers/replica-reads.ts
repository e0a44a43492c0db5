import { findCallSignal, throwIfAborted } from '../../../limits/call-context.ts';
import type { Connection, Connections } from '../connections.ts';
import { isConflict } from '../failures.ts';
import { runAlone, runTransaction } from '../run.ts';
import { compile, sql } from '../sql.ts';
import type { Replica } from './replica.ts';
import { withTimeout } from './with-timeout.ts';

/** Numbers that grow with every change of records, declarations and words. */
const VERSIONS = ['seq', 'catalog', 'lexicon'];

/** The time limit for reading the versions of the replica. */
const CHECK_TIMEOUT_MS = 500;

type Versions = Map<string, number>;

/** The versions that one call has read. Later reads of the call must not return older data. */
interface Progress {
  /** The minimum versions that a read requires. Undefined if the primary does not answer. */
  readonly needed: Promise<Versions | undefined>;
  /** After one read on the primary, the call stays there, because the replica may have older data. */
  usesPrimary: boolean;
}

class ReplicaBehind extends Error {}

/** Runs work on the replica, or returns `fallback`. */
export type ReadReplica = <T>(
  work: (connection: Connection) => Promise<T>,
  fallback: () => Promise<T>,
) => Promise<T>;

/**
 * Returns a function that runs reads of an owner on the replica if it has everything that the primary had committed when
 * the call began; else, and whenever the replica fails or takes too long, the primary answers.
 */
export function createReplicaReads(connections: Connections, replica: Replica, ownerId: number): ReadReplica {
  /** Progress by the signal that identifies a call. */
  const calls = new WeakMap<AbortSignal, Progress>();
  const begin = (): Progress => {
    // An unused replica needs no versions.
    if (!replica.isUsable()) return { needed: Promise.resolve(undefined), usesPrimary: true };
    return { needed: readPrimary(connections, ownerId).catch(() => undefined), usesPrimary: false };
  };
  const findProgress = (): Progress => {
    const signal = findCallSignal();
    if (signal === undefined) return begin();
    const progress = calls.get(signal) ?? begin();
    calls.set(signal, progress);
    return progress;
  };

  return async (work, fallback) => {
    const progress = findProgress();
    if (!replica.isUsable()) progress.usesPrimary = true;
    const needed = await progress.needed;
    if (needed === undefined || progress.usesPrimary) return fallback();
    try {
      return await runTransaction(connections, ownerId, 'replica', (connection) =>
        readWhenReached(connection, ownerId, needed, work),
      );
    } catch (error) {
      throwIfAborted();
      progress.usesPrimary = true;
      if (!(error instanceof ReplicaBehind) && !isConflict(error)) replica.suspend();
      return fallback();
    }
  };
}

async function readWhenReached<T>(
  connection: Connection,
  ownerId: number,
  needed: Versions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const reached = toVersions(await withTimeout(CHECK_TIMEOUT_MS, connection.run(selectVersions(ownerId))));
  if ([...needed].some(([name, value]) => (reached.get(name) ?? 0) < value)) {
    await connection.send('rollback');
    throw new ReplicaBehind();
  }
  // The next connection may lead to another replica, which must not show less.
  for (const [name, value] of reached) needed.set(name, Math.max(value, needed.get(name) ?? 0));
  return work(connection);
}

async function readPrimary(connections: Connections, ownerId: number): Promise<Versions> {
  return toVersions(await runAlone(connections, ownerId, selectVersions(ownerId)));
}

function selectVersions(ownerId: number) {
  return compile(
    sql`select name, value from counters where owner_id = ${ownerId} and name = any(${VERSIONS}::text[])`,
  );
}

function toVersions({ rows }: { readonly rows: object[] }): Versions {
  return new Map((rows as { name: string; value: number }[]).map(({ name, value }) => [name, value]));
}
