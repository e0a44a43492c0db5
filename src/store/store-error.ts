import { AppError } from '../errors.ts';
import type { Hint } from '../text/hint.ts';

/** Nothing in the folder was changed when this is thrown. */
export function unusable(message: string, hint: Hint, cause?: unknown): AppError {
  return new AppError('store_unusable', message, { hint, cause });
}

/** What the database or the file system refuses for reasons outside of us, by the beginning of its code. */
const refusals: [codes: RegExp, refuse: (cause: unknown) => AppError][] = [
  [
    // A write that fails half-way is a full disk in other words: a quota, a volume that cannot grow.
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

/**
 * The typed refusal behind a failure of the store, wherever it came up; nothing for what is a bug of ours. The one
 * place that reads a driver's codes: the doors (HTTP, tools, command line) ask here.
 */
export function findStoreError(error: unknown): AppError | undefined {
  if (error instanceof AppError || typeof error !== 'object' || error === null || !('code' in error)) return;
  const { code } = error;
  if (typeof code !== 'string') return;
  return refusals.find(([codes]) => codes.test(code))?.[1](error);
}
