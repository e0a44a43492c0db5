import { describe, expect, it } from 'vitest';
import { commands, groups } from '../../src/cli/table/commands.ts';
import { formats } from '../../src/cli/table/option.ts';
import { importers } from '../../src/sources/importers.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { version } from '../../src/version.ts';
import { runTraced } from '../support/processes/run-traced.ts';
import { runCli } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

describe('pdpp help', () => {
  it('is the same for every spelling, and loads only the command table', async () => {
    const [bare, short, long, word] = await Promise.all([
      runTraced([]),
      runTraced(['-h']),
      runTraced(['--help']),
      runTraced(['help']),
    ]);
    for (const one of [bare, short, long, word]) {
      expect([one.code, one.err, one.out]).toEqual([0, '', bare.out]);
      expect(one.packages).toEqual([]);
      expect(one.files).toBeLessThan(30);
    }
    const lines = bare.out.split('\n');
    for (const { title } of groups) expect(lines).toContain(title);
    for (const { name, summary } of commands)
      expect(lines.filter((line) => line.startsWith(`  ${name} `) && line.endsWith(summary))).toHaveLength(1);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(90);
    expect(bare.out).toContain('Examples\n  pdpp serve\n');
  });

  it('lists the arguments and options of a command, with examples', async () => {
    const [word, option, short, group] = await Promise.all([
      runTraced(['help', 'query']),
      runTraced(['query', '--help']),
      runTraced(['query', 'messages', '-h']),
      runTraced(['grant', '--help']),
    ]);
    expect([word.code, option.code, short.code]).toEqual([0, 0, 0]);
    expect([option.out, short.out]).toEqual([word.out, word.out]);
    expect(word.out).toMatch(
      /^Usage: pdpp query STREAM \[options\]\n\nList the records of a stream, newest first\.\n/,
    );
    expect(word.out).toMatch(/^ {2}--limit N +Records per page/m);
    expect(word.out).toMatch(/^Examples\n {2}pdpp query transactions /m);
    expect(option.packages).toEqual([]);
    expect(group.out).toMatch(/^ {2}grant create .+\n {2}grant list .+\n {2}grant revoke .+\n$/);
  });

  it('lists the arguments and subcommands of a command', async () => {
    const { code, out } = await runCli(['help', 'import']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: pdpp import PATH \.\.\. \[options\]\n/);
    expect(out).toMatch(/^ {2}--dry-run +Show what would be imported/m);
    expect(out).toMatch(/^See also\n {2}import list .+\n {2}import undo .+\n$/m);
    expect((await runCli(['import', '--help'])).out).toMatch(/^ {2}--dry-run /m);
  });

  it('names an unknown word also with --help', async () => {
    const { code, err } = await runCli(['help', 'serach']);
    expect([code, err]).toEqual([2, expect.stringContaining('Did you mean: pdpp search?')]);
  });

  it('has examples and texts for every command, and knows every format', () => {
    for (const { name, parameters, summary, examples, options } of commands) {
      expect([name, examples.length > 0, summary.length > 10]).toEqual([name, true, true]);
      for (const example of examples) expect(example.startsWith(name)).toBe(true);
      for (const option of Object.values(options))
        expect([name, option.type === 'string']).toEqual([name, option.placeholder !== undefined]);
      expect(parameters).toMatch(/^(\[?[A-Z]+( \.\.\.)?\]?( |$))*$/);
    }
    expect([...formats].sort()).toEqual(importers.map(({ format }) => format).sort());
  });
});

describe('a command', () => {
  it('prints its version without loading anything', async () => {
    const [long, short] = await Promise.all([runTraced(['--version']), runTraced(['-v'])]);
    expect([long.out, short.out]).toEqual([`${version}\n`, `${version}\n`]);
    expect(long.packages).toEqual([]);
  });

  it('that calls a server loads no database and no web server', async () => {
    const { code, packages } = await runTraced(['query', 'messages']);
    expect(code).toBe(4);
    expect(packages).toContain('@modelcontextprotocol/client');
    for (const heavy of ['better-sqlite3', 'kysely', 'hono', 'oidc-provider', 'ical.js'])
      expect(packages).not.toContain(heavy);
  });

  it('that maintains a folder loads no importer and no web server', async () => {
    const folder = makeFolder();
    (await openStore(folder)).close();
    const { code, packages } = await runTraced(['grant', 'list', '--data', folder]);
    expect(code).toBe(0);
    for (const heavy of ['hono', 'oidc-provider', 'ical.js', '@modelcontextprotocol/client'])
      expect(packages).not.toContain(heavy);
  });
});
