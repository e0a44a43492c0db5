import type Database from 'better-sqlite3';
import { yieldToEventLoop } from '../../limits/yield-to-event-loop.ts';
import { throwIfInterrupted } from './interrupt.ts';
import { cacheStatements } from './sqlite.ts';
import type { BoundStatement } from './template.ts';

/** A statement that hands its rows to the SQL function `visit`, of three numbers, and returns only some of them. */
export type Scan = BoundStatement;

export type Visit = (a: number, b: number, c: number) => void;

/** Runs a scan and yields to the event loop at every row that the statement returns. */
export type ScanRows = (scan: Scan, visit: Visit) => Promise<void>;

/** `visit` and `isScanStep` are true once for this many rows: a few milliseconds of work. */
const STEP_ROWS = 4_096;

/** A condition that is true for some of the rows that `visit` is not called for. */
export const isScanStep = (rowid: string) => `${rowid} % ${STEP_ROWS} = 0`;

const ignore: Visit = () => {};

interface Connection {
  readonly database: Database.Database;
  readonly prepare: (sql: string) => Database.Statement;
  visit: Visit;
}

/**
 * Scans of any length. A running scan has its own connection. On a shared one, all other reads would see its snapshot
 * until it ends. Rows go to a function, because that takes a fifth of the time that returning them does.
 */
export function createScans(open: () => Database.Database): { scanRows: ScanRows; close(): void } {
  const idle: Connection[] = [];
  let isClosed = false;
  const scanRows: ScanRows = async ({ sql, parameters }, visit) => {
    throwIfInterrupted();
    const connection = idle.pop() ?? connect(open());
    connection.visit = visit;
    try {
      for (const _ of connection.prepare(sql).iterate(...parameters)) {
        throwIfInterrupted();
        await yieldToEventLoop();
        if (isClosed) throw new Error('The store was closed during a scan.');
      }
    } finally {
      // What the function has collected may be large, and must not stay with an idle connection.
      connection.visit = ignore;
      if (isClosed || idle.length > 0) connection.database.close();
      else idle.push(connection);
    }
  };
  return {
    scanRows,
    close() {
      isClosed = true;
      for (const { database } of idle) database.close();
    },
  };
}

function connect(database: Database.Database): Connection {
  database.pragma('cache_size = -4000');
  const connection = { database, prepare: cacheStatements(database), visit: ignore };
  let rows = 0;
  database.function('visit', (a: number, b: number, c: number) => {
    connection.visit(a, b, c);
    rows += 1;
    return rows % STEP_ROWS === 0 ? 1 : 0;
  });
  return connection;
}
