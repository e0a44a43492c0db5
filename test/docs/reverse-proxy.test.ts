import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listRecipes } from '../../src/guide/reachability.ts';
import { setPassphrase } from '../../src/owner/passphrase.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { endProcess } from '../support/processes/end-process.ts';
import { makeFakeBrowser } from '../support/processes/fake-browser.ts';
import { findFreePort, runCli, startCli, waitForText } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

const PASSPHRASE = 'four words nobody guesses';
const PAGE = readFileSync(new URL('../../docs/reverse-proxy.md', import.meta.url), 'utf8');

/** Returns the first code block below a heading of the page. */
function readBlock(heading: string): string {
  const [, block] = new RegExp(`## ${heading}\n[^]*?\`\`\`\\w*\n([^]*?)\`\`\``).exec(PAGE) ?? [];
  return block ?? '';
}

function findProgram(name: string): string | undefined {
  return ['/usr/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

interface ProxySetup {
  readonly folder: string;
  /** The ports of the proxy and of the server behind it. */
  readonly port: number;
  readonly behind: number;
  readonly certificate: string;
  readonly key: string;
}

/** Replaces host name, ports and certificate of a configuration on the page. */
function adaptConfig(text: string, { port, behind, certificate, key }: ProxySetup): string {
  return text
    .replaceAll('127.0.0.1:7733', `127.0.0.1:${behind}`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('/etc/ssl/data.example.pem', certificate)
    .replace('/etc/ssl/data.example.key', key)
    .replace(/^data\.example \{/m, `https://localhost:${port} {\n\ttls ${certificate} ${key}`)
    .replaceAll('data.example', 'localhost');
}

function startNginx(program: string, setup: ProxySetup): ChildProcess {
  const { folder } = setup;
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  // Started by root, nginx would switch to a user who cannot read the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `${user} daemon off; pid ${folder}/pid; error_log stderr; events {}\nhttp { access_log off; ${temp.join(' ')}\n${adaptConfig(readBlock('nginx'), setup)}}`,
  );
  return spawn(program, ['-c', file, '-p', folder, '-e', 'stderr'], { stdio: 'inherit' });
}

function startCaddy(program: string, setup: ProxySetup): ChildProcess {
  const file = join(setup.folder, 'Caddyfile');
  const own = '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n';
  writeFileSync(file, `${own}${adaptConfig(readBlock('Caddy'), setup)}`);
  return run(program, ['run', '--config', file, '--adapter', 'caddyfile'], setup);
}

/**
 * Runs the command of the connect page without a host name: for an unverifiable name, Caddy would install its own
 * certificate authority on this machine.
 */
function startRecipe(program: string, setup: ProxySetup): ChildProcess {
  const [recipe] = listRecipes(7733, 'this_computer', (words) => words);
  const line = recipe?.steps.flatMap(({ copy }) => copy ?? [])[0] ?? '';
  const [first, ...words] = adaptConfig(line.replace('https://data.example', `:${setup.port}`), setup).split(
    ' ',
  );
  expect(first).toBe('caddy');
  return run(program, words, setup);
}

function run(program: string, words: readonly string[], { folder }: ProxySetup): ChildProcess {
  const environment = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return spawn(program, words, { stdio: 'ignore', env: environment });
}

async function createSetup(): Promise<ProxySetup> {
  const folder = makeFolder();
  const [certificate, key] = [join(folder, 'own.pem'), join(folder, 'own.key')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      certificate,
      ...subject,
    ],
    { stdio: 'ignore' },
  );
  return { folder, certificate, key, port: await findFreePort(), behind: await findFreePort() };
}

/** Starts a server with demo data and a passphrase behind a proxy. */
async function startServer(setup: ProxySetup, origin: string, ...flags: string[]) {
  const data = join(setup.folder, 'data');
  expect((await runCli(['demo', '--data', data])).code).toBe(0);
  const store = await openStore(data);
  await setPassphrase(store.write, PASSPHRASE, async () => true);
  store.close();
  const words = ['serve', '--data', data, '--port', String(setup.behind), '--public-url', origin, ...flags];
  const child = startCli(words);
  onTestFinished(() => endProcess(child));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
  await waitForText(child, /\nAdd .*\n/);
  return { printed: () => printed };
}

/** Waits until the proxy answers. */
async function waitForPort(port: number): Promise<void> {
  await expect
    .poll(
      () =>
        fetch(`http://localhost:${port}/`).then(
          () => true,
          (error) => error.cause?.code !== 'ECONNREFUSED',
        ),
      { timeout: 20_000 },
    )
    .toBe(true);
}

/** Connects as a person with a browser, and reads records. */
async function connectAndRead(setup: ProxySetup, origin: string): Promise<string> {
  const [browser, config] = [join(setup.folder, 'browser'), join(setup.folder, 'config')];
  makeFakeBrowser(browser, PASSPHRASE);
  mkdirSync(config);
  const environment = { BROWSER: browser, XDG_CONFIG_HOME: config, NODE_EXTRA_CA_CERTS: setup.certificate };
  const ask = (...words: string[]) => runCli(words, { folder: setup.folder, environment });
  const connected = await ask('connect', origin);
  if (connected.code !== 0)
    process.stderr.write(`pdpp connect behind a proxy: ${JSON.stringify(connected)}\n`);
  expect(connected).toEqual({
    code: 0,
    out: expect.stringContaining(`Connected to ${origin}`),
    err: expect.any(String),
  });
  return (await ask('query', 'votes', '--limit', '3', '--json')).out;
}

function upload({ port, certificate }: ProxySetup, path: string, bytes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: 'localhost', port, path, method: 'POST', ca: readFileSync(certificate) },
      (answer) => resolve(answer.resume().statusCode ?? 0),
    );
    sent.on('error', reject);
    sent.end(Buffer.alloc(bytes, 'a'));
  });
}

const proxies = {
  nginx: { program: findProgram('nginx'), start: startNginx, scheme: 'https' },
  Caddy: { program: findProgram('caddy'), start: startCaddy, scheme: 'https' },
  'the line of the connect page': { program: findProgram('caddy'), start: startRecipe, scheme: 'http' },
} as const;

describe('behind a real proxy, configured as on the page', () => {
  for (const [name, { program, start, scheme }] of Object.entries(proxies)) {
    // `pdpp connect` once ended with 1 for an unknown reason, so its output is printed then.
    it.skipIf(program === undefined || findProgram('openssl') === undefined)(
      `an app signs in and reads: ${name}${program === undefined ? ' (not installed here)' : ''}`,
      { retry: 1 },
      async () => {
        const setup = await createSetup();
        const origin = `${scheme}://localhost:${setup.port}`;
        const server = await startServer(setup, origin, '--trusted-proxy', '127.0.0.1,::1');
        const proxy = start(program as string, setup);
        onTestFinished(() => endProcess(proxy));
        await waitForPort(setup.port);
        const answer = JSON.parse(await connectAndRead(setup, origin)) as { data: unknown[] };
        expect(answer.data).toHaveLength(3);
        expect(server.printed()).not.toContain('come through a proxy');
        // Larger than any form: the server must answer, not the proxy.
        if (scheme === 'https') {
          expect(await upload(setup, '/dashboard/imports', 3_000_000)).toBe(401);
          expect(await upload(setup, '/v1/ingest/mine/notes', 3_000_000)).toBe(401);
        }
      },
    );
  }
});
