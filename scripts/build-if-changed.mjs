import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isBuilt } from './is-built.mjs';

// `npm start`: nobody waits for a build that is there, or wonders what the silence is for while one is made.
const root = join(import.meta.dirname, '..');
if (!isBuilt(root)) {
  process.stdout.write('Building pdpp; this takes up to a minute and is done once.\n');
  const { status } = spawnSync('npm', ['run', '-s', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
}
