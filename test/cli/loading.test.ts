import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findBuild } from '../support/processes/build.ts';
import { endProcess } from '../support/processes/end-process.ts';
import { runTraced } from '../support/processes/run-traced.ts';
import { findFreePort, runCli, startCli, waitForText } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

/** What a command may load: it starts as fast as this is little. Bounds leave room for what a feature adds, not for a package. */
const STORE = ['better-sqlite3', 'bindings', 'file-uri-to-path', 'kysely', 'minisearch', 'zod'];
/** What checks a record that is put back. */
const RECORDS = ['ajv', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse', 'lossless-json'];
const CLIENT = [
  ...['@modelcontextprotocol/client', '@modelcontextprotocol/core'],
  ...['eventsource-parser', 'pkce-challenge', 'zod'],
];

describe('a command loads only the modules it needs', () => {
  it.each([
    ['--help', [], 4, 70],
    ['--version', [], 4, 70],
    ['completion bash', [], 5, 80],
    ['import --help', [], 4, 70],
    ['demo --help', [], 4, 70],
    ['help query', [], 5, 70],
    ['nonsense', ['minisearch'], 6, 160],
    ['import /nowhere', ['zod'], 10, 300],
    ['grant create --client X --allow x', STORE, 26, 880],
    ['grant list', STORE, 26, 880],
    ['grant revoke grant_x', STORE, 26, 880],
    ['connection add x --id x --name x', STORE, 26, 880],
    ['connection list', STORE, 26, 880],
    ['connection rename x y', STORE, 26, 880],
    ['connection remove x', STORE, 26, 880],
    ['import list', STORE, 26, 880],
    ['import undo 1', [...STORE, ...RECORDS], 28, 1_150],
    ['owner token', STORE, 26, 880],
    ['owner reset', STORE, 26, 880],
    ['owner revoke', STORE, 26, 880],
    ['doctor', STORE, 26, 880],
    ['restore /nowhere', STORE, 26, 880],
    ['source add /nowhere', [...STORE, ...RECORDS], 28, 1_150],
    ['ingest x y /nowhere', [...STORE, ...RECORDS], 28, 1_150],
    ['query x', CLIENT, 9, 1_000],
    ['aggregate x', CLIENT, 9, 1_000],
    ['search x', CLIENT, 9, 1_000],
    ['schema', CLIENT, 9, 1_000],
    ['fetch x', CLIENT, 9, 1_000],
    ['connect', CLIENT, 9, 1_000],
    ['disconnect', CLIENT, 9, 1_000],
    ['mcp', [...CLIENT, '@modelcontextprotocol/server'], 10, 1_600],
  ] as const)('%s', async (line, packages, most, mostKilobytes) => {
    const words = line.split(' ');
    const onStore = packages.some((name) => name === 'kysely');
    const look = await runTraced([...words, ...(onStore ? ['--data', join(makeFolder(), 'data')] : [])]);
    expect(look.packages.filter((name) => !(packages as readonly string[]).includes(name))).toEqual([]);
    expect(look.files).toBeLessThanOrEqual(most);
    expect(look.kilobytes).toBeLessThanOrEqual(mostKilobytes);
  });
});

describe('a server', () => {
  it('loads few modules before its first answer', () => {
    const { files, kilobytes, packages } = listStaticImports('src/cli.js', 'parts/serve.js');
    expect(files).toBeLessThanOrEqual(34);
    expect(kilobytes).toBeLessThanOrEqual(1_500);
    // Not the authorization server, the importers, the pages or the protocol library.
    expect(packages).toEqual([
      // Beside them, the database module, whose name depends on the version of Node.
      ...['@hono/node-server', '@orama/stemmers', 'hono', 'jose', 'kysely'],
      ...['minisearch', 'zod'],
    ]);
  });
});

/** What files of the build import at their start, and what those import: all that runs before a late import. */
function listStaticImports(...entries: readonly string[]) {
  const seen = new Set<string>();
  const packages = new Set<string>();
  let kilobytes = 0;
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = readFileSync(path, 'utf8');
    kilobytes += text.length / 1_000;
    for (const [, name] of text.matchAll(/^\/\/ .*?node_modules\/((?:@[^/]+\/)?[^/]+)/gm))
      packages.add(name as string);
    for (const [, target = ''] of text.matchAll(/^(?:import|export) (?:[^"]*? from )?"([^"]+)";$/gm)) {
      if (target.startsWith('.')) visit(join(dirname(path), target));
      else if (!target.startsWith('node:')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target);
    }
  };
  for (const entry of entries) visit(join(findBuild(), entry));
  return { files: seen.size, kilobytes, packages: [...packages].sort() };
}

describe('a command that lists', () => {
  it('does not check every page of the store first, unlike a command that writes', async () => {
    const data = join(makeFolder(), 'data');
    expect((await runCli(['demo', '--data', data])).code).toBe(0);
    damageLastPage(join(data, 'store.sqlite'));
    const run = (...words: string[]) => runCli([...words, '--data', data]);
    expect(await run('grant', 'list')).toMatchObject({ code: 0, out: 'No grants yet.\n' });
    expect(await run('grant', 'create', '--client', 'A', '--allow', 'spotify_nora')).toMatchObject({
      code: 3,
      err: expect.stringContaining('The database file is damaged.'),
    });
  });

  it('and every command beside a server skip that check', async () => {
    const data = join(makeFolder(), 'data');
    expect((await runCli(['demo', '--data', data])).code).toBe(0);
    const server = startCli(['serve', '--data', data, '--port', String(await findFreePort())]);
    onTestFinished(() => endProcess(server));
    await waitForText(server, /\nAdd .*\n/);
    damageLastPage(join(data, 'store.sqlite'));
    const create = () =>
      runCli(['grant', 'create', '--client', 'A', '--allow', 'spotify_nora', '--data', data]);
    expect(await create()).toMatchObject({ code: 0 });
    await endProcess(server);
    expect(await create()).toMatchObject({ code: 3 });
  });
});

/** Of what was stored last, which no list of grants is. */
function damageLastPage(file: string): void {
  const pages = readFileSync(file).length / 4096;
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(4096, 0x5a), 0, 4096, (pages - 1) * 4096);
  closeSync(handle);
}
