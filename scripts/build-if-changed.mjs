import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isBuilt } from './is-built.mjs';

// For `npm start`: builds only if the sources changed.
const root = join(import.meta.dirname, '..');
if (!isBuilt(root)) {
  process.stdout.write('Building pdpp. This takes up to a minute, once.\n');
  const { status } = spawnSync('npm', ['run', '-s', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
}
