import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';

/** Compiled for one version of Node. Since Node 24.19, what its headers compile ends the process. */
const COMPILED = 'better-sqlite3';
/** A later release of the same package, which contains modules for the usual platforms and for Node 22.14 or later. */
const PORTABLE = 'better-sqlite3-portable';

/** Names the database modules that a version of Node can load, the preferred one first. */
export function listDatabaseModules(nodeVersion: string, platform: string, arch: string): readonly string[] {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  // Earlier versions crash when they load the portable module.
  const isRecent = major > 22 || (major === 22 && minor >= 14);
  const isContained = /^(linux|darwin|win32)-(x64|arm64)$/.test(`${platform}-${arch}`);
  return isRecent && isContained ? [PORTABLE, COMPILED] : [COMPILED];
}

/** The class of a database: the module is loaded with this file. */
export const Sqlite: typeof Database = loadDatabase(
  listDatabaseModules(process.versions.node, process.platform, process.arch),
);

function loadDatabase([name = COMPILED, ...others]: readonly string[]): typeof Database {
  const require = createRequire(import.meta.url);
  try {
    require.resolve(name);
  } catch (error) {
    // npm leaves out what does not fit the version of Node that it runs with.
    if (others.length > 0) return loadDatabase(others);
    throw error;
  }
  return require(name) as typeof Database;
}
