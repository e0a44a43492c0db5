import type Database from 'better-sqlite3';
import { type RawBuilder, sql } from 'kysely';
import { NO_TIME } from '../values.ts';

/** One row in this many is checked, chosen by its time. A prime, because dates are multiples of a day. */
const CHECKED_EVERY = 61;
/** Shifts times so that rows without a time are checked. */
const SHIFT = -NO_TIME % CHECKED_EVERY;

let isInterrupted = (): boolean => false;

/** Ends the statements of this thread when the function returns true. A worker has one job at a time. */
export function interruptWhen(check: () => boolean): void {
  isInterrupted = check;
}

/** Thrown inside a statement to end it. */
export class Interrupted extends Error {}

/** Throws if the read was interrupted. Called between statements, and by SQL functions during a statement. */
export function throwIfInterrupted(): void {
  if (isInterrupted()) throw new Interrupted('The read was interrupted.');
}

/** Registers `go_on()` with a connection. SQLite has an interrupt of its own, which better-sqlite3 does not offer. */
export function registerInterrupt(database: Database.Database): void {
  database.function('go_on', { deterministic: false }, () => {
    throwIfInterrupted();
    return 1;
  });
}

/** A condition that holds for every row, and ends the statement when the thread is interrupted. */
export function unlessInterrupted(t: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`((${t} + ${sql.lit(SHIFT)}) % ${sql.lit(CHECKED_EVERY)} or go_on())`;
}
