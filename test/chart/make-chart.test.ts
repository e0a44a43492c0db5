import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chart } from '../../chart/model/chart.ts';
import { makeChart } from '../../chart/model/make-chart.ts';
import { createClubWorld } from '../support/club-source.ts';
import { createNotesWorld } from '../support/notes-source.ts';
import { useWorld } from '../support/use-world.ts';

const notes = await useWorld(createNotesWorld({ timeZone: 'Europe/Berlin' }));
const club = await useWorld(createClubWorld());

/** The chart of a real result. */
async function chartOf(args: object): Promise<Chart> {
  return makeChart(await notes.call(notes.token, 'aggregate', { stream: 'notes', ...args }), 'en');
}
async function chartOfPayments(args: object): Promise<Chart> {
  const asked = { stream: 'payments', connection_id: 'north', ...args };
  return makeChart(await club.call(club.token, 'aggregate', asked), 'en');
}
const rowsOf = (chart: Chart) =>
  chart.table?.sections.flatMap(({ rows }) => rows.map(({ labels, numbers }) => [...labels, ...numbers])) ??
  [];
const barsOf = (chart: Chart) =>
  chart.table?.sections.flatMap(({ rows }) => rows.flatMap(({ bar }) => bar ?? [])) ?? [];

/** A result as the server writes it, where no store has such values. */
const resultOf = (data: object, meta: object = {}) => ({
  structuredContent: {
    data: { metric: 'sum', field: 'n', ...data },
    source: { stream: 's', connection_id: 'c' },
    meta,
  },
});
const groupsOf = (...values: unknown[]) => values.map((value, at) => ({ k: `k${at}`, value, records: 1 }));

