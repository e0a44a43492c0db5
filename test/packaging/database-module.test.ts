import { describe, expect, it } from 'vitest';
import { listDatabaseModules } from '../../src/store/sqlite/folder/database-module.ts';

describe('the database module', () => {
  it.each([
    ['20.20.2', 'linux', 'x64', ['better-sqlite3']],
    // Node-API 10 begins with Node 22.14: earlier versions crash when they load the portable module.
    ['22.13.1', 'linux', 'x64', ['better-sqlite3']],
    ['22.14.0', 'linux', 'x64', ['better-sqlite3-portable', 'better-sqlite3']],
    ['24.21.0', 'win32', 'arm64', ['better-sqlite3-portable', 'better-sqlite3']],
    ['26.1.0', 'darwin', 'x64', ['better-sqlite3-portable', 'better-sqlite3']],
    // The portable package contains no module for these, and does not compile one.
    ['24.21.0', 'linux', 'arm', ['better-sqlite3']],
    ['24.21.0', 'freebsd', 'x64', ['better-sqlite3']],
  ])('of Node %s on %s-%s is one of these', (version, platform, arch, expected) => {
    expect(listDatabaseModules(version, platform, arch)).toEqual(expected);
  });
});
