import { findCallSignal, throwIfAborted } from '../../../limits/call-context.ts';
import type { Connection, Connections } from '../connections.ts';
import { isConflict } from '../failures.ts';
import { runAlone, runTransaction } from '../run.ts';
import { compile, sql } from '../sql.ts';
import type { Replica } from './replica.ts';
import { withTimeout } from './with-timeout.ts';

/** Numbers that grow with every change of records, declarations and words. */
const VERSIONS = ['seq', 'catalog', 'lexicon'];

/** How long the replica may take to say how far it is. */
const CHECK_TIMEOUT_MS = 500;

type Versions = Map<string, number>;

/** What one call has seen. Later reads of the call see nothing older. */
interface Progress {
  /** What a read must see at least. Undefined if the primary does not answer. */
  readonly needed: Promise<Versions | undefined>;
  /** Once the primary has answered a read, it answers the rest: the replica may be behind what was seen. */
  usesPrimary: boolean;
}

class Behind extends Error {}

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
  /** By the signal that identifies a call, and released with it. */
  const calls = new WeakMap<AbortSignal, Progress>();
  const begin = (): Progress => {
    // Nothing is needed of a replica that is not used.
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
      if (!(error instanceof Behind) && !isConflict(error)) replica.suspend();
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
    throw new Behind();
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
