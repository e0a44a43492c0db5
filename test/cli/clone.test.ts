import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../support/temp-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A clone whose program says what it was run from, and how. */
function makeClone() {
  const folder = makeFolder();
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const say = (from: string) => `console.log('${from}', ...process.argv.slice(2));\n`;
  for (const path of ['src', 'dist/src']) mkdirSync(join(folder, path), { recursive: true });
  cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  write('package.json', '{ "type": "module" }');
  write('tsconfig.json', '{}');
  write('src/cli.ts', say('sources'));
  write('dist/src/cli.js', say('build'));
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).trim();
  return {
    remove: (path: string) => rmSync(join(folder, path)),
    write,
    /** As the last step of a build does it. */
    build: () => write('dist/built-from', run('--input-type=module', '-e', PRINT_SOURCES)),
    pdpp: (...words: string[]) => run('scripts/pdpp.mjs', ...words),
    start: () => run('scripts/build-if-changed.mjs'),
  };
}

const PRINT_SOURCES =
  "import { describeSources } from './scripts/describe-sources.mjs'; console.log(describeSources('.'));";

describe('npm run pdpp', () => {
  it('runs the build if it is current, else the sources', () => {
    const { write, remove, build, pdpp } = makeClone();
    expect(pdpp('grant', 'list')).toBe('sources grant list');
    build();
    expect(pdpp('grant', 'list')).toBe('build grant list');
    write('src/cli.ts', "console.log('edited');\n");
    expect(pdpp()).toBe('edited');
    build();
    expect(pdpp()).toBe('build');
    write('src/more.ts', '');
    expect(pdpp()).toBe('edited');
    build();
    remove('src/more.ts');
    expect(pdpp()).toBe('edited');
  });

  it('announces the build before npm start, and builds only changed files', () => {
    const { write, build, start } = makeClone();
    write('package.json', '{ "type": "module", "scripts": { "build": "echo made" } }');
    expect(start()).toMatch(/^Building pdpp\. .*\nmade$/);
    build();
    expect(start()).toBe('');
  });
});
