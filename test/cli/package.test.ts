import { execFileSync, spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { version } from '../../src/version.ts';
import { environment, install, pack } from '../support/processes/pack.ts';
import { findFreePort, waitForEnd, waitForText } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

describe('the package', () => {
  it('runs from a clean folder by npx and by its path, with all its assets', async () => {
    const tarball = pack(makeFolder());
    const folder = makeFolder();
    const program = install(tarball, folder);
    const elsewhere = makeFolder();
    const run = (command: string, args: string[], cwd: string) =>
      execFileSync(command, args, { cwd, env: environment, encoding: 'utf8' });
    expect(run('npx', ['--no-install', 'pdpp', '--version'], folder)).toBe(`${version}\n`);
    expect(run(program, ['help'], elsewhere)).toContain(`Usage: ${program} COMMAND`);

    expect(run(program, ['demo', '--data', makeFolder()], elsewhere)).toMatch(
      /^Added 4,\d{3} demo records in 10 connections/,
    );

    const port = await findFreePort();
    const data = makeFolder();
    const child = spawn('npx', ['--no-install', 'pdpp', 'serve', '--port', String(port), '--data', data], {
      cwd: folder,
      env: environment,
      detached: true,
    });
    const ended = waitForEnd(child);
    onTestFinished(() => {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    });
    // The greeting and the pages name the command as it works in any folder.
    expect(await waitForText(child, /claude mcp add/)).toContain(`add demo data: ${program} demo`);
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
