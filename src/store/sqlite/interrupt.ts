import type Database from 'better-sqlite3';
import { type RawBuilder, sql } from 'kysely';
import { NO_TIME } from '../values.ts';

/** Rows whose time is a multiple of this number check for an interrupt. A prime, because dates are multiples of a day. */
const CHECK_MODULUS = 61;
/** Shifts times so that rows without a time check as well. */
const SHIFT = -NO_TIME % CHECK_MODULUS;

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
  return sql`((${t} + ${sql.lit(SHIFT)}) % ${sql.lit(CHECK_MODULUS)} or go_on())`;
}
