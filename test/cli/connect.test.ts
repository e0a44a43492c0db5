import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FIVE_TOOLS } from '../support/mcp-clients.ts';
import { makeProject } from '../support/processes/project.ts';
import { runCli, waitForEnd, waitForText } from '../support/run-cli.ts';
import { useTinyServer } from '../support/servers/use-tiny-server.ts';
import { makeFolder } from '../support/temp-folder.ts';

const at = useTinyServer();

/** No secret that was given out may be seen by anybody. */
function expectNoSecrets(text: string): void {
  expect(at.server.secrets.filter((secret) => text.includes(secret))).toEqual([]);
}

describe('pdpp connect', () => {
  it('signs in with the browser, stores the access and lists the granted data', async () => {
    const project = makeProject();
    const { code, out, err } = await project.run(['connect', at.server.origin.replace('http://', '')]);
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('Approve in the browser') });
    expect(out).toMatch(/^Connected to http:\/\/127\.0\.0\.1:\d+ as 127\.0\.0\.1_\d+/);
    expect(out).toMatch(/It can read \d+ records in \d streams of 1 connection:\n {2}mine +entries \d+/);
    expect(at.server.requests).toContain('registered pdpp CLI native');
    expect(project.opened()).toHaveLength(1);
    expect(project.opened()[0]).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/authorize\?.*code_challenge_method=S256/,
    );
    const [file] = project.connectionFiles() as [string];
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(readFileSync(join(project.config, 'pdpp', '.gitignore'), 'utf8')).toBe('*\n');
    expectNoSecrets(out + err);
  });

  it('prints one JSON value for a script, without a secret', async () => {
    const project = makeProject();
    const { code, out, err } = await project.run([
      'connect',
      `${at.server.origin}/mcp`,
      '--name',
      'mine',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      name: 'mine',
      server: `${at.server.origin}/mcp`,
      tools: FIVE_TOOLS,
      schema: { connectors: [{ connector_key: 'diary' }] },
    });
    expectNoSecrets(out + err);
  });

  it('renews a connection in its folder, and revokes the access that it replaces', async () => {
    const project = makeProject();
    await project.run(['connect', at.server.origin]);
    const [file] = project.connectionFiles() as [string];
    const before = readFileSync(file, 'utf8');
    const below = join(project.folder, 'below');
    mkdirSync(below);
    const again = await project.run(['connect', at.server.origin]);
    expect(again.code).toBe(0);
    expect(project.connectionFiles()).toEqual([file]);
    expect(readFileSync(file, 'utf8')).not.toBe(before);
    expect(at.server.requests.filter((request) => request === 'POST /revoke')).toHaveLength(1);
    expect(existsSync(join(below, '.pdpp'))).toBe(false);
  });

  it('does not give the name of one server to another', async () => {
    const project = makeProject();
    await project.run(['connect', at.server.origin, '--name', 'mine']);
    const other = await project.run(['connect', 'https://other.example', '--name', 'mine']);
    expect(other).toMatchObject({
      code: 2,
      err: expect.stringContaining('Another server already has this name'),
    });
  });

  it('accepts the pasted address of the last page when there is no browser', async () => {
    const project = makeProject();
    const child = project.start(['connect', at.server.origin, '--no-browser']);
    const ended = waitForEnd(child);
    const asked = await waitForText(child, /paste the address/);
    const page = /^ {2}(http\S+)$/m.exec(asked)?.[1] as string;
    // A browser elsewhere gets this far and no further: the port is on the computer of the command.
    const { headers } = await fetch(page, { redirect: 'manual' });
    child.stdin.write('what is this\nhttp://127.0.0.1:1/callback?code=stolen&state=other\n');
    await waitForText(child, /That is not the address[\s\S]+That is not the address/);
    child.stdin.write(`${headers.get('location')}\n`);
    expect(await ended).toMatchObject({ code: 0, out: expect.stringContaining('Connected to') });
    expect(project.opened()).toEqual([]);
    expect(project.connectionFiles()).toHaveLength(1);
  });

  it('prints the page, and still listens, over SSH or without a screen', async () => {
    const project = makeProject();
    const child = project.start(['connect', at.server.origin], {
      BROWSER: '',
      DISPLAY: ':0',
      SSH_CONNECTION: 'a b',
    });
    const ended = waitForEnd(child);
    const asked = await waitForText(child, /Open this page and approve[\s\S]*paste the address/);
    child.stdin.end();
    const response = await fetch(/^ {2}(http\S+)$/m.exec(asked)?.[1] as string);
    expect(await response.text()).toContain('You can close this page');
    expect((await ended).code).toBe(0);
  });

  it('reports that the browser does not start', async () => {
    const project = makeProject();
    const child = project.start(['connect', at.server.origin], { BROWSER: '/does/not/exist' });
    const ended = waitForEnd(child);
    const asked = await waitForText(child, /Open this page and approve[\s\S]*paste the address/);
    await fetch(/^ {2}(http\S+)$/m.exec(asked)?.[1] as string);
    expect((await ended).code).toBe(0);
  });

  it('signs in from another device at the requested polling interval', async () => {
    const project = makeProject();
    at.server.manners.device = ['authorization_pending', 'authorization_pending'];
    const { code, out, err } = await project.run(['connect', at.server.origin, '--device']);
    expect(code).toBe(0);
    expect(err).toMatch(
      /Open this page on any device and enter the code:\n\n {2}http:\S+\/device\n {2}WDJB-MJHT/,
    );
    expect(out).toContain('Connected to');
    expect(at.server.requests.filter((request) => request.startsWith('POST /token'))).toHaveLength(3);
    expect(project.opened()).toEqual([]);
    expectNoSecrets(out + err);
  });

  it.each([
    ['is declined', ['authorization_pending', 'access_denied'], /The owner denied access/],
    ['expires', ['expired_token'], /The code expired/],
    ['fails otherwise', ['invalid_request'], /refused the sign-in/],
  ])('ends with 6 when a device sign-in %s', async (_, device, says) => {
    const project = makeProject();
    at.server.manners.device = [...device];
    const { code, err } = await project.run(['connect', at.server.origin, '--device']);
    expect([code, says.test(err)]).toEqual([6, true]);
    expect(project.connectionFiles()).toEqual([]);
  });

  it('exits with 6 when the owner declines, without printing text of the server', async () => {
    const project = makeProject();
    at.server.manners.answer = ({ state = '', iss = '' }) => ({
      error: 'access_denied',
      error_description: '\u001b[31mno',
      state,
      iss,
    });
    const { code, out, err } = await project.run(['connect', at.server.origin]);
    expect([code, out]).toEqual([6, '']);
    expect(err).toMatch(/The owner denied access\.\n$/);
    expect(err).not.toContain('[31m');
    expect(project.connectionFiles()).toEqual([]);
  });

  it('C-01 opens only web pages, and exits with 6', async () => {
    const project = makeProject();
    at.server.manners.metadata = { authorization_endpoint: 'file:///etc/passwd' };
    const { code, out, err } = await project.run(['connect', at.server.origin]);
    expect([code, out]).toEqual([6, '']);
    expect(err).not.toMatch(/at .+:\d+:\d+|node:internal|passwd/);
    expect(project.opened()).toEqual([]);
    expect(project.connectionFiles()).toEqual([]);
  });

  it('names the address of a server that uses another name of this computer', async () => {
    const project = makeProject();
    const { code, err } = await project.run(['connect', at.server.origin.replace('127.0.0.1', 'localhost')]);
    expect(code).toBe(6);
    expect(err).toContain(`Run: pdpp connect ${at.server.origin}`);
  });

  it('exits with 5 and a hint when the server does not answer', async () => {
    const { code, err } = await makeProject().run(['connect', '127.0.0.1:9']);
    expect(code).toBe(5);
    expect(err).toMatch(/Cannot reach http:\/\/127\.0\.0\.1:9\.\nCheck the address/);
  });

  it('reports an address that is not an MCP server', async () => {
    const other = createServer((_, response) => response.end('<h1>hello</h1>'));
    onTestFinished(() => void other.close());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const project = makeProject();
    const { port } = other.address() as AddressInfo;
    const { code, err } = await project.run(['connect', `127.0.0.1:${port}`]);
    expect([code, err]).toEqual([4, expect.stringMatching(/is not an MCP server\.\nCheck the address/)]);
    expect(readdirSync(project.folder)).toEqual([]);
  });

  it('stores nothing where others could read it', async () => {
    const project = makeProject();
    mkdirSync(project.config);
    writeFileSync(join(project.config, 'pdpp'), 'a file');
    const { code, err } = await project.run(['connect', at.server.origin]);
    expect(code).toBe(3);
    expect(err).toMatch(/config\/pdpp is not a folder/);
    expect(at.server.requests).toEqual([]);
    expect(readdirSync(project.config)).toEqual(['pdpp']);
  });

  it('keeps the access for every folder of the user, or with --folder for one', async () => {
    const project = makeProject();
    const elsewhere = makeFolder();
    expect((await project.run(['connect', at.server.origin])).out).toContain('for all folders');
    const environment = { XDG_CONFIG_HOME: project.config };
    const read = await runCli(['schema', '--json'], { folder: elsewhere, environment });
    expect([read.code, read.err]).toEqual([0, '']);
    // Nothing of the user counts where a folder is named.
    const refused = await runCli(['schema', '--folder', elsewhere], { folder: elsewhere, environment });
    expect(refused.code).toBe(4);
    const own = await project.run(['connect', at.server.origin, '--folder', '.', '--name', 'own']);
    expect(own.out).toContain('for this folder and those below it');
    expect(readdirSync(join(project.folder, '.pdpp', 'client'))).toEqual(['own.json']);
    expect((await project.run(['schema', '--folder', project.folder])).code).toBe(0);
    // The nearer is meant where none is named, and the farther one can still be named.
    const left = await project.run(['disconnect', '--json']);
    expect(JSON.parse(left.out)).toMatchObject({ name: 'own', revoked: true });
    expect(project.connectionFiles()).toHaveLength(1);
  });

  it('uses the access that version 0.1 stored in the folder, and renews it there', async () => {
    const project = makeProject();
    await project.connect(at.server.origin);
    const [file] = project.connectionFiles() as [string];
    const old = join(project.folder, '.pdpp', 'client', basename(file));
    mkdirSync(dirname(old), { recursive: true, mode: 0o700 });
    renameSync(file, old);
    const below = join(project.folder, 'below');
    mkdirSync(below);
    const environment = { XDG_CONFIG_HOME: project.config };
    expect((await runCli(['schema'], { folder: below, environment })).code).toBe(0);
    const again = await project.run(['connect', at.server.origin]);
    expect([again.code, again.out.includes(old)]).toEqual([0, true]);
    expect(project.connectionFiles()).toEqual([]);
  });
});
