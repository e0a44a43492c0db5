import type { AppError } from '../errors.ts';
import { diskFull, type Failures, findFailure } from './failures.ts';

/**
 * Failures of the file system, and those that an embedded engine adds when it is loaded. Errors of PostgreSQL are
 * converted where they occur, because other network connections have the same codes.
 */
const failures: Failures[number][] = [[/^(ENOSPC|EDQUOT)/, diskFull]];

export function addFailures(more: Failures): void {
  failures.push(...more);
}

/** Returns the error to show for a failure of the store or the file system; undefined for bugs. */
export function findStoreError(error: unknown): AppError | undefined {
  return findFailure(failures, error);
}
