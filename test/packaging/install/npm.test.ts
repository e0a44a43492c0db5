import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { version } from '../../../src/version.ts';
import { endProcess } from '../../support/processes/end-process.ts';
import { pack } from '../../support/processes/pack.ts';
import { findFreePort, waitForText } from '../../support/run-cli.ts';
import { useFolder } from '../../support/temp-folder.ts';
import { makePrefix, type Prefix } from './prefix.ts';

const PASSPHRASE = 'four words nobody guesses';
const STATEMENT = 'Date,Description,Amount\n2026-01-05,Bakery,-4.20\n2026-01-06,Salary,2500.00\n';
/** PDPP_NODE_VERSIONS=22 tests one of them. */
const versions = (process.env.PDPP_NODE_VERSIONS ?? '20,22,24').split(',');

describe.each(versions)('installed by npm with Node %s', (nodeVersion) => {
  const folder = useFolder();
  let tarball: string;
  let prefix: Prefix;

  beforeAll(async () => {
    tarball = pack(folder);
    prefix = await makePrefix(folder, nodeVersion);
  });

  it.skipIf(nodeVersion === '20')('needs no install script and no compiler', async () => {
    const installed = await prefix.run('npm', ['install', '--global', '--ignore-scripts', tarball]);
    expect([installed.code, installed.err]).toEqual([0, expect.any(String)]);
    for (const command of ['demo', 'doctor', 'verify']) {
      const { code, err } = await prefix.run('pdpp', [command, '--data', join(folder, 'demo')]);
      expect([command, code, err]).toEqual([command, 0, '']);
    }
  });

  it.runIf(nodeVersion === '20')('says in one sentence what is missing if nothing was compiled', async () => {
    const installed = await prefix.run('npm', ['install', '--global', '--ignore-scripts', tarball]);
    expect([installed.code, installed.err]).toEqual([0, expect.any(String)]);
    expect((await prefix.run('pdpp', ['--version'])).out).toBe(`${version}\n`);
    for (const command of ['serve', 'doctor', 'demo']) {
      const { code, err } = await prefix.run('pdpp', [command, '--data', join(folder, 'unused')]);
      expect([command, code, err]).toEqual([
        command,
        3,
        expect.stringMatching(
          /^The module better-sqlite3 is not installed for this version of Node\.\nRun: npm install /,
        ),
      ]);
    }
  });

  it('serves, imports, gives access and answers a call', async () => {
    const installed = await prefix.run('npm', ['install', '--global', tarball]);
    expect([installed.code, installed.err]).toEqual([0, expect.any(String)]);
    const port = await findFreePort();
    const child = spawn('pdpp', ['serve', '--port', String(port)], {
      cwd: prefix.home,
      env: prefix.environment,
    });
    onTestFinished(() => endProcess(child));
    const [, link = ''] = /Open\s+(\S+)/.exec(await waitForText(child, /\nAdd .*\n/)) ?? [];

    const page = await fetch(link);
    expect(page.status).toBe(200);
    const form = new URLSearchParams({ passphrase: PASSPHRASE, again: PASSPHRASE });
    for (const [, name = '', value = ''] of (await page.text()).matchAll(
      /type="hidden" name="(\w+)" value="([^"]*)"/g,
    ))
      form.set(name, value);
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: `http://127.0.0.1:${port}`,
      cookie: page.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; '),
    };
    const set = await fetch(link, { method: 'POST', headers, body: form, redirect: 'manual' });
    expect([set.status, set.headers.get('location')]).toEqual([303, expect.stringContaining('/dashboard')]);

    writeFileSync(join(prefix.home, 'statement.csv'), STATEMENT);
    const imported = await prefix.run('pdpp', ['import', 'statement.csv', '--json']);
    expect([imported.code, imported.err]).toEqual([0, '']);
    const [connection] = JSON.parse((await prefix.run('pdpp', ['connection', 'list', '--json'])).out);
    const granted = await prefix.run('pdpp', [
      ...['grant', 'create', '--client', 'curl', '--allow', connection.connection_id, '--json'],
    ]);
    const { token } = JSON.parse(granted.out) as { token: string };
    const call = await prefix.run('curl', [
      ...['--silent', '--show-error', `http://127.0.0.1:${port}/v1/search?query=bakery`],
      ...['--header', `authorization: Bearer ${token}`],
    ]);
    expect(JSON.parse(call.out)).toMatchObject({
      results: [expect.objectContaining({ connection_id: connection.connection_id })],
    });
    for (const command of [['demo'], ['doctor'], ['verify'], ['backup', 'backups']]) {
      const { code, err } = await prefix.run('pdpp', command);
      expect([command, code, err]).toEqual([command, 0, '']);
    }
  });
});
