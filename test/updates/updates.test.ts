import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isNewer } from '../../src/updates/compare-versions.ts';
import { findNewestVersion } from '../../src/updates/newest-version.ts';
import { version } from '../../src/version.ts';
import { endProcess } from '../support/processes/end-process.ts';
import { findFreePort, runCli, startCli, waitForText } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

const PASSPHRASE = 'four words nobody guesses';

/** A registry that answers every request with one text, and counts them. */
async function startRegistry(text: string, status = 200) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
}

const packument = (newest: string) =>
  JSON.stringify({
    name: 'pdpp',
    'dist-tags': { latest: newest },
    versions: {
      [newest]: { name: 'pdpp', version: newest, dist: { tarball: 'http://127.0.0.1/x', shasum: '0' } },
    },
  });

describe('the newest version', () => {
  it.each([
    ['99.0.0', packument('99.0.0')],
    ['1.2.3-rc.1', '{"version":"1.2.3-rc.1"}'],
    [undefined, '{"version":"1.0.0; rm -rf /"}'],
    [undefined, '{"version":{"a":1}}'],
    [undefined, 'null'],
    [undefined, 'not JSON'],
    [undefined, JSON.stringify({ version: '9.9.9', filler: 'x'.repeat(3_000_000) })],
  ])('is %s in this answer', async (expected, text) => {
    const { url } = await startRegistry(text);
    expect(await findNewestVersion(url)).toBe(expected);
  });

  it('is unknown if the registry refuses or does not exist', async () => {
    expect(await findNewestVersion((await startRegistry('{"version":"9.9.9"}', 500)).url)).toBeUndefined();
    expect(await findNewestVersion('http://127.0.0.1:1/')).toBeUndefined();
  });

  it.each([
    ['0.10.0', '0.9.9', true],
    ['0.2.0', '0.2.0', false],
    ['0.2.0', '0.3.0', false],
    ['1.0.0', '1.0.0-rc.1', true],
    ['1.0.0-rc.1', '1.0.0', false],
    ['1.0.0-rc.1', '0.9.0', true],
  ])('%s is newer than %s: %s', (one, other, expected) => {
    expect(isNewer(one, other)).toBe(expected);
  });
});

describe('pdpp version', () => {
  const run = (url: string, ...words: string[]) =>
    runCli(['version', ...words], { environment: { PDPP_UPDATE_URL: url } });

  it('asks nobody without --check', async () => {
    const { url, asked } = await startRegistry(packument('99.0.0'));
    expect((await run(url)).out).toBe(`${version}\n`);
    expect(asked).toEqual([]);
  });

  it('says whether there is a newer one, and how to update', async () => {
    const { url } = await startRegistry(packument('99.0.0'));
    expect((await run(url, '--check')).out).toContain(
      '99.0.0 is available. To update: npm install --global pdpp@latest',
    );
    const same = await startRegistry(packument(version));
    expect((await run(same.url, '--check')).out).toBe(`pdpp ${version} is the newest version.\n`);
    expect(JSON.parse((await run(url, '--check', '--json')).out)).toMatchObject({
      version,
      newest: '99.0.0',
    });
  });

  it('asks npm where npm is configured to look', async () => {
    const { url, asked } = await startRegistry(packument('98.0.0'));
    const { out } = await runCli(['version', '--check'], {
      environment: { npm_config_registry: url, HOME: makeFolder(), npm_config_cache: makeFolder() },
    });
    expect(out).toContain('98.0.0 is available');
    expect(asked).toEqual(['/pdpp']);
  });

  it('fails with a sentence if nobody answers', async () => {
    const { code, err } = await run('http://127.0.0.1:1/', '--check');
    expect([code, err]).toEqual([5, expect.stringMatching(/^The newest version could not be found\.\n/)]);
  });
});

describe('the settings page', () => {
  it('asks only when the owner presses the button, and shows the answer', async () => {
    const { url, asked } = await startRegistry(packument('99.0.0'));
    const port = await findFreePort();
    const child = startCli(['serve', '--data', makeFolder(), '--port', String(port)], {
      PDPP_UPDATE_URL: url,
    });
    onTestFinished(() => endProcess(child));
    const [, link = ''] = /Open\s+(\S+)/.exec(await waitForText(child, /\nAdd .*\n/)) ?? [];
    const origin = `http://127.0.0.1:${port}`;
    const cookies = new Map<string, string>();
    const send = async (path: string, form?: Record<string, string>) => {
      const response = await fetch(new URL(path, origin), {
        redirect: 'manual',
        headers: { origin, cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
        ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s);
        cookies.set(name, value);
      }
      const text = await response.text();
      const hidden = [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
      return {
        status: response.status,
        text,
        form: Object.fromEntries(hidden.map(([, name, value]) => [name, value])),
      };
    };
    const setup = await send(link);
    await send(link, { ...setup.form, passphrase: PASSPHRASE, again: PASSPHRASE });
    const settings = await send('/dashboard/settings');
    expect([settings.status, settings.text]).toEqual([200, expect.stringContaining('Check for updates')]);
    expect((await send('/dashboard/settings/updates', { csrf: 'wrong' })).status).toBe(403);
    expect(asked).toEqual([]);
    const checked = await send('/dashboard/settings/updates', settings.form);
    expect(checked.text).toContain('Version 99.0.0 is available.');
    expect(asked).toEqual(['/']);
    cookies.clear();
    expect((await send('/dashboard/settings/updates', settings.form)).status).not.toBe(200);
    expect(asked).toEqual(['/']);
  });
});
