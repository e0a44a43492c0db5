import { AsyncLocalStorage } from 'node:async_hooks';
import type Database from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { Queue } from '../../limits/queue.ts';
import { cacheStatements, createQueries, type Queries } from './sqlite.ts';
import type { Tables } from './tables.ts';
import { untilFree } from './until-free.ts';
import { whileUsed } from './while-used.ts';

/**
 * The write side: ingest, grants and set-up hold this; nothing that answers an AI app does. There is one connection,
 * so whoever writes waits for its turn: no statement ever lands in a transaction it does not belong to.
 */
export interface WriteStore {
  /** Single statements. Each is an act of its own, or part of the transaction in whose work it is run. */
  readonly db: Queries<Tables>;
  /**
   * Several statements as one act: stored whole when the work is done, not at all when it throws. Belonging follows
   * the calls, so functions and libraries below need not pass anything on. Not to be used inside another.
   * With `first write` the act holds up nobody as long as it only reads, for work that may take its time before.
   */
  transact<T>(work: () => Promise<T>, begins?: 'now' | 'first write'): Promise<T>;
  /**
   * The same for statements by hand, all in one go: the work gets the connection and cannot be interrupted. `settled`
   * hears before anybody else's turn whether it was stored.
   */
  transactAtOnce<T>(work: (raw: Database.Database) => T, settled?: (stored: boolean) => void): Promise<T>;
  /**
   * Runs when the present transaction has been stored, never if it is not; at once where there is none. Whoever is in a
   * transaction need not wait for it: `transact` does.
   */
  afterCommit(work: () => Promise<void>): Promise<void>;
  /** Takes what was erased out of the files too, where the database would keep it for a while. */
  scrub(): Promise<void>;
}

interface Act {
  begun: Promise<void> | undefined;
  endTurn: () => void;
  isOver: boolean;
  readonly afterwards: (() => Promise<void>)[];
}

export function createWriteStore(raw: Database.Database): WriteStore {
  const turns = new Queue();
  const acts = new AsyncLocalStorage<Act>();
  const whileActs = whileUsed(acts);
  const prepare = cacheStatements(raw);
  const [begin, commit, rollback] = ['begin immediate', 'commit', 'rollback'].map((sql) =>
    raw.prepare(sql),
  ) as [Database.Statement, Database.Statement, Database.Statement];
  const frame = raw.transaction((work: (raw: Database.Database) => unknown) => work(raw));

  /** The transaction in whose work the caller is. What outlives its transaction belongs to none. */
  const findAct = (): Act | undefined => {
    const act = acts.getStore();
    return act?.isOver === false ? act : undefined;
  };
  const refuseInside = () => {
    // Waiting for a turn that ends only after this one would be waiting for ever.
    if (findAct() !== undefined) throw new Error('A transaction was begun inside another.');
  };
  const beginAct = (act: Act): Promise<void> => {
    act.begun ??= turns.enter().then(async (endTurn) => {
      act.endTurn = endTurn;
      await untilFree(() => begin.run());
    });
    return act.begun;
  };

  const run = (query: CompiledQuery): QueryResult<never> => {
    const statement = prepare(query.sql);
    if (statement.reader) return { rows: statement.all(query.parameters) as never[] };
    const { changes, lastInsertRowid } = statement.run(query.parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  };
  const runAlone = async (query: CompiledQuery) => {
    // Outside of every transaction there is nothing half-done to be seen.
    if (isRead(query) && !raw.inTransaction) return run(query);
    const endTurn = await turns.enter();
    try {
      return await untilFree(() => run(query));
    } finally {
      endTurn();
    }
  };
  const connection: DatabaseConnection = {
    async executeQuery(query) {
      const act = findAct();
      if (act === undefined || (act.begun === undefined && isRead(query))) return runAlone(query);
      await beginAct(act);
      // SQLite ends a transaction by itself when the disk is full; what comes then must not be stored alone.
      if (act.isOver || !raw.inTransaction) throw new Error('The transaction of this statement has ended.');
      return run(query);
    },
    streamQuery() {
      throw new Error('The write side does not stream.');
    },
  };

  return {
    db: createQueries(connection),
    async transact(work, begins = 'now') {
      refuseInside();
      const act: Act = { begun: undefined, endTurn: () => {}, isOver: false, afterwards: [] };
      try {
        if (begins === 'now') await beginAct(act);
        const result = await whileActs(() => acts.run(act, work));
        await act.begun;
        if (act.begun !== undefined) commit.run();
        act.isOver = true;
        act.endTurn();
        for (const next of act.afterwards) await next();
        return result;
      } catch (error) {
        if (!act.isOver) await undo(act);
        throw error;
      }
    },
    async transactAtOnce(work, settled = () => {}) {
      refuseInside();
      const endTurn = await turns.enter();
      let stored = false;
      try {
        return await untilFree(() => {
          const result = frame.immediate(work) as ReturnType<typeof work>;
          stored = true;
          return result;
        });
      } finally {
        settled(stored);
        endTurn();
      }
    },
    async afterCommit(work) {
      const act = findAct();
      if (act === undefined) await work();
      else act.afterwards.push(work);
    },
    async scrub() {
      refuseInside();
      const endTurn = await turns.enter();
      try {
        raw.pragma('wal_checkpoint(truncate)');
      } finally {
        endTurn();
      }
    },
  };

  async function undo(act: Act): Promise<void> {
    const hasBegun = await act.begun?.then(
      () => true,
      () => false,
    );
    act.isOver = true;
    try {
      if (hasBegun && raw.inTransaction) rollback.run();
    } finally {
      act.endTurn();
    }
  }
}

function isRead(query: CompiledQuery): boolean {
  return query.query.kind === 'SelectQueryNode';
}
