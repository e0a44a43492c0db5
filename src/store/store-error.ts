import { AppError } from '../errors.ts';
import type { Hint } from '../text/hint.ts';

/** Returns an error that is thrown before anything in the folder was changed. */
export function unusable(message: string, hint: Hint, cause?: unknown): AppError {
  return new AppError('store_unusable', message, { hint, cause });
}

/** Errors of the database or the file system that are not bugs, by the beginning of their code. */
const failures: [codes: RegExp, toError: (cause: unknown) => AppError][] = [
  [
    // Failed writes mean a full disk too: a quota, or a volume that cannot grow.
    /^(SQLITE_FULL|SQLITE_IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|SHMOPEN|SHMSIZE|SHMMAP|\w+_ATOMIC)|ENOSPC|EDQUOT)/,
    (cause) =>
      new AppError('disk_full', 'The disk is full, so this was not done.', {
        hint: 'Free some space on the server, then send the same again.',
        cause,
      }),
  ],
  [
    /^SQLITE_(BUSY|LOCKED)/,
    (cause) =>
      new AppError('busy', 'Another process is writing to the store.', {
        hint: 'Send the same again.',
        cause,
      }),
  ],
  [
    /^SQLITE_(CORRUPT|NOTADB)/,
    (cause) =>
      unusable('The database file is damaged or not a database.', 'Restore it from a backup.', cause),
  ],
  [
    /^SQLITE_READONLY/,
    (cause) =>
      unusable('The data folder cannot be written to.', 'Make it writable, then start again.', cause),
  ],
  [
    /^SQLITE_(CANTOPEN|PERM|IOERR)/,
    (cause) =>
      unusable(
        'The database file cannot be read.',
        'Check the disk and who may read the data folder.',
        cause,
      ),
  ],
];

/** Returns the error to show for a failure of the store; undefined for bugs. Only this file reads the codes of drivers. */
export function findStoreError(error: unknown): AppError | undefined {
  if (error instanceof AppError || typeof error !== 'object' || error === null || !('code' in error)) return;
  const { code } = error;
  if (typeof code !== 'string') return;
  return failures.find(([codes]) => codes.test(code))?.[1](error);
}
