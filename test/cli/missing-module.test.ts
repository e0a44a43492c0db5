import { describe, expect, it } from 'vitest';
import { findModuleError } from '../../src/cli/run/missing-module.ts';

const missing = Object.assign(new Error("Cannot find module 'better-sqlite3'"), { code: 'MODULE_NOT_FOUND' });

describe('a missing database module', () => {
  it.each([
    ['file:///usr/lib/node_modules/pdpp/dist/src/cli.js', 'Run: npm install --global pdpp.'],
    ['file:///home/ana/pdpp/dist/src/cli.js', 'Run: npm install.'],
  ])('is installed again where %s is', (program, command) => {
    const error = findModuleError(missing, program);
    expect([error?.message, error?.hint]).toEqual([
      'The module better-sqlite3 is not installed for this version of Node.',
      expect.stringContaining(command),
    ]);
  });

  it('is not the reason of other errors', () => {
    expect(findModuleError(new Error('disk full'))).toBeUndefined();
    expect(
      findModuleError(Object.assign(new Error("Cannot find module 'x'"), { code: 'MODULE_NOT_FOUND' })),
    ).toBeUndefined();
  });
});
