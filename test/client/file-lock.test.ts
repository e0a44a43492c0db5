import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withFileLock } from '../../src/client/file-lock.ts';
import { makeFolder } from '../support/temp-folder.ts';

describe('a file lock', () => {
  it('is removed after the work, also after a failure', async () => {
    const file = join(makeFolder(), 'lock');
    await withFileLock(file, async () => expect(existsSync(file)).toBe(true));
    await expect(withFileLock(file, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(existsSync(file)).toBe(false);
  });

  it('is not removed when another process holds it', async () => {
    const file = join(makeFolder(), 'lock');
    await withFileLock(file, async () => {
      // Ours was held for so long that another took it away and has its own.
      writeFileSync(file, `${process.ppid} another`);
    });
    expect(readFileSync(file, 'utf8')).toBe(`${process.ppid} another`);
  });

  it('is taken from a dead holder and from one that never ends', async () => {
    const file = join(makeFolder(), 'lock');
    for (const left of ['999999999 dead', `${process.ppid} stuck`]) {
      writeFileSync(file, left);
      utimesSync(file, new Date(), new Date(left.endsWith('stuck') ? 0 : Date.now()));
      expect(await withFileLock(file, async () => readFileSync(file, 'utf8'))).toContain(`${process.pid} `);
    }
  });
});
