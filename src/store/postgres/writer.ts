import { AsyncLocalStorage } from 'node:async_hooks';
import { disableWhenIdle } from '../../limits/disable-when-idle.ts';
import { Queue } from '../../limits/queue.ts';
import { unusable } from '../failures.ts';
import type { Connection, Connections } from './connections.ts';
import { isRead, runAlone, runTransaction } from './run.ts';
import { compile, type Statement, sql } from './sql.ts';

type Result = ReturnType<Connection['run']>;

interface Transaction {
  /** Runs a statement as part of the transaction. */
  run(statement: Statement): Result;
  isOver: boolean;
  readonly afterCommit: (() => Promise<void>)[];
}

/**
 * The transactions of one owner. They run one after the other: in this process by a queue, so that no waiting
 * transaction holds a connection, and across processes by a lock on a row of the owner. See WriteStore for `transact`
 * and `afterCommit`.
 */
export class Writer {
  readonly #connections: Connections;
  readonly #ownerId: number;
  readonly #queue = new Queue();
  readonly #transactions = new AsyncLocalStorage<Transaction>();
  readonly #keepStorage = disableWhenIdle(this.#transactions);

  constructor(connections: Connections, ownerId: number) {
    this.#connections = connections;
    this.#ownerId = ownerId;
  }

  isInTransaction(): boolean {
    return this.#find() !== undefined;
  }

  /** Runs a statement as part of the current transaction, or alone. */
  run(statement: Statement): Result {
    const transaction = this.#find();
    return transaction === undefined
      ? runAlone(this.#connections, this.#ownerId, statement)
      : transaction.run(statement);
  }

  async transact<T>(work: () => Promise<T>, begins: 'now' | 'first write' = 'now'): Promise<T> {
    if (this.isInTransaction()) throw new Error('A transaction was begun inside another.');
    const afterCommit: (() => Promise<void>)[] = [];
    const result = await this.#keepStorage(() =>
      begins === 'now' ? this.#runNow(work, afterCommit) : this.#runLate(work, afterCommit),
    );
    for (const next of afterCommit) await next();
    return result;
  }

  async afterCommit(work: () => Promise<void>): Promise<void> {
    const transaction = this.#find();
    if (transaction === undefined) await work();
    else transaction.afterCommit.push(work);
  }

  async #runNow<T>(work: () => Promise<T>, afterCommit: Transaction['afterCommit']): Promise<T> {
    return this.#open((connection) =>
      this.#runAs({ run: (statement) => connection.run(statement), isOver: false, afterCommit }, work),
    );
  }

  /** Reads run alone until something is written. Then the transaction is opened, and ends together with the work. */
  async #runLate<T>(work: () => Promise<T>, afterCommit: Transaction['afterCommit']): Promise<T> {
    let opened: Promise<Connection> | undefined;
    let finish: (error?: unknown) => void = () => {};
    let committed: Promise<void> = Promise.resolve();
    const open = () =>
      new Promise<Connection>((resolve, reject) => {
        committed = this.#open(
          (connection) =>
            new Promise<void>((end, fail) => {
              finish = (error) => (error === undefined ? end() : fail(error));
              resolve(connection);
            }),
        );
        committed.catch(reject);
      });
    const run = async (statement: Statement) => {
      if (opened === undefined && isRead(statement))
        return runAlone(this.#connections, this.#ownerId, statement);
      opened ??= open();
      return (await opened).run(statement);
    };
    try {
      const result = await this.#runAs({ run, isOver: false, afterCommit }, work);
      await opened;
      finish();
      await committed;
      return result;
    } catch (error) {
      await opened?.catch(() => {});
      finish(error);
      await committed.catch(() => {});
      throw error;
    }
  }

  async #runAs<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#transactions.run(transaction, work);
    } finally {
      transaction.isOver = true;
    }
  }

  /** Opens a transaction that has the owner's lock. */
  async #open<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const leaveQueue = await this.#queue.enter();
    try {
      return await runTransaction(this.#connections, this.#ownerId, 'write', async (connection) => {
        const { count } = await connection.run(
          compile(
            sql`select value from counters where owner_id = ${this.#ownerId} and name = 'seq' for update`,
          ),
        );
        if (count === 0) throw unusable('The owner of this data was removed.', 'Nothing was stored.');
        return work(connection);
      });
    } finally {
      leaveQueue();
    }
  }

  /** Returns the transaction that the caller runs in, unless it is over. */
  #find(): Transaction | undefined {
    const transaction = this.#transactions.getStore();
    return transaction?.isOver === false ? transaction : undefined;
  }
}
