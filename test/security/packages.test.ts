import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const readJson = (name: string) => JSON.parse(readFileSync(`${ROOT}${name}`, 'utf8'));

interface Locked {
  version?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  resolved?: string;
}

const manifest = readJson('package.json');
const lock = readJson('package-lock.json') as { packages: Record<string, Locked & Record<string, unknown>> };
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');
const named = (name: string) => locked.filter(([path]) => path.endsWith(`node_modules/${name}`));

/** Whether a version is at least another; both are three numbers. */
function isAtLeast(version: string, least: string): boolean {
  const [a = [], b = []] = [version, least].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  const differs = a.findIndex((part, index) => part !== b[index]);
  return differs === -1 || (a[differs] ?? 0) > (b[differs] ?? 0);
}

describe('the installed packages', () => {
  it('C-03 match the manifest, and every package has a digest', () => {
    const { dependencies, optionalDependencies, devDependencies } = lock.packages[''] as Record<
      string,
      unknown
    >;
    expect({ dependencies, optionalDependencies, devDependencies }).toEqual({
      dependencies: manifest.dependencies,
      optionalDependencies: manifest.optionalDependencies,
      devDependencies: manifest.devDependencies,
    });
    const without = locked.filter(([, one]) => one.integrity === undefined && one.resolved !== undefined);
    expect(without.map(([path]) => path)).toEqual([]);
  });

  it('C-03 run install scripts only if the manifest allows it', () => {
    const scripted = locked.filter(([, one]) => one.hasInstallScript === true).map(([path]) => path);
    const names = scripted.map((path) => path.split('node_modules/').at(-1) as string);
    const optional = ['fsevents'];
    const undecided = names.filter((name) => !(name in manifest.allowScripts) && !optional.includes(name));
    expect(undecided).toEqual([]);
    const allowed = Object.entries(manifest.allowScripts).filter(([, allow]) => allow === true);
    expect(allowed.map(([name]) => name)).toEqual(['better-sqlite3']);
  });

  it.each([
    ['@modelcontextprotocol/sdk', '1.26.0'],
    ['@modelcontextprotocol/server', '2.1.0'],
    ['@modelcontextprotocol/client', '2.1.0'],
    ['@modelcontextprotocol/hono', '2.0.1'],
  ])('C-04 has no %s below %s', (name, least) => {
    for (const [path, { version = '0.0.0' }] of named(name)) {
      expect([path, version, isAtLeast(version, least)]).toEqual([path, version, true]);
    }
  });

  it('C-05 are few, and each has its reason in docs/dependencies.md', () => {
    const reasons = readFileSync(`${ROOT}docs/dependencies.md`, 'utf8');
    const direct = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    expect(direct.length).toBeLessThanOrEqual(27);
    for (const name of [...direct, ...Object.keys(manifest.devDependencies)]) expect(reasons).toContain(name);
  });

  it('C-05 have permissive licences', () => {
    const permissive =
      /^(MIT|MIT-0|ISC|0BSD|BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|Zlib|Python-2\.0)$/;
    // "A or B" lets us choose; "A and B" does not.
    const isPermissive = (license: string) =>
      license
        .replaceAll(/[()]/g, '')
        .split(' OR ')
        .some((one) => one.split(' AND ').every((part) => permissive.test(part)));
    const others = locked
      .filter(([, { dev, license }]) => dev !== true && !isPermissive(String(license)))
      .map(([path, { license }]) => [path, license]);
    // Its licence covers its own files only, which we do not change.
    expect(others).toEqual([['node_modules/ical.js', 'MPL-2.0']]);
    expect(isPermissive('GPL-3.0-or-later')).toBe(false);
    expect(isPermissive('MIT AND GPL-3.0-only')).toBe(false);
  });

  it('C-03 include the optional packages of every platform, without which npm ci refuses the lockfile', () => {
    const missing = locked.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies as object)
        .filter((name) => !(`${path}/node_modules/${name}` in lock.packages) && named(name).length === 0)
        .map((name) => [path, name]),
    );
    expect(missing).toEqual([]);
    expect(locked.filter(([, { version }]) => version === undefined)).toEqual([]);
  });

  it('C-03 come from wherever npm is configured to look: the lockfile names no host', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(JSON.stringify(Object.values(lock.packages).map(({ funding, ...one }) => one))).not.toMatch(
      /(https?|git|ssh):\/\//,
    );
  });
});

describe('the published package', () => {
  it('C-06 has only the built program and its documents', () => {
    const json = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT });
    const parsed = JSON.parse(json.toString()) as
      | { files: { path: string }[] }[]
      | Record<string, { files: { path: string }[] }>;
    const files = (Array.isArray(parsed) ? parsed : Object.values(parsed)).flatMap((one) => one.files);
    const top = new Set(files.map(({ path }) => path.split('/')[0]));
    const documents = ['README.md', 'CHANGELOG.md', 'PRIVACY.md', 'SECURITY.md', 'LICENSE'];
    const allowed = ['dist', 'skills', 'package.json', ...documents];
    expect([...top].filter((name) => !allowed.includes(name as string))).toEqual([]);
    expect(files.map(({ path }) => path).filter((path) => /test|\.key|\.sqlite|\.env/.test(path))).toEqual(
      [],
    );
  });
});
