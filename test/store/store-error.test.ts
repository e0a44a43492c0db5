import '../../src/store/sqlite/sqlite.ts';
import { describe, expect, it } from 'vitest';
import { findStoreError } from '../../src/store/store-error.ts';

describe('errors of the database and the file system', () => {
  it.each([
    ['SQLITE_FULL', 'disk_full'],
    ['SQLITE_IOERR_WRITE', 'disk_full'],
    ['SQLITE_IOERR_SHMSIZE', 'disk_full'],
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['SQLITE_BUSY', 'busy'],
    ['SQLITE_BUSY_RECOVERY', 'busy'],
    ['SQLITE_CORRUPT_VTAB', 'store_unusable'],
    ['SQLITE_NOTADB', 'store_unusable'],
    ['SQLITE_READONLY_DBMOVED', 'store_unusable'],
    ['SQLITE_IOERR_READ', 'store_unusable'],
    ['SQLITE_CANTOPEN', 'store_unusable'],
    ['SQLITE_CONSTRAINT_UNIQUE', undefined],
    ['SQLITE_ERROR', undefined],
    ['ENOENT', undefined],
  ])('takes %s for %s', (code, meaning) => {
    expect(findStoreError(Object.assign(new Error('x'), { code }))?.code).toBe(meaning);
  });
});
