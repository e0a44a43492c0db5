import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DEMO_END } from '../../bench/demo-end.ts';
import { endProcess } from '../support/processes/end-process.ts';
import { findFreePort, startCli, waitForText } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';
import type { World } from '../support/world.ts';
import { createDemoWorld } from '../support/worlds/demo-world.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const transcript = /```text\n(> [\s\S]*?)```/.exec(readme)?.[1] ?? '';
/** Each call with its arguments, and the part of the answer that the README shows. */
const calls = [...transcript.matchAll(/^(\w+)\(([\s\S]*?)\)\n {2}(\{.*\})$/gm)].map(
  ([, tool, args, answer]) =>
    [tool as string, JSON.parse(args as string), JSON.parse(answer as string)] as const,
);
const conclusion = transcript.trimEnd().split('\n').at(-1) as string;

// The demo ends on the chosen day; its story stays the same.
describe.each([
  ['at the end of October', DEMO_END],
  ['in a spring two years later', new Date('2028-04-19T09:00:00Z')],
])('the transcript of the README, on a demo that ends %s', (_, until) => {
  let world: World & { token: string };
  beforeAll(async () => {
    world = await createDemoWorld(until);
  });

  it('has a question, calls of two tools and an answer', () => {
    expect(transcript.startsWith('> What did our holiday in Spain cost')).toBe(true);
    expect(calls.map(([tool]) => tool)).toEqual(['search', 'aggregate', 'aggregate']);
  });

  it.each(calls)('shows the answer of %s %o', async (tool, args, answer) => {
    const { structuredContent } = await world.call(world.token, tool, args);
    expect(structuredContent.data ?? structuredContent).toMatchObject(answer);
  });

  it('ends with the sums of these answers', () => {
    const [booked, there] = [calls[1]?.[2], calls[2]?.[2]];
    const before = booked.groups.reduce((sum: number, { value }: { value: number }) => sum - value, 0);
    const sums = [before - there.total, before, -there.total, -there.groups[0].value];
    const figures = [...conclusion.matchAll(/([\d,]+) €/g)].map(([, text]) =>
      Number((text as string).replace(',', '')),
    );
    expect(figures).toEqual(sums.map(Math.round));
  });
});

describe('the first block of the README', () => {
  it('shows what a new server prints', async () => {
    const port = String(await findFreePort());
    const server = startCli(['serve', '--data', makeFolder(), '--port', port]);
    onTestFinished(() => endProcess(server));
    const printed = await waitForText(server, /\nAdd .*\n/);
    const shown = printed
      .slice(printed.indexOf('\npdpp ') + 1)
      .replaceAll(`:${port}`, ':7733')
      .replace(/(setup\/pdpp_)\S+/, '$1mO3e…')
      // The README shows the command of a clone.
      .replace(/(: )[^:]* demo( --data \S+)?\n/, '$1node ~/pdpp/dist/src/cli.js demo\n');
    expect(readme).toContain(shown.trim());
  });
});
