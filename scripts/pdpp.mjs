import { join } from 'node:path';
import { isBuilt } from './is-built.mjs';

// `npm run pdpp`: the build where it is one of the sources as they are, which starts several times as fast; else the sources.
const root = join(import.meta.dirname, '..');
const [node, , ...words] = process.argv;

if (isBuilt(root)) {
  process.argv = [node, join(root, 'dist', 'src', 'cli.js'), ...words];
  await import('../dist/src/cli.js');
} else {
  // Named, because it would be looked for in the folder that the call comes from.
  const settings = ['--tsconfig', join(root, 'tsconfig.json')];
  process.argv = [node, 'tsx', ...settings, join(root, 'src', 'cli.ts'), ...words];
  await import('tsx/cli');
}
