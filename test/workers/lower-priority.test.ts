import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { TextPool } from '../../src/attachments/text-pool.ts';

/** The niceness of every thread of this process (proc(5), field 19). */
const listNiceness = () =>
  readdirSync('/proc/self/task').map((task) => {
    const stat = readFileSync(`/proc/self/task/${task}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });

it.runIf(process.platform === 'linux')('lets other threads go before those that read files', async () => {
  const before = listNiceness();
  const pool = new TextPool();
  onTestFinished(() => pool.close());
  await pool.read({ bytes: Buffer.from('words'), name: 'a.txt', mediaType: undefined });
  const after = listNiceness();
  const count = (all: readonly number[], nice: number) => all.filter((one) => one === nice).length;
  expect(count(after, 10) - count(before, 10)).toBe(1);
  expect(count(after, 0)).toBeGreaterThanOrEqual(count(before, 0));
});