describe('the chart of groups', () => {
  it('has a row and a bar for each group, and a row for what is left out', async () => {
    const chart = await chartOf({ metric: 'sum', field: 'price', group_by: ['author'], limit: 1 });
    expect(chart).toMatchObject({
      title: 'Sum of price by author',
      source: 'notes · home',
      total: { name: 'Total', text: '266.25', records: '4 records' },
      table: { labelHeads: ['Author'], numberHeads: ['Sum of price', 'Records'] },
    });
    expect(rowsOf(chart)).toEqual([
      ['cy', '250.75', '1'],
      ['Not shown (2 groups)', '15.5', '3'],
    ]);
    expect(barsOf(chart)).toEqual([{ start: 0, length: 100, zero: 0 }]);
  });

  it('names both of two fields', async () => {
    const chart = await chartOf({ group_by: ['stars', 'pinned'] });
    expect(chart.title).toBe('Number of records by stars and pinned');
    expect(rowsOf(chart)[0]).toHaveLength(3);
  });

  it('shows the name of the record that a key stands for', async () => {
    expect(rowsOf(await chartOfPayments({ group_by: ['member_id'], sort: 'group' }))).toEqual([
      ['Ana Reis', '2'],
      ['Bo Lind', '1'],
      ['m9', '1'],
    ]);
    const two = await chartOfPayments({ group_by: ['member_id', 'currency'], sort: 'group' });
    expect(two.table?.labelHeads).toEqual(['Member id', 'Currency', 'Label']);
    expect(rowsOf(two)[0]).toEqual(['m1', 'EUR', 'Ana Reis', '1']);
  });

  it('is one number without groups, and a sentence where nothing matches', async () => {
    expect(await chartOf({})).toMatchObject({ title: 'Number of records', total: { text: '4' } });
    expect((await chartOf({})).table).toBeUndefined();
    const empty = await chartOf({ group_by: ['author'], filter: { author: 'an' } });
    expect(empty.notes).toEqual(['No record matches.', 'Similar values of author: ana.']);
    expect(empty.table).toBeUndefined();
  });

  it('draws times as a table', async () => {
    const chart = await chartOf({ metric: 'max', field: 'created_at', group_by: ['author'] });
    expect(chart.total?.name).toBe('Overall');
    expect(rowsOf(chart)[0]?.[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    expect(barsOf(chart)).toEqual([]);
  });

  it('puts bars of both signs around zero', () => {
    const chart = makeChart(resultOf({ group_by: ['k'], groups: groupsOf(30, -10, 0) }));
    expect(barsOf(chart)).toEqual([
      { start: 25, length: 75, zero: 25 },
      { start: 0, length: 25, zero: 25 },
      { start: 25, length: 0, zero: 25 },
    ]);
  });

  it('shows integers beyond the safe ones digit by digit, and draws them', () => {
    const big = makeChart(resultOf({ group_by: ['k'], groups: groupsOf('9007199254740993', -5) }), 'en');
    expect(rowsOf(big)[0]).toEqual(['k0', '9,007,199,254,740,993', '1']);
    expect(barsOf(big)[0]?.length).toBeCloseTo(100);
    const beyond = makeChart(resultOf({ group_by: ['k'], groups: groupsOf('9'.repeat(400), 1) }), 'en');
    expect(barsOf(beyond)).toHaveLength(1);
  });

  it('draws the largest and the smallest numbers', () => {
    const chart = makeChart(resultOf({ group_by: ['k'], groups: groupsOf(1.7e308, -1.7e308, 5e-324) }), 'en');
    expect(rowsOf(chart).map(([, text]) => text)).toEqual(['1.7E308', '-1.7E308', '5E-324']);
    for (const { start, length } of barsOf(chart))
      expect([start >= 0, start + length <= 100.0001]).toEqual([true, true]);
  });

  it('cuts long labels, and tells nothing from an empty text', () => {
    const groups = [
      { k: 'x'.repeat(5_000), value: 2 },
      { k: '', value: 1 },
      { k: null, value: 1 },
    ];
    const labels = rowsOf(makeChart(resultOf({ group_by: ['k'], groups }))).map(([label]) => label);
    expect(labels).toEqual([`${'x'.repeat(300)}…`, '(empty)', '(none)']);
  });
});

describe('the chart of different units', () => {
  it('has a section and a scale for each unit', async () => {
    const chart = await chartOfPayments({ metric: 'sum', field: 'amount', group_by: ['member_id'] });
    expect(chart.table?.sections.map(({ name }) => name).sort()).toEqual(['EUR', 'JPY']);
    expect(chart.total).toBeUndefined();
    for (const { rows } of chart.table?.sections ?? [])
      expect(Math.max(...rows.map(({ bar }) => bar?.length ?? 0))).toBe(100);
    expect(chart.notes).toContain('The amounts have different units, so there is no overall total.');
  });

  it('has no bars where nothing but units is compared, or where groups mix them', async () => {
    expect(barsOf(await chartOfPayments({ metric: 'sum', field: 'amount' }))).toEqual([]);
    const mixed = await chartOfPayments({
      metric: 'sum',
      field: 'amount',
      group_by: ['member_id', 'member.name'],
    });
    expect(barsOf(mixed)).toEqual([]);
    expect(mixed.notes).toContain('Units: EUR, JPY.');
  });

  it('has a panel with a scale of its own for each unit over time', async () => {
    const chart = await chartOfPayments({ metric: 'sum', field: 'amount', interval: 'month' });
    expect(chart.lines?.panels.map(({ name }) => name)).toEqual(['EUR', 'JPY']);
    expect(chart.lines?.panels[0]?.ticks).not.toEqual(chart.lines?.panels[1]?.ticks);
  });
});

describe('the chart over time', () => {
  it('is a line with a step for each interval, in the zone of the result', async () => {
    const chart = await chartOf({ interval: 'month' });
    expect(chart.lines).toMatchObject({ unit: 'month', panels: [{ values: expect.any(Array) }] });
    expect(chart.lines?.steps.map(({ x }) => x)).toEqual([
      0,
      ...Array((chart.lines?.steps.length ?? 0) - 2).fill(expect.any(Number)),
      100,
    ]);
    expect(chart.notes).toContain('Time zone: Europe/Berlin.');
    expect(rowsOf(chart).map(([label]) => label)).toEqual(chart.lines?.steps.map(({ label }) => label));
  });

  it('falls to zero over a gap in counts and sums, and ends there in averages', () => {
    const groups = [
      { t: '2026-01', value: 2, records: 1 },
      { t: '2026-04', value: 4, records: 1 },
    ];
    const sums = makeChart(resultOf({ group_by: ['t'], interval: 'month', groups }));
    expect(sums.lines?.panels[0]?.segments).toHaveLength(1);
    expect(sums.lines?.panels[0]?.segments[0]?.map(({ y }) => y)).toEqual([50, 100, 100, 0]);
    const means = makeChart(resultOf({ metric: 'avg', group_by: ['t'], interval: 'month', groups }));
    expect(means.lines?.panels[0]?.segments).toHaveLength(2);
  });

  it('keeps the order of a result that is sorted by value, in the table', () => {
    const groups = [
      { t: '2026-03', value: 9, records: 1 },
      { t: '2026-01', value: 3, records: 1 },
    ];
    const chart = makeChart(resultOf({ group_by: ['t'], interval: 'month', groups }), 'en');
    expect(rowsOf(chart).map(([label]) => label)).toEqual(['Mar 2026', 'Jan 2026']);
    expect(chart.lines?.steps.map(({ label }) => label)).toEqual(['Jan 2026', 'Mar 2026']);
  });

  it.each(['hour', 'day', 'week', 'quarter', 'year'])('places each %s', async (interval) => {
    const chart = await chartOf({ interval });
    const xs = chart.lines?.steps.map(({ x }) => x) ?? [];
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
    expect(new Set(xs).size).toBe(xs.length);
  });

  it('has a panel for each value of a second field, and only a table for very many', async () => {
    const chart = await chartOf({ interval: 'month', group_by: ['created_at', 'author'] });
    expect(chart.lines?.panels.map(({ name }) => name).sort()).toEqual(['Ana Reis', 'bo', 'cy']);
    const groups = Array.from({ length: 20 }, (_, at) => ({
      t: `2026-0${1 + (at % 2)}`,
      k: `k${at >> 1}`,
      value: at,
    }));
    const crowded = makeChart(resultOf({ group_by: ['t', 'k'], interval: 'month', groups }));
    expect(crowded.lines).toBeUndefined();
    expect(rowsOf(crowded)).toHaveLength(20);
  });

  it('is bars for weekdays, hours of the day and one single interval', async () => {
    for (const interval of ['weekday', 'hour_of_day']) {
      const chart = await chartOf({ interval });
      expect([chart.lines, barsOf(chart).length > 1]).toEqual([undefined, true]);
    }
    const one = makeChart(resultOf({ group_by: ['t'], interval: 'year', groups: [{ t: '2026', value: 3 }] }));
    expect([one.lines, barsOf(one).length]).toEqual([undefined, 1]);
  });

  it('compares named periods, also with groups', async () => {
    const ranges = { early: '2026-01', late: '2026-02' };
    const chart = await chartOf({ ranges });
    expect(chart.title).toBe('Number of records by period');
    expect(rowsOf(chart)[0]?.[0]).toBe('early: from 2026-01-01 before 2026-02-01');
    const grouped = await chartOf({ ranges, group_by: ['author'] });
    expect(grouped.table?.sections.map(({ name }) => name)).toEqual(['early', 'late']);
    expect(grouped.table?.labelHeads).toEqual(['Author']);
  });
});

describe('a result without a chart', () => {
  it('shows the sentences of a refusal', async () => {
    const chart = await chartOf({ metric: 'sum', field: 'author' });
    expect(chart).toMatchObject({ title: 'No result', isError: true });
    expect(chart.notes.length).toBeGreaterThan(0);
  });

  it('is read from the text, where a host passes only that', async () => {
    const { content } = await notes.call(notes.token, 'aggregate', { stream: 'notes' });
    expect(makeChart({ content }, 'en').total?.text).toBe('4');
  });

  it('never fails, whatever a host passes', () => {
    const shape = fc.record({
      structuredContent: fc.oneof(
        fc.anything(),
        fc.record({
          data: fc.record({
            metric: fc.constantFrom('sum', 'count', 'avg', 'constructor'),
            group_by: fc.oneof(fc.anything(), fc.constant(['k']), fc.constant(['k', 'l'])),
            interval: fc.oneof(fc.anything(), fc.constantFrom('month', 'hour', 'weekday')),
            groups: fc.array(
              fc.record({
                k: fc.oneof(fc.anything(), fc.constantFrom('2026-01', '2026-02', '0001-01', '9999-12')),
                value: fc.oneof(fc.anything(), fc.double(), fc.bigInt().map(String)),
                label: fc.anything(),
                labels: fc.anything(),
              }),
            ),
            ranges: fc.oneof(fc.anything(), fc.constant([{ range: 'a' }])),
            other: fc.anything(),
            units: fc.anything(),
          }),
          meta: fc.record({
            warnings: fc.constant(['mixed_units']),
            warnings_mean: fc.anything(),
            times_understood_as: fc.anything(),
          }),
          source: fc.anything(),
        }),
      ),
      content: fc.anything(),
    });
    fc.assert(
      fc.property(shape, fc.anything(), (result, locale) => {
        const chart = makeChart(result, locale);
        expect(JSON.stringify(chart)).not.toMatch(/NaN|"(start|length|x|y)":null/);
      }),
      { numRuns: 500 },
    );
  });
});
