import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { disableWhenIdle } from '../../../limits/disable-when-idle.ts';
import { Queue } from '../../../limits/queue.ts';
import { cacheStatements, createQueries, type Queries } from '../sqlite.ts';
import type { Tables } from '../tables.ts';
import { untilFree } from './until-free.ts';

const LOG_PAUSE_MS = 25;

interface Transaction {
  begun: Promise<void> | undefined;
  endTurn: () => void;
  isOver: boolean;
  readonly afterwards: (() => Promise<void>)[];
}

/**
 * The one connection that writes. Writers wait for their turn, so no statement ever becomes part of a transaction that
 * it does not belong to. See WriteStore for `transact` and `afterCommit`.
 */
export class WriteConnection {
  /** Single statements: each alone, or part of the transaction in whose work it is run. */
  readonly db: Queries<Tables>;
  readonly #raw: Database.Database;
  readonly #queue = new Queue();
  readonly #transactions = new AsyncLocalStorage<Transaction>();
  readonly #runTransaction = disableWhenIdle(this.#transactions);
  readonly #prepare: (sql: string) => Database.Statement;
  readonly #frame: Database.Transaction<(work: (raw: Database.Database) => unknown) => unknown>;

  constructor(raw: Database.Database) {
    this.#raw = raw;
    this.#prepare = cacheStatements(raw);
    this.#frame = raw.transaction((work) => work(raw));
    const connection: DatabaseConnection = {
      executeQuery: (query) => this.#execute(query),
      streamQuery() {
        throw new Error('The write side does not stream.');
      },
    };
    this.db = createQueries(connection);
  }

  async transact<T>(work: () => Promise<T>, begins: 'now' | 'first write' = 'now'): Promise<T> {
    this.#refuseInside();
    const transaction: Transaction = { begun: undefined, endTurn: () => {}, isOver: false, afterwards: [] };
    try {
      if (begins === 'now') await this.#begin(transaction);
      const result = await this.#runTransaction(() => this.#transactions.run(transaction, work));
      await transaction.begun;
      if (transaction.begun !== undefined) this.#prepare('commit').run();
      transaction.isOver = true;
      transaction.endTurn();
      for (const next of transaction.afterwards) await next();
      return result;
    } catch (error) {
      if (!transaction.isOver) await this.#rollBack(transaction);
      throw error;
    }
  }

  /**
   * Runs synchronous statements as one transaction. `settled` hears before the next writer's turn whether it was
   * committed.
   */
  async transactSync<T>(
    work: (raw: Database.Database) => T,
    settled: (stored: boolean) => void = () => {},
  ): Promise<T> {
    this.#refuseInside();
    const endTurn = await this.#queue.enter();
    let stored = false;
    try {
      return await untilFree(() => {
        const result = this.#frame.immediate(work) as T;
        stored = true;
        return result;
      });
    } finally {
      settled(stored);
      endTurn();
    }
  }

  /** Runs synchronous statements as part of the present transaction, which must have one. */
  withConnection = async <T>(work: (raw: Database.Database) => T): Promise<T> => {
    const transaction = this.#find();
    if (transaction === undefined) throw new Error('There is no transaction to be part of.');
    await this.#join(transaction);
    return work(this.#raw);
  };

  async afterCommit(work: () => Promise<void>): Promise<void> {
    const transaction = this.#find();
    if (transaction === undefined) await work();
    else transaction.afterwards.push(work);
  }

  /**
   * Writes the log back and empties it, so that erased data leaves the files too. That waits for reads that began
   * earlier, such as a scan; other writers go first meanwhile.
   */
  async truncateLog(patienceMs = 0): Promise<void> {
    this.#refuseInside();
    const started = performance.now();
    while (!(await this.#tryTruncateLog()) && performance.now() - started < patienceMs)
      await sleep(LOG_PAUSE_MS);
  }

  async #tryTruncateLog(): Promise<boolean> {
    const endTurn = await this.#queue.enter();
    try {
      return this.#raw.pragma('wal_checkpoint(truncate)', { simple: true }) === 0;
    } finally {
      endTurn();
    }
  }

  /** The transaction in whose work the caller is. What outlives its transaction belongs to none. */
  #find(): Transaction | undefined {
    const transaction = this.#transactions.getStore();
    return transaction?.isOver === false ? transaction : undefined;
  }

  #refuseInside(): void {
    // Waiting for a turn that comes only after this transaction would never end.
    if (this.#find() !== undefined) throw new Error('A transaction was begun inside another.');
  }

  #begin(transaction: Transaction): Promise<void> {
    transaction.begun ??= this.#queue.enter().then(async (endTurn) => {
      transaction.endTurn = endTurn;
      await untilFree(() => this.#prepare('begin immediate').run());
    });
    return transaction.begun;
  }

  async #join(transaction: Transaction): Promise<void> {
    await this.#begin(transaction);
    // SQLite ends a transaction by itself when the disk is full; later statements must not be stored alone.
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
      transaction.endTurn();
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
    // Outside of every transaction there is nothing uncommitted to be seen.
    if (isRead(query) && !this.#raw.inTransaction) return this.#run(query);
    const endTurn = await this.#queue.enter();
    try {
      return await untilFree(() => this.#run(query));
    } finally {
      endTurn();
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
