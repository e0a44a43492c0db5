import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../../../src/version.ts';
import { findBuild } from './build.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const { dependencies, optionalDependencies, files } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
) as {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  files: string[];
};
/** For npm and what it starts: nothing of ours, and no network. */
export const environment = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  TZ: 'UTC',
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
  npm_config_fund: 'false',
};

/** The package as npm makes it, of the build that the other tests use: what is packed is what `files` says. */
export function pack(folder: string): string {
  for (const name of ['package.json', 'README.md', 'CHANGELOG.md', 'PRIVACY.md', 'SECURITY.md', 'LICENSE'])
    cpSync(join(ROOT, name), join(folder, name));
  for (const name of files.filter((file) => file.startsWith('dist/')))
    cpSync(join(findBuild(), name.slice('dist/'.length)), join(folder, name), { recursive: true });
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent'], {
    cwd: folder,
    env: environment,
  });
  return join(folder, `pdpp-${version}.tgz`);
}

/**
 * What `npm install` of the tarball makes, with the dependencies that are at hand in place of the network: those that the
 * package names and no others, so that one it forgot to name is missed.
 */
export function install(tarball: string, folder: string): string {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'pdpp'), { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, 'pdpp')]);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  const { bin } = JSON.parse(readFileSync(join(modules, 'pdpp', 'package.json'), 'utf8'));
  mkdirSync(join(modules, '.bin'));
  symlinkSync(join('..', 'pdpp', bin.pdpp), join(modules, '.bin', 'pdpp'));
  execFileSync('chmod', ['+x', join(modules, 'pdpp', bin.pdpp)]);
  return join(modules, '.bin', 'pdpp');
}
