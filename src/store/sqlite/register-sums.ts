import type Database from 'better-sqlite3';
import { addValue, type ExactSum, readUnits, startSum, writeSum } from '../exact-sum.ts';
import { roundExact, roundNear } from '../round-sum.ts';

/** Adds `exact_sum`, the sum in units as text, and `round_near` and `round_exact`, by which groups are ordered. */
export function registerSums(database: Database.Database): void {
  const near = (sum: number, size: number, divisor: number) => roundNear(sum, size, divisor);
  const exact = (units: string, divisor: number) => roundExact(readUnits(units), divisor);
  database.aggregate('exact_sum', {
    deterministic: true,
    safeIntegers: true,
    start: startSum,
    step: (sum: ExactSum, value: unknown) => addValue(sum, value),
    result: writeSum,
  });
  database.function('round_near', { deterministic: true }, near as (...values: unknown[]) => number | null);
  database.function('round_exact', { deterministic: true }, exact as (...values: unknown[]) => number | null);
}
