import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { runAndLook } from './run-and-look.ts';

/** What a command may load: it starts as fast as this is little. What measures other writing than plain letters is not among it. Bounds leave room for a few more files, not for a package. */
const STORE = ['better-sqlite3', 'bindings', 'file-uri-to-path', 'kysely', 'zod'];
/** What checks a record that is put back. */
const RECORDS = ['ajv', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse', 'lossless-json'];
const CLIENT = ['modelcontextprotocol-client', 'zod'];

describe('a command loads what it needs, and no more', () => {
  it.each([
    ['completion bash', [], 35],
    ['import --help', [], 30],
    ['demo --help', [], 30],
    ['nonsense', [], 30],
    ['import /nowhere', ['zod'], 45],
    ['grant list', STORE, 105],
    ['connection list', STORE, 105],
    ['import list', STORE, 105],
    ['import undo 1', [...STORE, ...RECORDS], 210],
    ['connection rename x y', STORE, 105],
    ['grant revoke grant_x', STORE, 105],
    ['owner token', STORE, 105],
    ['owner reset', STORE, 105],
    ['doctor', STORE, 105],
    ['query x', CLIENT, 70],
    ['aggregate x', CLIENT, 70],
    ['search x', CLIENT, 70],
    ['schema', CLIENT, 70],
    ['fetch x', CLIENT, 70],
    ['connect', CLIENT, 70],
    ['disconnect', CLIENT, 70],
    ['mcp', [...CLIENT, 'modelcontextprotocol-server-stdio'], 65],
  ] as const)('%s', async (line, packages, most) => {
    const words = line.split(' ');
    const onStore = packages.some((name) => name === 'kysely');
    const { packages: loaded, files } = await runAndLook([
      ...words,
      ...(onStore ? ['--data', join(makeFolder(), 'data')] : []),
    ]);
    expect(loaded.filter((name) => !(packages as readonly string[]).includes(name))).toEqual([]);
    expect(files).toBeLessThanOrEqual(most);
  });
});

describe('a command that lists', () => {
  it('does not read every page of the store first, as one that changes something does', async () => {
    const data = join(makeFolder(), 'data');
    expect((await runCli(['demo', '--records', '300', '--data', data])).code).toBe(0);
    damageLastPage(join(data, 'store.sqlite'));
    const run = (...words: string[]) => runCli([...words, '--data', data]);
    expect(await run('grant', 'list')).toMatchObject({ code: 0, out: 'No grants yet.\n' });
    expect(await run('grant', 'create', '--client', 'A', '--allow', 'spotify')).toMatchObject({
      code: 3,
      err: expect.stringContaining('The database file is damaged.'),
    });
  });
});

/** Of what was stored last, which no list of grants is. */
function damageLastPage(file: string): void {
  const pages = readFileSync(file).length / 4096;
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(4096, 0x5a), 0, 4096, (pages - 1) * 4096);
  closeSync(handle);
}
