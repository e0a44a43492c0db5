import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bucketName,
  bucketStart,
  type Interval,
  intervals,
  lastEdges,
  shiftBucket,
} from '../../src/time/time-buckets.ts';

const utc = (text: string) => Date.parse(text);
const iso = (instant: number) => new Date(instant).toISOString().replace('.000Z', 'Z');

describe('a bucket', () => {
  const table: [interval: Interval, zone: string, instant: string, start: string, name: string][] = [
    ['hour', 'UTC', '2026-11-16T12:59:59.999Z', '2026-11-16T12:00:00Z', '2026-11-16T12:00Z'],
    ['hour', 'Asia/Kathmandu', '2026-11-16T12:20:00Z', '2026-11-16T12:15:00Z', '2026-11-16T18:00+05:45'],
    ['hour', 'Europe/Berlin', '2026-07-01T10:30:00Z', '2026-07-01T10:00:00Z', '2026-07-01T12:00+02:00'],
    ['day', 'UTC', '2026-11-16T00:00:00Z', '2026-11-16T00:00:00Z', '2026-11-16'],
    ['day', 'UTC', '2026-11-15T23:59:59.999Z', '2026-11-15T00:00:00Z', '2026-11-15'],
    ['day', 'America/New_York', '2026-11-16T04:59:59Z', '2026-11-15T05:00:00Z', '2026-11-15'],
    ['day', 'Pacific/Kiritimati', '2026-11-16T10:00:00Z', '2026-11-16T10:00:00Z', '2026-11-17'],
    // Weeks begin on Monday; 2026-11-16 is one.
    ['week', 'UTC', '2026-11-16T00:00:00Z', '2026-11-16T00:00:00Z', '2026-11-16'],
    ['week', 'UTC', '2026-11-15T23:59:59Z', '2026-11-09T00:00:00Z', '2026-11-09'],
    ['week', 'UTC', '2027-01-01T12:00:00Z', '2026-12-28T00:00:00Z', '2026-12-28'],
    ['week', 'Europe/Berlin', '2026-10-25T22:59:59Z', '2026-10-18T22:00:00Z', '2026-10-19'],
    ['month', 'UTC', '2024-02-29T23:59:59Z', '2024-02-01T00:00:00Z', '2024-02'],
    ['month', 'Europe/Berlin', '2026-03-31T22:00:00Z', '2026-03-31T22:00:00Z', '2026-04'],
    ['quarter', 'UTC', '2026-03-31T23:59:59Z', '2026-01-01T00:00:00Z', '2026-Q1'],
    ['quarter', 'UTC', '2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z', '2026-Q2'],
    ['quarter', 'UTC', '2026-12-31T23:59:59Z', '2026-10-01T00:00:00Z', '2026-Q4'],
    ['year', 'UTC', '2026-12-31T23:59:59Z', '2026-01-01T00:00:00Z', '2026'],
    ['year', 'America/New_York', '2027-01-01T04:59:59Z', '2026-01-01T05:00:00Z', '2026'],
    ['year', 'UTC', '0099-06-01T00:00:00Z', '0099-01-01T00:00:00Z', '0099'],
    ['year', 'UTC', '1969-07-20T20:17:00Z', '1969-01-01T00:00:00Z', '1969'],
    // Days on which the clocks change at midnight begin at one.
    ['day', 'America/Havana', '2026-03-08T12:00:00Z', '2026-03-08T05:00:00Z', '2026-03-08'],
    ['day', 'Africa/Cairo', '2026-04-24T12:00:00Z', '2026-04-23T22:00:00Z', '2026-04-24'],
    // The hour that is there twice is two hours.
    ['hour', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25T00:00:00Z', '2026-10-25T02:00+02:00'],
    ['hour', 'Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-25T01:00:00Z', '2026-10-25T02:00+01:00'],
  ];
  it.each(table)(
    'of one %s in %s holds %s: it begins at %s and is called %s',
    (interval, zone, instant, start, name) => {
      const begin = bucketStart(utc(instant), interval, zone);
      expect(iso(begin)).toBe(start);
      expect(bucketName(begin, interval, zone)).toBe(name);
    },
  );

  it('has the real length of its days', () => {
    const hours = (day: string, zone: string) => {
      const start = bucketStart(utc(`${day}T12:00:00Z`), 'day', zone);
      return (shiftBucket(start, 'day', zone, 1) - start) / 3_600_000;
    };
    expect(hours('2026-03-29', 'Europe/Berlin')).toBe(23);
    expect(hours('2026-10-25', 'Europe/Berlin')).toBe(25);
    expect(hours('2026-10-26', 'Europe/Berlin')).toBe(24);
    expect(hours('2026-03-08', 'America/Havana')).toBe(23);
    expect(hours('2026-11-01', 'America/New_York')).toBe(25);
  });

  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'America/Havana',
    'Africa/Cairo',
  ];
  it.each(zones)('in %s contains its instant, and the next one begins where it ends', (zone) => {
    const instants = fc.integer({
      min: utc('1975-01-01T00:00:00Z') / 1_000,
      max: utc('2030-01-01T00:00:00Z') / 1_000,
    });
    const changes = fc
      .constantFrom(
        '2026-03-08',
        '2026-03-29',
        '2026-04-05',
        '2026-04-24',
        '2026-10-04',
        '2026-10-25',
        '2026-10-30',
        '2026-11-01',
      )
      .chain((day) =>
        fc.integer({ min: -86_400, max: 2 * 86_400 }).map((second) => utc(day) / 1_000 + second),
      );
    fc.assert(
      fc.property(fc.oneof(instants, changes), fc.constantFrom(...intervals), (second, interval) => {
        const instant = second * 1_000;
        const start = bucketStart(instant, interval, zone);
        const end = shiftBucket(start, interval, zone, 1);
        expect(start).toBeLessThanOrEqual(instant);
        expect(end).toBeGreaterThan(instant);
        expect(bucketStart(end, interval, zone)).toBe(end);
        expect(bucketName(end, interval, zone)).not.toBe(bucketName(start, interval, zone));
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});

describe('lastEdges', () => {
  const edges = (first: string, last: string, interval: Interval, zone = 'UTC', most = 100) =>
    lastEdges(utc(first), utc(last), interval, zone, most).map(iso);

  it('covers both ends, oldest first', () => {
    expect(edges('2026-01-31T23:59:59Z', '2026-03-01T00:00:00Z', 'month')).toEqual([
      '2026-01-01T00:00:00Z',
      '2026-02-01T00:00:00Z',
      '2026-03-01T00:00:00Z',
      '2026-04-01T00:00:00Z',
    ]);
  });

  it('is one bucket when both ends are in it', () => {
    expect(edges('2026-05-05T00:00:00Z', '2026-05-05T00:00:00Z', 'day')).toEqual([
      '2026-05-05T00:00:00Z',
      '2026-05-06T00:00:00Z',
    ]);
  });

  it('keeps the newest when there are too many', () => {
    expect(edges('1926-01-01T00:00:00Z', '2026-11-16T12:34:00Z', 'hour', 'UTC', 2)).toEqual([
      '2026-11-16T11:00:00Z',
      '2026-11-16T12:00:00Z',
      '2026-11-16T13:00:00Z',
    ]);
  });

  it('has one edge per day across a change of clocks, each at midnight by the clock', () => {
    expect(edges('2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z', 'day', 'Europe/Berlin')).toEqual([
      '2026-03-27T23:00:00Z',
      '2026-03-28T23:00:00Z',
      '2026-03-29T22:00:00Z',
      '2026-03-30T22:00:00Z',
    ]);
  });

  it('names each day once, also if midnight is skipped', () => {
    const all = lastEdges(
      utc('2026-03-01T12:00:00Z'),
      utc('2026-03-15T12:00:00Z'),
      'day',
      'America/Havana',
      100,
    );
    const names = all.slice(0, -1).map((edge) => bucketName(edge, 'day', 'America/Havana'));
    expect(names).toEqual(Array.from({ length: 15 }, (_, i) => `2026-03-${String(i + 1).padStart(2, '0')}`));
  });
});
