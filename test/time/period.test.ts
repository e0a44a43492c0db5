import { describe, expect, it } from 'vitest';
import { parsePeriod, parseTime } from '../../src/time/period.ts';

const utc = (text: string) => Date.parse(text);

describe('parsePeriod', () => {
  const now = utc('2026-11-16T00:30:00Z'); // A Monday. Still the 15th in New York, already 01:30 in Berlin.
  const table: [text: string, zone: string, start: string | undefined, end?: string][] = [
    ['now', 'Europe/Berlin', '2026-11-16T00:30:00Z'],
    ['today', 'Europe/Berlin', '2026-11-15T23:00:00Z', '2026-11-16T23:00:00Z'],
    ['today', 'America/New_York', '2026-11-15T05:00:00Z', '2026-11-16T05:00:00Z'],
    ['yesterday', 'UTC', '2026-11-15T00:00:00Z', '2026-11-16T00:00:00Z'],
    ['tomorrow', 'UTC', '2026-11-17T00:00:00Z', '2026-11-18T00:00:00Z'],
    ['this_week', 'UTC', '2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z'],
    ['this_week', 'America/New_York', '2026-11-09T05:00:00Z', '2026-11-16T05:00:00Z'],
    ['last_week', 'UTC', '2026-11-09T00:00:00Z', '2026-11-16T00:00:00Z'],
    ['next_week', 'UTC', '2026-11-23T00:00:00Z', '2026-11-30T00:00:00Z'],
    ['last_month', 'Europe/Berlin', '2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z'],
    ['next_quarter', 'UTC', '2027-01-01T00:00:00Z', '2027-04-01T00:00:00Z'],
    ['this_year', 'UTC', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['2026', 'UTC', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['2026-Q2', 'UTC', '2026-04-01T00:00:00Z', '2026-07-01T00:00:00Z'],
    ['2024-02', 'Europe/Berlin', '2024-01-31T23:00:00Z', '2024-02-29T23:00:00Z'],
    ['last_1_hour', 'UTC', '2026-11-15T23:30:00Z', '2026-11-16T00:30:00.001Z'],
    ['last_7_days', 'UTC', '2026-11-09T00:00:00Z', '2026-11-16T00:30:00.001Z'],
    ['last_2_weeks', 'UTC', '2026-11-02T00:00:00Z'],
    ['last_30_days', 'Europe/Berlin', '2026-10-16T22:00:00Z'],
    ['last_1_year', 'UTC', '2025-11-16T00:00:00Z'],
    ['next_7_days', 'UTC', '2026-11-16T00:30:00Z', '2026-11-24T00:00:00Z'],
    ['next_2_hours', 'UTC', '2026-11-16T00:30:00Z', '2026-11-16T02:30:00Z'],
    ['last_days', 'UTC', undefined],
    ['last_-1_days', 'UTC', undefined],
    ['last_99999_days', 'UTC', undefined],
    ['2026-13', 'UTC', undefined],
    ['2026-Q5', 'UTC', undefined],
    ['LAST_7_DAYS', 'UTC', undefined],
  ];
  it.each(table)('reads %s in %s as %s to %s', (text, zone, start, end) => {
    const read = parsePeriod(text, now, zone);
    expect(read?.start).toBe(start === undefined ? undefined : utc(start));
    if (end !== undefined) expect(read?.end).toBe(utc(end));
  });

  it('counts months back to the end of a shorter month, never into the next', () => {
    expect(parseTime('last_1_month', utc('2026-03-31T10:00:00Z'), 'UTC')).toBe(utc('2026-02-28T00:00:00Z'));
  });
});
