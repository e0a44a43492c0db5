import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const BUILDS = join(ROOT, 'node_modules', '.cache', 'pdpp-test');
const SOURCES = [
  'src',
  'dashboard',
  'skills',
  'test',
  'scripts',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.types.json',
];
const CHILDREN = 'children';
const HOUR = 3_600_000;

/**
 * The folder of a build of the sources as they are now, made once and shared by all test processes. Tests
 * start dozens of processes, and a compiled one starts three times as fast as one that is compiled on the way.
 */
export function findBuild(): string {
  build ??= makeBuild(join(BUILDS, hashSources()));
  return build;
}

/** A file that tests start by itself, such as test/store/open-child.ts, compiled with every source in a file of its own. */
export function findChild(file: string): string {
  return join(findBuild(), CHILDREN, file.replace(/\.ts$/, '.js'));
}

let build: string | undefined;

function makeBuild(folder: string): string {
  if (existsSync(folder)) return folder;
  removeOldBuilds();
  // Two test processes may build at once; the first to be done gives its build the shared name.
  const draft = `${folder}.${process.pid}`;
  const children = join(draft, CHILDREN);
  mkdirSync(children, { recursive: true });
  const run = (script: string, ...args: string[]) =>
    execFileSync(process.execPath, [join(ROOT, script), ...args], { cwd: ROOT, stdio: 'inherit' });
  run('scripts/bundle.mjs', draft);
  run('scripts/copy-assets.mjs', draft);
  const config = join(draft, 'tsconfig.json');
  const include = ['src', 'dashboard', 'test/**/*-child.ts'].map((path) => join(ROOT, path));
  const compilerOptions = {
    noEmit: false,
    outDir: children,
    rootDir: ROOT,
    noCheck: true,
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  writeFileSync(
    config,
    JSON.stringify({ extends: join(ROOT, 'tsconfig.build.json'), compilerOptions, include }),
  );
  run('node_modules/typescript/bin/tsc', '-p', config);
  run('scripts/copy-assets.mjs', children);
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json', '--outDir', join(draft, 'types'));
  cpSync(join(ROOT, 'package.json'), join(draft, 'package.json'));
  // As `npm link` does it: the program under its own name.
  mkdirSync(join(draft, 'bin'));
  symlinkSync('../src/cli.js', join(draft, 'bin', 'pdpp'));
  chmodSync(join(draft, 'src', 'cli.js'), 0o755);
  try {
    renameSync(draft, folder);
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

function hashSources(): string {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    const path = join(ROOT, source);
    const files = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((file) => file.isFile() && !file.name.endsWith('.test.ts'))
          .map((file) => join(file.parentPath, file.name))
          .sort()
      : [path];
    for (const file of files) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex').slice(0, 20);
}

function removeOldBuilds(): void {
  mkdirSync(BUILDS, { recursive: true });
  for (const name of readdirSync(BUILDS)) {
    const folder = join(BUILDS, name);
    const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > HOUR) rmSync(folder, { recursive: true, force: true });
  }
}
