import type { Connections } from './connections.ts';
import { runAlone, runTransaction } from './run.ts';
import { createReplicaReads } from './servers/replica-reads.ts';
import { compile, type Sql, type SqlValue, sql } from './sql.ts';
import { Writer } from './writer.ts';

/** Statements of one owner. Texts are encoded and decoded on the way, see text.ts. */
export interface Queries {
  query<Row extends object>(statement: Sql): Promise<Row[]>;
  /** Runs a statement that writes. Returns the number of rows that it changed. */
  run(statement: Sql): Promise<number>;
  /** Inserts rows of the owner, given as one list per column without `owner_id`. */
  copyRows(table: string, columns: Readonly<Record<string, Column>>): Promise<void>;
}

/** The values of a column, one per row, and their type. */
export interface Column {
  readonly type: 'int4' | 'int8' | 'float8' | 'numeric' | 'text' | 'bytea' | 'bool';
  readonly values: readonly Exclude<SqlValue, readonly unknown[]>[];
}

/** The database as one owner sees it. */
export interface PostgresDatabase extends Queries {
  readonly ownerId: number;
  /** Runs several reads in one snapshot: they see the same commits. */
  snapshot<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Runs work as one transaction, or as part of the current one. Transactions of an owner run one after the other. */
  transact<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
}

/** A database whose statements are part of the current transaction, if there is one. */
export interface WriteDatabase extends PostgresDatabase {
  /** See WriteStore. */
  readonly begin: Writer['transact'];
  readonly afterCommit: Writer['afterCommit'];
}

/** The sides of an owner's store. */
export interface Databases {
  /** Reads committed data, also inside of a transaction. */
  readonly reads: PostgresDatabase;
  /** Reads committed data as well, on the replica if it has everything that was committed before the call. */
  readonly replicated: PostgresDatabase;
  readonly writes: WriteDatabase;
}

/** Returns the database of an owner. */
export function openDatabases(connections: Connections, ownerId: number): Databases {
  const writer = new Writer(connections, ownerId);
  const alone = createQueries(ownerId, (statement) => runAlone(connections, ownerId, compile(statement)));
  const joining = createQueries(ownerId, (statement) => writer.run(compile(statement)));
  const snapshot: PostgresDatabase['snapshot'] = (work) =>
    runTransaction(connections, ownerId, 'snapshot', (connection) =>
      work(createQueries(ownerId, (statement) => connection.run(compile(statement)))),
    );
  const transact: PostgresDatabase['transact'] = (work) =>
    writer.isInTransaction() ? work(joining) : writer.transact(() => work(joining));
  const reads: PostgresDatabase = { ...alone, ownerId, snapshot, transact };
  return {
    reads,
    replicated: withReplica(connections, reads),
    writes: {
      ...joining,
      ownerId,
      snapshot: (work) => (writer.isInTransaction() ? work(joining) : snapshot(work)),
      transact,
      begin: (work, begins) => writer.transact(work, begins),
      afterCommit: (work) => writer.afterCommit(work),
    },
  };
}

function withReplica(connections: Connections, reads: PostgresDatabase): PostgresDatabase {
  if (connections.replica === undefined) return reads;
  const { ownerId } = reads;
  const read = createReplicaReads(connections, connections.replica, ownerId);
  return {
    ...reads,
    query: <Row extends object>(statement: Sql) =>
      read(
        async (connection) => (await connection.run(compile(statement))).rows as Row[],
        () => reads.query<Row>(statement),
      ),
    snapshot: (work) =>
      read(
        (connection) => work(createQueries(ownerId, (statement) => connection.run(compile(statement)))),
        () => reads.snapshot(work),
      ),
  };
}

type Run = (statement: Sql) => Promise<{ readonly rows: object[]; readonly count: number }>;

function createQueries(ownerId: number, run: Run): Queries {
  return {
    query: async <Row extends object>(statement: Sql) => (await run(statement)).rows as Row[],
    run: async (statement) => (await run(statement)).count,
    async copyRows(table, columns) {
      const names = Object.keys(columns);
      if (columns[names[0] ?? '']?.values.length === 0) return;
      const lists = Object.values(columns).map(({ type, values }) => sql`${values}::${sql.raw(type)}[]`);
      await run(sql`insert into ${sql.raw(`${table} (owner_id, ${names.join(', ')})`)}
        select ${ownerId}::int4, * from unnest(${sql.join(lists)})`);
    },
  };
}
