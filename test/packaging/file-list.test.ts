import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pack } from '../support/processes/pack.ts';
import { makeFolder } from '../support/temp-folder.ts';

const MAX_BYTES = 6 * 2 ** 20;

describe('the package', () => {
  it('contains these files, no tests, and is below 6 MB', async () => {
    const tarball = pack(makeFolder());
    const paths = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
      .trimEnd()
      .split('\n')
      .map((path) => path.replace(/^package\//, ''));
    // The bundler names and divides the parts.
    const listed = new Set(paths.map((path) => path.replace(/^(dist\/parts\/)[\w-]+\.js$/, '$1*.js')));
    await expect(`${[...listed].sort().join('\n')}\n`).toMatchFileSnapshot('file-list.txt');
    expect(
      paths.filter((path) => /(^|\/)tests?\/|\.test\.|\.map$|\.ts$/.test(path.replace(/\.d\.ts$/, ''))),
    ).toEqual([]);
    expect(statSync(tarball).size).toBeLessThan(MAX_BYTES);
  });
});
