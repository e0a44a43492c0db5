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

/** The first block of code under a heading of the page. */
function readBlock(heading: string): string {
  const [, block] = new RegExp(`## ${heading}\n[^]*?\`\`\`\\w*\n([^]*?)\`\`\``).exec(PAGE) ?? [];
  return block ?? '';
}

function findProgram(name: string): string | undefined {
  return ['/usr/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

interface Place {
  readonly folder: string;
  /** The port that the proxy listens on, and that of the server behind it. */
  readonly port: number;
  readonly behind: number;
  readonly certificate: string;
  readonly key: string;
}

/** What the page says, at another name and other ports, with a certificate of our own. */
function settle(text: string, { port, behind, certificate, key }: Place): string {
  return text
    .replaceAll('127.0.0.1:7733', `127.0.0.1:${behind}`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('/etc/ssl/data.example.pem', certificate)
    .replace('/etc/ssl/data.example.key', key)
    .replace(/^data\.example \{/m, `https://localhost:${port} {\n\ttls ${certificate} ${key}`)
    .replaceAll('data.example', 'localhost');
}

function startNginx(program: string, place: Place): ChildProcess {
  const { folder } = place;
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  // Started by root it would work as somebody else, who may not look into the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `${user} daemon off; pid ${folder}/pid; error_log stderr; events {}\nhttp { access_log off; ${temp.join(' ')}\n${settle(readBlock('nginx'), place)}}`,
  );
  return spawn(program, ['-c', file, '-p', folder, '-e', 'stderr'], { stdio: 'inherit' });
}

function startCaddy(program: string, place: Place): ChildProcess {
  const file = join(place.folder, 'Caddyfile');
  const own = '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n';
  writeFileSync(file, `${own}${settle(readBlock('Caddy'), place)}`);
  return run(program, ['run', '--config', file, '--adapter', 'caddyfile'], place);
}

/**
 * The one line that the connect page prints, but without a name: for one that nobody can vouch for, Caddy would make the
 * machine trust a certificate of its own.
 */
function startRecipe(program: string, place: Place): ChildProcess {
  const [recipe] = listRecipes(7733, 'this_computer', (words) => words);
  const line = recipe?.steps.flatMap(({ copy }) => copy ?? [])[0] ?? '';
  const [first, ...words] = settle(line.replace('https://data.example', `:${place.port}`), place).split(' ');
  expect(first).toBe('caddy');
  return run(program, words, place);
}

function run(program: string, words: readonly string[], { folder }: Place): ChildProcess {
  const environment = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return spawn(program, words, { stdio: 'ignore', env: environment });
}

async function choosePlace(): Promise<Place> {
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

/** A server with some data and an owner, as it is started behind a proxy. */
async function startBehind(place: Place, origin: string, ...flags: string[]) {
  const data = join(place.folder, 'data');
  expect((await runCli(['demo', '--data', data])).code).toBe(0);
  const store = await openStore(data);
  await setPassphrase(store.write, PASSPHRASE, async () => true);
  store.close();
  const words = ['serve', '--data', data, '--port', String(place.behind), '--public-url', origin, ...flags];
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

/** Connects as a person with a browser does, and reads. */
async function connectAndRead(place: Place, origin: string): Promise<string> {
  const [browser, config] = [join(place.folder, 'browser'), join(place.folder, 'config')];
  makeFakeBrowser(browser, PASSPHRASE);
  mkdirSync(config);
  const environment = { BROWSER: browser, XDG_CONFIG_HOME: config, NODE_EXTRA_CA_CERTS: place.certificate };
  const ask = (...words: string[]) => runCli(words, { folder: place.folder, environment });
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

function upload({ port, certificate }: Place, path: string, bytes: number): Promise<number> {
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

describe('behind a real proxy, as the page says', () => {
  for (const [name, { program, start, scheme }] of Object.entries(proxies)) {
    // Once `pdpp connect` ended with 1, and nobody has seen why yet: what it says then is printed.
    it.skipIf(program === undefined || findProgram('openssl') === undefined)(
      `an app signs in and reads: ${name}${program === undefined ? ' (not installed here)' : ''}`,
      { retry: 1 },
      async () => {
        const place = await choosePlace();
        const origin = `${scheme}://localhost:${place.port}`;
        const server = await startBehind(place, origin, '--trusted-proxy', '127.0.0.1,::1');
        const proxy = start(program as string, place);
        onTestFinished(() => endProcess(proxy));
        await waitForPort(place.port);
        const answer = JSON.parse(await connectAndRead(place, origin)) as { data: unknown[] };
        expect(answer.data).toHaveLength(3);
        expect(server.printed()).not.toContain('come through a proxy');
        // Larger than a form ever is: the server answers, and not the proxy.
        if (scheme === 'https') {
          expect(await upload(place, '/dashboard/imports', 3_000_000)).toBe(401);
          expect(await upload(place, '/v1/ingest/mine/notes', 3_000_000)).toBe(401);
        }
      },
    );
  }
});
