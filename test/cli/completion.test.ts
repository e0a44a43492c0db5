import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { formats } from '../../src/cli/table/option.ts';
import { runCli, runShell } from '../support/run-cli.ts';

/** Asks bash, which has read the script, what it would offer for each of these lines. The last word is being typed. */
async function completeInBash(lines: readonly (readonly string[])[]): Promise<string[][]> {
  const asks = lines.map(
    (words) =>
      `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _pdpp; echo "\${COMPREPLY[*]}"`,
  );
  const { code, out, err } = await runShell(['eval "$(pdpp completion bash)"', ...asks].join('\n'));
  expect([code, err]).toEqual([0, '']);
  return out
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split(' ').filter((word) => word !== ''));
}

describe('pdpp completion', () => {
  it('completes commands, their second words, options and values in bash', async () => {
    const found = await completeInBash([
      ['pdpp', 'con'],
      ['pdpp', 'grant', ''],
      ['pdpp', 'grant', 'c'],
      ['pdpp', 'query', 'messages', '--li'],
      ['pdpp', 'grant', 'create', '--al'],
      ['pdpp', 'aggregate', 'x', '--metric', 'count'],
      ['pdpp', 'import', 'x', '--as', 'google-p'],
      ['pdpp', 'import', 'x', '--as', ''],
      ['pdpp', 'completion', ''],
      ['pdpp', 'query', 'x', '--fields', ''],
    ]);
    expect(found).toEqual([
      ['connection', 'connect'],
      ['create', 'list', 'revoke'],
      ['create'],
      ['--limit'],
      ['--allow'],
      ['count', 'count_distinct'],
      ['google-photos'],
      [...formats],
      ['bash', 'zsh', 'fish'],
      [],
    ]);
  });

  it.each(['zsh', 'fish'])('is written for %s', async (shell) => {
    const { code, out } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['aggregate', 'revoke', 'changes-since', 'count_distinct', 'google-photos'])
      expect(out).toContain(word);
    // Where that shell is at hand, it says itself whether it can read it.
    if (spawnSync(shell, ['-c', 'true']).status === 0) execFileSync(shell, ['-n'], { input: out });
  });
});
