import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Prints the bill of materials of the program (CycloneDX). npm writes it for a copy of the manifest without development
 * packages: `npm sbom --omit dev` also omits packages that the program and a development package share.
 */
const readJson = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const { devDependencies, scripts, ...manifest } = readJson('package.json');
const lock = readJson('package-lock.json');
const packages = Object.fromEntries(
  Object.entries<{ dev?: boolean }>(lock.packages).filter(([, { dev }]) => dev !== true),
);
delete lock.packages[''].devDependencies;

const outside = mkdtempSync(join(tmpdir(), 'pdpp-sbom-'));
// npm names the program after its folder.
const folder = join(outside, manifest.name);
try {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
} finally {
  rmSync(outside, { recursive: true, force: true });
}
