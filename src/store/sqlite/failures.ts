import { AppError } from '../../errors.ts';
import { diskFull, type Failures, unusable } from '../failures.ts';

export const sqliteFailures: Failures = [
  // Failed writes mean a full disk too: a quota, or a volume that cannot grow.
  [
    /^(SQLITE_FULL|SQLITE_IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|SHMOPEN|SHMSIZE|SHMMAP|\w+_ATOMIC))/,
    diskFull,
  ],
  [
    /^SQLITE_(BUSY|LOCKED)/,
    (cause) =>
      new AppError('busy', 'Another process is writing to the store.', {
        hint: 'Try again.',
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
        'Check the disk and the permissions of the data folder.',
        cause,
      ),
  ],
];
