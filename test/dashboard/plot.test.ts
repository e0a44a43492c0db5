import { describe, expect, it } from 'vitest';
import { formatBucket } from '../../dashboard/parts/bucket-name.ts';
import { Bars, BarsOverTime, Spark } from '../../dashboard/parts/plot.tsx';

const two = {
  title: 'Reads per day',
  unit: 'read',
  per: 'Day',
  labels: ['2026-11-14', '2026-11-15', '2026-11-16'],
  series: [
    { name: 'Claude Code', values: [3, 0, 1_200] },
    { name: 'Codex', values: [1, 0, 300] },
  ],
};
const boxes = (html: string) =>
  [
    ...html.matchAll(
      /<rect class="(series-[^"]+)" x="([\d.]+)%" width="([\d.]+)%" y="([\d.]+)" height="([\d.]+)"/g,
    ),
  ].map(([, name, x, width, y, height]) => ({
    name,
    x: Number(x),
    width: Number(width),
    y: Number(y),
    height: Number(height),
  }));

describe('bars over time', () => {
  const html = String(BarsOverTime(two));

  it('describe their data in words', () => {
    expect(html).toContain('role="img" aria-label="Reads per day: 1,504 reads, 14 Nov 2026 to 16 Nov 2026"');
    expect(html).toContain('<title>16 Nov 2026: 1,500 reads\nClaude Code: 1,200\nCodex: 300</title>');
  });

  it('stack their series and omit zeros', () => {
    const drawn = boxes(html);
    expect(drawn.map(({ name }) => name)).toEqual(['series-0', 'series-1', 'series-0', 'series-1']);
    const [, , below, above] = drawn as [never, never, (typeof drawn)[0], (typeof drawn)[0]];
    expect(above.y + above.height).toBeCloseTo(below.y, 1);
    expect(below.height / above.height).toBeCloseTo(4, 1);
  });

  it('stay inside their box', () => {
    for (const { x, width, y, height } of boxes(html)) {
      expect(x + width).toBeLessThanOrEqual(100);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y + height).toBeLessThanOrEqual(200);
    }
  });

  it('fill most of their box', () => {
    const tall = String(BarsOverTime({ ...two, series: [{ name: 'All', values: [100, 2_190, 900] }] }));
    expect(tall).toContain('>3,000</text>');
    expect(tall).toContain('>1,500</text>');
  });

  it('have every number in a table', () => {
    const cells = [...html.matchAll(/<td class="number">([^<]*)<\/td>/g)].map(([, text]) => text);
    expect(cells).toEqual(['3', '1', '4', '0', '0', '0', '1,200', '300', '1,500']);
    expect(html).toContain('<summary>Show numbers</summary>');
  });

  it('need no inline style', () => {
    expect(html).not.toMatch(/style=/);
  });

  it('fold the smallest of many series into one', () => {
    const series = Array.from({ length: 13 }, (_, i) => ({ name: `App ${i}`, values: [i, i, i] }));
    const many = String(BarsOverTime({ ...two, series }));
    const legend = [...many.matchAll(/<li><i class="([^"]+)"><\/i>([^<]+) </g)].map(([, color, name]) => [
      color,
      name,
    ]);
    expect(legend).toHaveLength(8);
    expect(legend[0]).toEqual(['series-0', 'App 12']);
    // App 0 has nothing in this time, so it has no colour and is not counted.
    expect(legend[7]).toEqual(['series-other', '5 others']);
    // What is folded is not lost: 0 to 5 together.
    expect(many).toContain('<td class="number">15</td>');
  });

  it('render without data', () => {
    for (const labels of [[], ['2026']]) {
      const empty = String(BarsOverTime({ ...two, labels, series: [] }));
      expect(empty).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  it('escape names', () => {
    const series = [
      { name: '<b>"x"', values: [1, 1, 1] },
      { name: 'y', values: [1, 1, 1] },
    ];
    expect(String(BarsOverTime({ ...two, series }))).not.toContain('<b>"x"');
  });
});

describe('the other plots', () => {
  it('show the largest value at full length', () => {
    const rows = [
      { name: 'Nordbank', value: 4_959, href: '/dashboard/data' },
      { name: 'GitHub', value: 0 },
    ];
    const html = String(Bars({ title: 'Records by connection', rows }));
    expect(html).toContain('width="100%" height="10" rx="3"');
    expect(html).toContain('width="0%" height="10" rx="3"');
    expect(html).toContain('<a href="/dashboard/data">Nordbank</a>');
    expect(html).toContain('4,959');
  });

  it('fit into a line of text and still name their numbers', () => {
    const html = String(Spark({ title: 'Reads per day', values: [0, 2, 4] }));
    expect(html).toContain('aria-label="Reads per day: 0, 2, 4"');
    expect([...html.matchAll(/height="(\d+)"/g)].map(([, height]) => height)).toEqual([
      '24',
      '1',
      '12',
      '24',
    ]);
  });
});

describe('the name of a bucket', () => {
  it.each([
    ['2026-11-16', '16 Nov', '16 Nov 2026'],
    ['2026-01', 'Jan 2026', 'Jan 2026'],
    ['2026-Q4', 'Q4 2026', 'Q4 2026'],
    ['2026', '2026', '2026'],
    ['others', 'others', 'others'],
  ])('%s is said as %s, or %s', (name, short, long) => {
    expect([formatBucket(name, 'short'), formatBucket(name, 'long')]).toEqual([short, long]);
  });
});
