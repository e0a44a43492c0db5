import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listTargets } from '../../bench/targets.ts';
import { measuredParts } from '../../bench/write-docs.ts';
import { readTable, replacePart, writeTable } from '../../scripts/replace-part.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/performance.md');
const details = read('docs/performance-details.md');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe('the performance pages', () => {
  it('name a command for every table that a benchmark writes', () => {
    const sections = [page, details]
      .flatMap((text) => text.split('\n## '))
      .filter((section) => section.includes('<!-- /'));
    expect(sections.length).toBeGreaterThanOrEqual(5);
    for (const section of sections) {
      const commands = [...section.matchAll(/`npm run ([\w:]+) --[^`]*--docs`/g)].map(([, name]) => name);
      const isByAll = section.startsWith('Targets');
      expect(isByAll || commands.some((name) => name !== undefined && name in scripts), section).toBe(true);
    }
  });

  it('have each table that a benchmark writes once', () => {
    const parts = [...`${page}${details}`.matchAll(/<!-- (\w[\w-]*) -->/g)].map(([, name]) => name);
    expect(parts.toSorted()).toEqual([...measuredParts, 'targets'].toSorted());
  });

  it('list every target with a figure, the target and the result', () => {
    const [head, ...rows] = readTable(page, 'targets');
    expect(head).toEqual(['what', 'figure', 'target', 'met']);
    expect(rows.map(([what]) => what)).toEqual(listTargets({}).map(({ what }) => what));
    for (const [what, figure = '', target, met] of rows) {
      expect(target, what).toMatch(/^at (most|least) [\d.,]+/);
      expect(figure === 'not measured' ? ['-'] : ['yes', 'NO'], what).toContain(met);
    }
  });

  it('compare with three servers and the bare route, and have all figures of the chart in its table', () => {
    const [[, ...servers] = [], ...questions] = readTable(page, 'calls-per-second');
    expect(servers.map((name) => name.split(' ')[0])).toEqual([
      ...['pdpp', 'bare', 'DBHub', 'mcp-server-sqlite-npx', 'mcp-sqlite-server'],
    ]);
    const [head = [], ...rows] = readTable(details, 'peers');
    expect(rows).toHaveLength(questions.length * servers.length);
    const perSecond = head.indexOf('calls/s: 8');
    expect(rows.map((row) => row[perSecond])).toEqual(questions.flatMap(([, ...cells]) => cells));
  });
});

describe('a generated part of a page', () => {
  it('is read back as it was written', () => {
    const rows = [
      ['a', 'longer name'],
      ['1,000', '-'],
    ];
    const written = replacePart('x\n<!-- t -->\nold\n<!-- /t -->\ny', 't', writeTable(rows));
    expect(readTable(written, 't')).toEqual(rows);
    expect(written).toMatch(/^x\n<!-- t -->\n\n\| a {5}\| longer name \|\n/);
    expect(() => replacePart('nothing', 't', '')).toThrow('no part t');
  });
});
