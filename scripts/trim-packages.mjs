import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { listExternal } from './bundled-packages.mjs';

/**
 * Removes from node_modules what the built program never loads, for the container image. The argument is the folder of
 * the package, or one in which it is installed. Nothing outside that folder is changed.
 */
const root = resolve(process.argv[2] ?? '.');
const modules = join(root, 'node_modules');
const home = existsSync(join(modules, 'pdpp')) ? join(modules, 'pdpp') : root;

/** The database module for other versions of Node than that of the image. */
const UNUSED = ['better-sqlite3'];

const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Finds a package as Node does: in the nearest node_modules above the package that imports it. */
function findPackage(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (folder === root || folder === dirname(folder)) return undefined;
  }
}

/** Returns the folders of the packages that are loaded, directly or by others. */
function listUsed() {
  const used = new Set();
  const add = (name, from) => {
    const folder = UNUSED.includes(name) ? undefined : findPackage(name, from);
    if (folder === undefined || used.has(folder)) return;
    used.add(folder);
    const { dependencies, optionalDependencies, peerDependencies } = readManifest(folder);
    for (const one of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      add(one, folder);
  };
  for (const name of listExternal(readManifest(home))) add(name, home);
  return used;
}

/** Lists the packages in a node_modules folder; those with a scope are one level deeper. */
function listPackages(folder) {
  return readdirSync(folder).flatMap((name) => {
    if (name.startsWith('.')) return [];
    const path = join(folder, name);
    return name.startsWith('@') ? readdirSync(path).map((one) => join(path, one)) : [path];
  });
}

const remove = (path) => rmSync(path, { recursive: true, force: true });

const used = listUsed();
for (const folder of listPackages(modules)) if (!used.has(folder) && folder !== home) remove(folder);
for (const name of ['.bin', '.package-lock.json']) remove(join(modules, name));

// Types, source maps and sources to compile.
for (const folder of used)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (/\.map$|\.d\.[cm]?ts$/.test(name)) remove(join(folder, name));
// The database modules of other platforms.
const prebuilds = join(modules, 'better-sqlite3-portable', 'prebuilds');
for (const name of readdirSync(prebuilds))
  if (!name.startsWith(`${process.platform}-${process.arch}`)) remove(join(prebuilds, name));
for (const name of ['deps', 'src']) remove(join(modules, 'better-sqlite3-portable', name));
