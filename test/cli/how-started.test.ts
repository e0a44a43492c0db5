import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { findBuild } from '../support/processes/build.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };

it.each([
  ['npm run -s pdpp --', 'npm', ['run', '-s', 'pdpp', '--', 'help', 'demo']],
  [`node ${join('src', 'cli.js')}`, process.execPath, [join('src', 'cli.js'), 'help', 'demo']],
])('in a clone, help speaks of %s', (name, program, args) => {
  const cwd = program === 'npm' ? ROOT : findBuild();
  const out = execFileSync(program, args, { cwd, env, encoding: 'utf8' });
  expect(out).toMatch(
    new RegExp(`^Usage: ${name} demo \\[options\\]\n[\\s\\S]*\nExamples\n {2}${name} demo\n`),
  );
});
