import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { ingestBatch } from '../support/fill-store.ts';
import { type CliResult, runCli, runForEach } from '../support/run-cli.ts';
import { useFolder } from '../support/temp-folder.ts';

const folder = useFolder();
const data = join(folder, 'data');
const results = new Map<string, CliResult>();

const grant = ['grant', 'create', '--client', 'App'];
const table: [code: number, message: RegExp, args: string[]][] = [
  // 2: invalid usage.
  [2, /Unknown command: nope\. Run pdpp help for a list of commands/, ['nope']],
  [2, /Unknown command: qurey\. Did you mean: pdpp query\?/, ['qurey', 'messages']],
  [2, /Unknown command: grant crate\. Did you mean: pdpp grant create --data \S+\?/, ['grant', 'crate']],
  [2, /grant needs a subcommand: pdpp grant create, pdpp grant list, pdpp grant revoke/, ['grant']],
  [2, /Unknown command: __proto__/, ['__proto__']],
  [2, /Unknown option: --surprise\.\nUsage: pdpp connection list/, ['connection', 'list', '--surprise']],
  [2, /Unknown option: --utnil\. Did you mean --until\?/, ['demo', '--utnil', '3']],
  [2, /Unknown option: -x/, ['demo', '-x']],
  [2, /--until needs a value: --until DATE/, ['demo', '--until']],
  [2, /--until needs a value.*--until=-1/, ['demo', '--until', '-1']],
  [2, /--remove takes no value/, ['demo', '--remove=yes']],
  [2, /Unexpected argument: list/, ['demo', 'list']],
  [2, /SHELL must be one of: bash, zsh, fish/, ['completion', 'tcsh']],
  [2, /FILE is missing[\s\S]*Usage: pdpp source add/, ['source', 'add']],
  [2, /--id and --name are required/, ['connection', 'add', 'diary']],
  [2, /A connection id begins/, ['connection', 'add', 'diary', '--id', 'No Spaces', '--name', 'x']],
  [2, /STREAM is missing/, ['ingest', 'mine']],
  [2, /--client and --allow are required/, ['grant', 'create']],
  [2, /--allow must have the form/, [...grant, '--allow', 'mine::']],
  [2, /no field of that name/, [...grant, '--allow', 'mine:entries:nope']],
  [2, /--expires must be a duration/, [...grant, '--allow', 'mine', '--expires', 'soon']],
  [2, /must last at least one hour/, [...grant, '--allow', 'mine', '--expires', '0d']],
  [2, /--since must be a time/, [...grant, '--allow', 'mine', '--since', 'whenever']],
  [2, /cannot be limited in time/, [...grant, '--allow', 'mine:members', '--since', '2026-01-01']],
  [2, /printable characters/, ['grant', 'create', '--client', 'a\u001bb', '--allow', 'mine']],
  [2, /--until must be a day/, ['demo', '--until', '2026-02-31']],
  [2, /ID is missing/, ['grant', 'revoke']],
  [2, /port/, ['serve', '--port', '70000']],
  [2, /must be a number/, ['serve', '--port', 'abc']],
  [2, /--public-url/, ['serve', '--host', '0.0.0.0']],
  [2, /must be an http or https URL/, ['serve', '--public-url', 'ftp://x']],
  [2, /IANA zone/, ['serve', '--time-zone', 'Mars/Olympus']],
  [2, /not valid JSON/, ['source', 'add', join(folder, 'broken.json')]],
  [2, /protocol_version/, ['source', 'add', join(folder, 'empty.json')]],
  // 4: something that was named does not exist.
  [4, /File not found\.\n {2}file: \S+missing\.json/, ['source', 'add', join(folder, 'missing.json')]],
  [4, /File or folder not found\.\n {2}file: \S+missing\.zip/, ['import', join(folder, 'missing.zip')]],
  [4, /no source with that connector key/, ['connection', 'add', 'nope', '--id', 'x', '--name', 'x']],
  [4, /Connection or stream not found/, ['ingest', 'mine', 'nope', '-']],
  [
    4,
    /File not found\.\n {2}file: \S+missing\.ndjson/,
    ['ingest', 'mine', 'entries', join(folder, 'missing.ndjson')],
  ],
  [4, /no connection with that id[\s\S]*mine/, [...grant, '--allow', 'nope']],
  [4, /no stream of that name[\s\S]*entries/, [...grant, '--allow', 'mine:nope']],
  [4, /Folder not found\.\n {2}folder: \S+nowhere/, ['watch', join(folder, 'nowhere')]],
  [4, /no grant with that id/, ['grant', 'revoke', 'grant_nope']],
  // 3: a store that cannot be used.
  [3, /not a folder/, ['connection', 'list', '--data', join(folder, 'broken.json')]],
];

/** A further option would fill the missing argument of these commands. */
const needsNoFolder = (args: readonly string[]) =>
  args.includes('--data') || args.at(-1) === '--until' || args[0] === 'completion';

beforeAll(async () => {
  writeFileSync(join(folder, 'broken.json'), '{"protocol_version":');
  writeFileSync(join(folder, 'empty.json'), '{}');
  const store = await openStore(data);
  await ingestBatch(store, 1);
  store.close();
  await runForEach(table, async ([, , args]) => {
    results.set(args.join(' '), await runCli(needsNoFolder(args) ? args : [...args, '--data', data]));
  });
}, 300_000);

describe('invalid usage', () => {
  it.each(table.map(([code, message, args]) => [args.join(' '), code, message] as const))(
    'pdpp %s ends with %i',
    (args, code, message) => {
      const result = results.get(args);
      expect(result?.err).toMatch(message);
      expect(result?.code).toBe(code);
      expect(result?.out).toBe('');
      expect(result?.err).not.toMatch(/at .+:\d+:\d+|SQLITE|node:internal/);
      expect(result?.err).not.toContain('\u001b');
    },
  );

  it('stores nothing', async () => {
    const store = await openStore(data);
    const count = (name: string) => store.write.raw.prepare(`select count(*) from ${name}`).pluck().get();
    expect([count('grants'), count('sources'), count('connections'), count('records')]).toEqual([
      0, 1, 1, 50,
    ]);
    store.close();
  });
});
