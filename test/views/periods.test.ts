import { describe, expect, it } from 'vitest';
import { choosePeriods, countIn } from '../../src/views/reading/periods.ts';

const NOW = '2026-11';
const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, n) => all + n, 0);

/** The bars of a chart, which must hold everything: [name, records]. */
function chart(counts: Record<string, number>) {
  const map = new Map(Object.entries(counts));
  const { interval, periods } = choosePeriods(map, NOW);
  const bars = periods.map((period) => [period.name, countIn(period, map)] as const);
  expect(bars.reduce((all, [, n]) => all + n, 0)).toBe(sum(map));
  return { interval, count: periods.length, bars: bars.filter(([, n]) => n > 0) };
}

describe('the periods of a chart', () => {
  it('are months for up to five years, else years, and cover every record', () => {
    expect(chart({ '2021-12': 5, '2026-11': 5 })).toMatchObject({ interval: 'month', count: 60 });
    const mails = Object.fromEntries(Array.from({ length: 26 }, (_, i) => [`${2001 + i}-03`, 4_000]));
    expect(chart(mails)).toMatchObject({ interval: 'year', count: 26 });
  });

  it('put a few far older records and future records into one period each', () => {
    expect(chart({ '1970-01': 1, '2025-01': 500, '2026-10': 500, '2026-12': 3, '2106-02': 1 })).toEqual({
      interval: 'month',
      count: 24,
      bars: [
        ['earlier', 1],
        ['2025-01', 500],
        ['2026-10', 500],
        ['later', 4],
      ],
    });
  });

  it('stay bounded for any record times', () => {
    const { interval, count, bars } = chart({ '0001-01': 300, '1601-01': 300, '2026-01': 300, '9999-12': 1 });
    expect([interval, count]).toEqual(['year', 62]);
    expect(bars).toEqual([
      ['earlier', 600],
      ['2026', 300],
      ['later', 1],
    ]);
    expect(chart({ '9999-12': 2 }).bars).toEqual([['9999-12', 2]]);
    expect(chart({})).toEqual({ interval: 'month', count: 0, bars: [] });
  });
});
