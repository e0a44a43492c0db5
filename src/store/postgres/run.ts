import { bindOwner, type Connection, type Connections, limitWait } from './connections.ts';
import { isLost } from './failures.ts';
import type { Statement } from './sql.ts';

/**
 * How long a transaction may wait for its own process between two statements. A process that is frozen meanwhile delays other
 * writers of the owner for this time.
 */
const IDLE_TIMEOUT_MS = 15_000;
/** How long lost connections are replaced before the caller is told that the database cannot be reached. */
const RETRY_MS = 1_000;

/** `snapshot` reads, `replica` reads on the replica; `write` holds locks until it ends. */
export type TransactionKind = 'snapshot' | 'replica' | 'write';

/**
 * Runs one statement of an owner. A read is sent again if its connection turns out to be gone. A restart of the database ends
 * all idle connections, so the next one may be gone as well; each failure removes one from the pool.
 */
export async function runAlone(
  connections: Connections,
  ownerId: number,
  statement: Statement,
): ReturnType<Connection['run']> {
  const started = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      return await runOnce(connections, ownerId, statement);
    } catch (error) {
      const mayRetry = isRead(statement) && attempt < connections.settings.poolSize;
      if (!mayRetry || !isLost(error) || performance.now() - started > RETRY_MS) throw error;
    }
  }
}

/** Returns whether a statement changes nothing. */
export function isRead({ text }: Statement): boolean {
  return /^\s*select\b/i.test(text);
}

function runOnce(
  connections: Connections,
  ownerId: number,
  statement: Statement,
): ReturnType<Connection['run']> {
  if (connections.settings.pooler === 'transaction')
    return runTransaction(connections, ownerId, 'alone', (connection) => connection.run(statement));
  return connections.withConnection('calls', ownerId, (connection) => connection.run(statement));
}

/** Runs work as one transaction on a connection of its own. */
export function runTransaction<T>(
  connections: Connections,
  ownerId: number,
  kind: TransactionKind | 'alone',
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const use = kind === 'write' ? 'transactions' : kind === 'replica' ? 'replica' : 'calls';
  return connections.withConnection(use, ownerId, async (connection) => {
    const begun = connection.send(beginText(connections, ownerId, kind));
    // A write may wait for a lock for long, but a server that works answers its beginning.
    const [, result] = await Promise.all([limitWait(connections.settings, begun), work(connection)]);
    // PostgreSQL answers a commit with a rollback if a statement has failed, even if the caller caught the error.
    if ((await connection.send('commit')) === 'ROLLBACK')
      throw new Error('The transaction was rolled back, because one of its statements failed.');
    return result;
  });
}

function beginText({ settings }: Connections, ownerId: number, kind: TransactionKind | 'alone'): string {
  const isSnapshot = kind === 'snapshot' || kind === 'replica';
  const begin = isSnapshot ? 'begin isolation level repeatable read, read only' : 'begin';
  const timeoutMs = kind === 'write' ? 0 : settings.statementTimeoutMs;
  const idleLimit = `set local idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`;
  if (settings.pooler === 'transaction') {
    const bound = `${begin}; ${bindOwner(ownerId, timeoutMs, 'transaction')}`;
    // A single statement may write, too.
    return isSnapshot ? bound : `${bound}; ${idleLimit}`;
  }
  return kind === 'write' ? `${begin}; set local statement_timeout = 0; ${idleLimit}` : begin;
}
