import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectToDemo } from '../support/worlds/demo-world.ts';

const skill = readFileSync(new URL('../../skills/pdpp/SKILL.md', import.meta.url), 'utf8');
const calls: { tool: string; arguments: Record<string, unknown> }[] = [
  ...skill.matchAll(/^\{"tool": .+\}$/gm),
].map(([line]) => JSON.parse(line));

describe('skills/pdpp/SKILL.md', () => {
  let call: Awaited<ReturnType<typeof connectToDemo>>;
  let id: string;
  beforeAll(async () => {
    call = await connectToDemo();
    const found = await call('search', { query: 'the', limit: 1 });
    id = found.structuredContent.results[0].id;
  });

  it('has a name and a description in its front matter, and is short', () => {
    expect(skill).toMatch(/^---\nname: pdpp\ndescription: .{80,1000}\n---\n/);
    expect(skill.split('\n').length).toBeLessThan(120);
  });

  it('shows a call of every tool that reads records', () => {
    expect(new Set(calls.map(({ tool }) => tool))).toEqual(
      new Set(['aggregate', 'query_records', 'search', 'fetch']),
    );
  });

  it.each(calls)('shows calls that work: $tool $arguments', async ({ tool, arguments: args }) => {
    const { isError, structuredContent } = await call(tool, tool === 'fetch' ? { id } : args);
    expect(isError ?? false, JSON.stringify(structuredContent)).toBe(false);
    const { data, results, text } = structuredContent;
    expect((text ?? results ?? data.groups ?? data).length).toBeGreaterThan(0);
  });
});
