import { beforeAll, describe, expect, it } from 'vitest';
import { type CliResult, runCli, runForEach } from '../support/run-cli.ts';
import { useFolder } from '../support/temp-folder.ts';

const folder = useFolder();
const results = new Map<string, CliResult>();

const table: [code: number, says: RegExp, args: string[]][] = [
  // 2: a call that makes no sense.
  [2, /ORIGIN is missing[\s\S]*Usage: pdpp connect/, ['connect']],
  [2, /not a server address/, ['connect', 'file:///etc/passwd']],
  [
    2,
    /Servers on other computers need https[\s\S]*https:\/\/data\.example/,
    ['connect', 'http://data.example'],
  ],
  [2, /A name starts with a letter or digit/, ['connect', '127.0.0.1:9', '--name', '../up']],
  [2, /--client-secret-file needs --client-id/, ['connect', '127.0.0.1:9', '--client-secret-file', 'x']],
  [2, /STREAM is missing[\s\S]*Usage: pdpp query/, ['query']],
  [2, /STREAM is missing[\s\S]*Usage: pdpp aggregate/, ['aggregate', '--metric', 'sum']],
  [2, /WORDS are missing/, ['search', ' ']],
  [2, /ID is missing[\s\S]*Usage: pdpp fetch/, ['fetch']],
  [2, /--limit must be a whole number/, ['query', 'messages', '--limit', 'many']],
  [2, /Usage: pdpp mcp/, ['mcp', '--token', 'secret']],
  // 4: something named is not there.
  [
    4,
    /File not found\.\n {2}file: nope/,
    ['connect', '127.0.0.1:9', '--client-id', 'x', '--client-secret-file', 'nope'],
  ],
  [4, /Not connected to a server[\s\S]*pdpp connect/, ['schema']],
  [4, /pdpp connect data\.example/, ['query', 'messages', '--server', 'data.example']],
  [4, /Not connected/, ['disconnect']],
  [4, /Not connected/, ['mcp']],
];

beforeAll(async () => {
  await runForEach(table, async ([, , args]) => results.set(args.join(' '), await runCli(args, { folder })));
}, 120_000);

describe('invalid usage of client commands', () => {
  it.each(table.map(([code, says, args]) => [args.join(' '), code, says] as const))(
    'pdpp %s ends with %i',
    (args, code, says) => {
      const result = results.get(args);
      expect(result?.err).toMatch(says);
      expect(result).toMatchObject({ code, out: '' });
      expect(result?.err).not.toMatch(/at .+:\d+:\d+|node:internal|secret$/);
    },
  );
});
