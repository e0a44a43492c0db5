import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeSources } from './describe-sources.mjs';

/** Returns whether the build is up to date. */
export function isBuilt(root) {
  try {
    return readFileSync(join(root, 'dist', 'built-from'), 'utf8') === describeSources(root);
  } catch {
    return false;
  }
}
