import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { disableWhenIdle } from '../../../limits/disable-when-idle.ts';
import { Queue } from '../../../limits/queue.ts';
import { cacheStatements, createQueries, type Queries } from '../sqlite.ts';
import type { Tables } from '../tables.ts';

/** How long a write waits for another process, such as an import beside a running server. */
const LOCK_TIMEOUT_MS = 5_000;
const MAX_RETRY_PAUSE_MS = 25;

/** Lets one writer of a process in at a time. */
export type WriteQueue = Pick<Queue, 'enter'>;

interface Transaction {
  begun: Promise<void> | undefined;
  leaveQueue: () => void;
  isOver: boolean;
  /** Called with whether it was committed, before the next writer runs. */
  readonly settled: ((stored: boolean) => void)[];
  readonly afterCommit: (() => Promise<void>)[];
}

/**
 * The only connection that writes. Writers wait in a queue, so that no statement becomes part of a transaction of
 * another caller. See WriteStore for `transact` and `afterCommit`.
 */
export class WriteConnection {
  /** Single statements. Inside of `transact` they are part of its transaction. */
  readonly db: Queries<Tables>;
  readonly #raw: Database.Database;
  readonly #queue: WriteQueue;
  readonly #transactions = new AsyncLocalStorage<Transaction>();
  readonly #runTransaction = disableWhenIdle(this.#transactions);
  readonly #prepare: (sql: string) => Database.Statement;
  readonly #syncTransaction: Database.Transaction<(work: (raw: Database.Database) => unknown) => unknown>;

  constructor(raw: Database.Database, queue: WriteQueue = new Queue()) {
    this.#raw = raw;
    this.#queue = queue;
    this.#prepare = cacheStatements(raw);
    this.#syncTransaction = raw.transaction((work) => work(raw));
    const connection: DatabaseConnection = {
      executeQuery: (query) => this.#execute(query),
      streamQuery() {
        throw new Error('The write side does not stream.');
      },
    };
    this.db = createQueries(connection);
  }

  async transact<T>(work: () => Promise<T>, begins: 'now' | 'first write' = 'now'): Promise<T> {
    this.#refuseNesting();
    const transaction: Transaction = {
      begun: undefined,
      leaveQueue: () => {},
      isOver: false,
      settled: [],
      afterCommit: [],
    };
    try {
      if (begins === 'now') await this.#begin(transaction);
      const result = await this.#runTransaction(() => this.#transactions.run(transaction, work));
      await transaction.begun;
      if (transaction.begun !== undefined) this.#prepare('commit').run();
      transaction.isOver = true;
      for (const settled of transaction.settled) settled(true);
      transaction.leaveQueue();
      for (const next of transaction.afterCommit) await next();
      return result;
    } catch (error) {
      if (!transaction.isOver) await this.#rollBack(transaction);
      throw error;
    }
  }

  /** Runs synchronous statements as one transaction. `settled` is called before the next writer runs. */
  async transactSync<T>(
    work: (raw: Database.Database) => T,
    settled: (stored: boolean) => void = () => {},
  ): Promise<T> {
    this.#refuseNesting();
    const leaveQueue = await this.#queue.enter();
    let stored = false;
    try {
      return await waitForLock(() => {
        const result = this.#syncTransaction.immediate(work) as T;
        stored = true;
        return result;
      });
    } finally {
      settled(stored);
      leaveQueue();
    }
  }

  /** Like `transactSync`, or as part of the current transaction. Then `settled` is called when that one ends. */
  async joinSync<T>(work: (raw: Database.Database) => T, settled: (stored: boolean) => void): Promise<T> {
    const transaction = this.#find();
    if (transaction === undefined) return this.transactSync(work, settled);
    await this.#join(transaction);
    transaction.settled.push(settled);
    // A savepoint, because a transaction is under way.
    return this.#syncTransaction(work) as T;
  }

