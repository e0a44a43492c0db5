import { join } from 'node:path';
import { isBuilt } from './is-built.mjs';

// For `npm run pdpp`: runs the build if it is up to date, because it starts faster, or else the sources.
const root = join(import.meta.dirname, '..');
const [node, , ...words] = process.argv;

if (isBuilt(root)) {
  process.argv = [node, join(root, 'dist', 'src', 'cli.js'), ...words];
  await import('../dist/src/cli.js');
} else {
  // tsx would look for it in the current folder.
  const settings = ['--tsconfig', join(root, 'tsconfig.json')];
  process.argv = [node, 'tsx', ...settings, join(root, 'src', 'cli.ts'), ...words];
  await import('tsx/cli');
}
