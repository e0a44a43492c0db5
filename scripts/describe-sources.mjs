import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The inputs of a build. */
const SOURCES = [
  'src',
  'dashboard',
  'skills',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** Returns a hash of the names, sizes and times of all inputs. */
export function describeSources(root) {
  const hash = createHash('sha256');
  const add = (path) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    if (found?.isDirectory()) for (const name of readdirSync(join(root, path)).sort()) add(join(path, name));
    else hash.update(`${path} ${found?.size} ${found?.mtimeMs}\n`);
  };
  for (const path of SOURCES) add(path);
  return hash.digest('hex');
}