  /** Runs synchronous statements as part of the current transaction. Throws if there is none. */
  withConnection = async <T>(work: (raw: Database.Database) => T): Promise<T> => {
    const transaction = this.#find();
    if (transaction === undefined) throw new Error('There is no current transaction.');
    await this.#join(transaction);
    return work(this.#raw);
  };

  /** Waits for the turn of a writer in another thread. */
  enterQueue(): Promise<() => void> {
    return this.#queue.enter();
  }

  async afterCommit(work: () => Promise<void>): Promise<void> {
    const transaction = this.#find();
    if (transaction === undefined) await work();
    else transaction.afterCommit.push(work);
  }

  /**
   * Checkpoints and truncates the WAL, so that erased data leaves the files. Waits for earlier reads without blocking
   * other writers.
   */
  async truncateLog(timeoutMs = 0): Promise<void> {
    this.#refuseNesting();
    const started = performance.now();
    while (!(await this.#tryTruncateLog()) && performance.now() - started < timeoutMs)
      await sleep(MAX_RETRY_PAUSE_MS);
  }

  async #tryTruncateLog(): Promise<boolean> {
    const leaveQueue = await this.#queue.enter();
    try {
      return this.#raw.pragma('wal_checkpoint(truncate)', { simple: true }) === 0;
    } finally {
      leaveQueue();
    }
  }

  /** Returns the transaction that the caller runs in, unless it is over. */
  #find(): Transaction | undefined {
    const transaction = this.#transactions.getStore();
    return transaction?.isOver === false ? transaction : undefined;
  }

  #refuseNesting(): void {
    // A nested transaction would wait forever for the outer one to end.
    if (this.#find() !== undefined) throw new Error('A transaction was begun inside another.');
  }

  #begin(transaction: Transaction): Promise<void> {
    transaction.begun ??= this.#queue.enter().then(async (leaveQueue) => {
      transaction.leaveQueue = leaveQueue;
      await waitForLock(() => this.#prepare('begin immediate').run());
    });
    return transaction.begun;
  }

  async #join(transaction: Transaction): Promise<void> {
    await this.#begin(transaction);
    // SQLite ends a transaction when the disk is full; later statements must not run outside of it.
    if (transaction.isOver || !this.#raw.inTransaction)
      throw new Error('The transaction of this statement has ended.');
  }

  async #rollBack(transaction: Transaction): Promise<void> {
    const hasBegun = await transaction.begun?.then(
      () => true,
      () => false,
    );
    transaction.isOver = true;
    try {
      if (hasBegun && this.#raw.inTransaction) this.#prepare('rollback').run();
    } finally {
      for (const settled of transaction.settled) settled(false);
      transaction.leaveQueue();
    }
  }

  async #execute(query: CompiledQuery): Promise<QueryResult<never>> {
    const transaction = this.#find();
    if (transaction === undefined || (transaction.begun === undefined && isRead(query)))
      return this.#runAlone(query);
    await this.#join(transaction);
    return this.#run(query);
  }

  async #runAlone(query: CompiledQuery): Promise<QueryResult<never>> {
    // Without a transaction there are no uncommitted rows to read.
    if (isRead(query) && !this.#raw.inTransaction) return this.#run(query);
    const leaveQueue = await this.#queue.enter();
    try {
      return await waitForLock(() => this.#run(query));
    } finally {
      leaveQueue();
    }
  }

  #run(query: CompiledQuery): QueryResult<never> {
    const statement = this.#prepare(query.sql);
    if (statement.reader) return { rows: statement.all(query.parameters) as never[] };
    const { changes, lastInsertRowid } = statement.run(query.parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }
}

function isRead(query: CompiledQuery): boolean {
  return query.query.kind === 'SelectQueryNode';
}

/** Retries while another process is writing. SQLite's own waiting would block the event loop. */
async function waitForLock<T>(attempt: () => T): Promise<T> {
  const started = performance.now();
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() - started > LOCK_TIMEOUT_MS) throw error;
    }
    await sleep(Math.random() * MAX_RETRY_PAUSE_MS);
  }
}

function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY');
}
