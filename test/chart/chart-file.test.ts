import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { buildChart, CHART_FILE } from '../../scripts/build-chart.ts';

const MAX_BYTES = 40_000;
const file = readFileSync(CHART_FILE, 'utf8');

it('is built from its sources: npm run chart', async () => {
  expect(await buildChart()).toBe(file);
});

it('is small, and refers to nothing else', () => {
  expect(Buffer.byteLength(file)).toBeLessThan(MAX_BYTES);
  expect(file.match(/https?:\/\/[^\s'"]+/g)).toEqual(['http://www.w3.org/2000/svg']);
  expect(file).not.toMatch(
    /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|fetch\(|XMLHttp|import\(|url\(/,
  );
});
