import { AppError } from '../errors.ts';
import type { Hint } from '../text/hint.ts';

/** Errors of a driver or the file system that are not bugs, by their code. */
export type Failures = readonly (readonly [codes: RegExp, toError: (cause: unknown) => AppError])[];

/** Returns an error that is thrown before anything was changed. */
export function unusable(message: string, hint: Hint, cause?: unknown): AppError {
  return new AppError('store_unusable', message, { hint, cause });
}

export function diskFull(cause: unknown): AppError {
  return new AppError('disk_full', 'The disk is full. Nothing was stored.', {
    hint: 'Free some space on the server, then try again.',
    cause,
  });
}

/** Returns the error to show for a failure; undefined for bugs. */
export function findFailure(failures: Failures, error: unknown): AppError | undefined {
  if (error instanceof AppError || typeof error !== 'object' || error === null || !('code' in error)) return;
  const { code } = error;
  if (typeof code !== 'string') return;
  return failures.find(([codes]) => codes.test(code))?.[1](error);
}
