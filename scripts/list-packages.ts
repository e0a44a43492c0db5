import { readFileSync } from 'node:fs';
import { writeTable } from './replace-part.ts';

const readJson = (path: string) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));

/** The newest release of each direct dependency, as `npm run releases` found it. */
export type Releases = Readonly<Record<string, { readonly version: string; readonly day: string }>>;

export const RELEASES_FILE = 'scripts/package-releases.json';

/** Returns the names of the packages that the manifest names: those of the program first. */
export function listDirect(): string[] {
  const { dependencies, optionalDependencies, devDependencies } = readJson('package.json');
  return [
    ...Object.keys({ ...dependencies, ...optionalDependencies }).sort(),
    ...Object.keys(devDependencies).sort(),
  ];
}

/** Returns the name under which npm has a package, which the manifest may give another name. */
export function findPublishedName(name: string): string {
  return readJson('package-lock.json').packages[`node_modules/${name}`].name ?? name;
}

/** Returns a table of all direct dependencies with version and licence from the lockfile, and the newest release. */
export function writePackageTable(): string {
  const releases = readJson(RELEASES_FILE) as Releases;
  const { packages } = readJson('package-lock.json');
  const rows = listDirect().map((name) => {
    const { version, license, dev } = packages[`node_modules/${name}`];
    const release = releases[name];
    if (release === undefined) throw new Error(`Run npm run releases: ${name} is missing.`);
    return [
      name,
      dev === true ? 'development' : 'program',
      version,
      license,
      `${release.version}, ${release.day}`,
    ];
  });
  return writeTable([['package', 'part of', 'version', 'licence', 'newest release'], ...rows]);
}
