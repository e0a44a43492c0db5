import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { waitForEnd } from '../support/run-cli.ts';
import { readDockerfile } from './read-dockerfile.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { stages, environment } = readDockerfile();
const last = stages.at(-1) ?? [];
const all = stages.flat();
const textsOf = (name: string, from = last) =>
  from.filter((one) => one.name === name).map(({ text }) => text);

describe('the Dockerfile', () => {
  it('builds in one stage and runs in another, each on a named version', () => {
    const images = stages.map(([from]) => from?.text.split(' ')[0] ?? '');
    expect(images).toHaveLength(2);
    for (const image of images) expect(image).toMatch(/^[a-z]+:[\w.-]+$/);
    expect(images.filter((image) => image.endsWith(':latest'))).toEqual([]);
  });

  it('runs as a user without rights, with the data in a volume', () => {
    expect(textsOf('USER')).toEqual(['1000:1000']);
    expect(textsOf('VOLUME')).toEqual(['/data']);
    // No instruction after USER writes into the image.
    const after = last.slice(last.findIndex(({ name }) => name === 'USER') + 1).map(({ name }) => name);
    expect(after.filter((name) => ['RUN', 'COPY', 'ADD'].includes(name))).toEqual([]);
  });

  it('has settings that the program accepts, and no secret', () => {
    expect(loadConfig({}, environment)).toMatchObject({
      dataDirectory: '/data',
      host: '0.0.0.0',
      publicUrl: 'http://127.0.0.1:7733',
    });
    expect(all.filter(({ text }) => /SECRET|PASSWORD|TOKEN/i.test(text))).toEqual([]);
    expect(textsOf('ARG', all)).toEqual([]);
  });

  it('follows the usual rules: COPY, absolute folders, programs as lists, package lists removed', () => {
    expect(textsOf('ADD', all)).toEqual([]);
    for (const folder of textsOf('WORKDIR', all)) expect(folder).toMatch(/^\//);
    for (const text of [...textsOf('ENTRYPOINT'), ...textsOf('CMD')])
      expect(JSON.parse(text)).toBeInstanceOf(Array);
    for (const run of textsOf('RUN', all).filter((text) => text.includes('apt-get'))) {
      expect(run).toContain('--no-install-recommends');
      expect(run).toContain('rm -rf /var/lib/apt/lists/*');
    }
    for (const run of textsOf('RUN', all)) expect(run).not.toMatch(/\bsudo\b|\bcd \/|;/);
  });

  it('copies only files that exist and that .dockerignore lets through', () => {
    const ignored = readFileSync(`${ROOT}.dockerignore`, 'utf8').split('\n');
    const allowed = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    const sources = textsOf('COPY', all)
      .filter((text) => !text.startsWith('--from'))
      .flatMap((text) => text.split(' ').slice(0, -1));
    for (const name of sources.filter((one) => one !== '.')) {
      expect([name, existsSync(`${ROOT}${name}`)]).toEqual([name, true]);
      expect(allowed).toContain(name.split('/')[0]);
    }
    for (const name of allowed.filter((one) => !one.includes('*')))
      expect([name, existsSync(`${ROOT}${name}`)]).toEqual([name, true]);
    expect(ignored).toContain('*');
  });

  it('has shell commands that a shell can parse', () => {
    for (const run of textsOf('RUN', all)) {
      const { status, stderr } = spawnSync('sh', ['-n', '-c', run], { encoding: 'utf8' });
      expect([run, status, stderr]).toEqual([run, 0, '']);
    }
  });
});

describe('the health check of the image', () => {
  /** Runs the check against a server that answers with a status, and returns its exit code and what it asked. */
  async function check(status: number | undefined) {
    const asked: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      asked.push(request);
      response.writeHead(status ?? 500).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    if (status === undefined) await new Promise((resolve) => server.close(resolve));
    const [, file = ''] = /CMD \["node", "\/pdpp\/(.+)"\]$/.exec(textsOf('HEALTHCHECK')[0] ?? '') ?? [];
    const env = { PDPP_PORT: String(port), PDPP_PUBLIC_URL: 'https://data.example' };
    const { code } = await waitForEnd(spawn(process.execPath, [`${ROOT}${file}`], { env }));
    return { code, asked: asked.map(({ url, headers }) => [url, headers.host]) };
  }

  it('asks whether the server is ready, under its public name', async () => {
    expect(await check(200)).toEqual({ code: 0, asked: [['/readyz', 'data.example']] });
  });

  it.each([503, undefined])('fails if the server answers with %s', async (status) => {
    expect((await check(status)).code).toBe(1);
  });
});
