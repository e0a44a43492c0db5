import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { version } from '../../src/version.ts';
import { findBuild } from '../support/processes/build.ts';
import { findFreePort, waitForEnd, waitForText } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { dependencies, files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  files: string[];
};
const environment = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TZ: 'UTC' };
const npm = { npm_config_offline: 'true', npm_config_update_notifier: 'false', npm_config_fund: 'false' };

/** The package as npm makes it, of the build that the other tests use: what is packed is what `files` says. */
function pack(folder: string): string {
  for (const name of ['package.json', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE'])
    cpSync(join(ROOT, name), join(folder, name));
  for (const name of files.filter((file) => file.startsWith('dist/')))
    cpSync(join(findBuild(), name.slice('dist/'.length)), join(folder, name), { recursive: true });
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent'], {
    cwd: folder,
    env: { ...environment, ...npm },
  });
  return join(folder, `pdpp-${version}.tgz`);
}

/**
 * What `npm install` of the tarball makes, with the dependencies that are at hand in place of the network: those that the
 * package names and no others, so that one it forgot to name is missed.
 */
function install(tarball: string, folder: string): string {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'pdpp'), { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, 'pdpp')]);
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  const { bin } = JSON.parse(readFileSync(join(modules, 'pdpp', 'package.json'), 'utf8'));
  mkdirSync(join(modules, '.bin'));
  symlinkSync(join('..', 'pdpp', bin.pdpp), join(modules, '.bin', 'pdpp'));
  execFileSync('chmod', ['+x', join(modules, 'pdpp', bin.pdpp)]);
  return join(modules, '.bin', 'pdpp');
}

describe('the package', () => {
  it('runs from a clean folder by npx and by its path, with everything that it shows', async () => {
    const tarball = pack(makeFolder());
    const folder = makeFolder();
    const program = install(tarball, folder);
    const elsewhere = makeFolder();
    const run = (command: string, args: string[], cwd: string) =>
      execFileSync(command, args, { cwd, env: { ...environment, ...npm }, encoding: 'utf8' });
    expect(run('npx', ['--no-install', 'pdpp', '--version'], folder)).toBe(`${version}\n`);
    expect(run(program, ['help'], elsewhere)).toContain(`Usage: ${program} COMMAND`);

    expect(run(program, ['demo', '--data', makeFolder()], elsewhere)).toMatch(
      /^4,\d{3} demo records in 10 connections/,
    );

    const port = await findFreePort();
    const data = makeFolder();
    const child = spawn('npx', ['--no-install', 'pdpp', 'serve', '--port', String(port), '--data', data], {
      cwd: folder,
      env: { ...environment, ...npm },
      detached: true,
    });
    const ended = waitForEnd(child);
    onTestFinished(() => {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    });
    // The greeting and the pages name the command as it works in any folder.
    expect(await waitForText(child, /claude mcp add/)).toContain(`try: ${program} demo`);
    const origin = `http://127.0.0.1:${port}`;
    const get = async (path: string) => {
      const response = await fetch(`${origin}${path}`);
      return { status: response.status, text: await response.text() };
    };
    expect((await get('/llms.txt')).text).toContain(`${program} connect ${origin}`);
    expect((await get('/login')).text).toContain(`${program} owner reset`);
    for (const asset of ['/icon.svg', '/.well-known/agent-skills/pdpp/SKILL.md'])
      expect([asset, (await get(asset)).status]).toEqual([asset, 200]);
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }, 180_000);
});
