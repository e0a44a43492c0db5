import type Database from 'better-sqlite3';
import { type RawBuilder, sql } from 'kysely';

/** A prime that divides NO_TIME: rows without a time are checked each, others about every six-thousandth. */
const CHECKED_EVERY = 6_361;

let isInterrupted = (): boolean => false;

/** Ends the statements of this thread when the function returns true. A worker has one job at a time. */
export function interruptWhen(check: () => boolean): void {
  isInterrupted = check;
}

/** Thrown inside a statement to end it. */
export class Interrupted extends Error {}

/** Makes `go_on()` known to a connection. SQLite has an interrupt of its own, which better-sqlite3 does not offer. */
export function registerInterrupt(database: Database.Database): void {
  database.function('go_on', { deterministic: false }, () => {
    if (isInterrupted()) throw new Interrupted('The read was interrupted.');
    return 1;
  });
}

/** A condition that holds for every row, and ends the statement when the thread is interrupted. */
export function unlessInterrupted(t: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${t} % ${sql.lit(CHECKED_EVERY)} or go_on())`;
}
