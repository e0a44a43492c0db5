import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeSources } from './describe-sources.mjs';

// `npm run pdpp`: the build where it is one of the sources as they are, which starts several times as fast; else the sources.
const root = join(import.meta.dirname, '..');
const [node, , ...words] = process.argv;

function isBuilt() {
  try {
    return readFileSync(join(root, 'dist', 'built-from'), 'utf8') === describeSources(root);
  } catch {
    return false;
  }
}

if (isBuilt()) {
  process.argv = [node, join(root, 'dist', 'src', 'cli.js'), ...words];
  await import('../dist/src/cli.js');
} else {
  // Named, because it would be looked for in the folder that the call comes from.
  process.argv = [
    node,
    'tsx',
    '--tsconfig',
    join(root, 'tsconfig.json'),
    join(root, 'src', 'cli.ts'),
    ...words,
  ];
  await import('tsx/cli');
}
