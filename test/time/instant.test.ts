import { describe, expect, it } from 'vitest';
import { isTimeZone, parseDate, parseInstant } from '../../src/time/instant.ts';

const utc = (text: string) => Date.parse(text);

describe('parseInstant', () => {
  const table: [text: string, zone: string, instant: string][] = [
    ['2026-11-16T12:00:00Z', 'Asia/Tokyo', '2026-11-16T12:00:00Z'],
    ['2026-11-16t12:00:00z', 'UTC', '2026-11-16T12:00:00Z'],
    ['2026-11-16 12:00:00Z', 'UTC', '2026-11-16T12:00:00Z'],
    ['2026-11-16T12:00Z', 'UTC', '2026-11-16T12:00:00Z'],
    ['2026-11-16T12:00:00.123Z', 'UTC', '2026-11-16T12:00:00.123Z'],
    ['2026-11-16T12:00:00,5Z', 'UTC', '2026-11-16T12:00:00.500Z'],
    ['2026-11-16T12:00:00.999999999Z', 'UTC', '2026-11-16T12:00:00.999Z'],
    ['2026-11-16T12:00:00.29Z', 'UTC', '2026-11-16T12:00:00.290Z'],
    ['2026-11-16T12:00:00.001001Z', 'UTC', '2026-11-16T12:00:00.001Z'],
    ['2026-11-16T12:00:00+02:00', 'UTC', '2026-11-16T10:00:00Z'],
    ['2026-11-16T12:00:00-0330', 'UTC', '2026-11-16T15:30:00Z'],
    ['2026-11-16T00:15:00+05:45', 'UTC', '2026-11-15T18:30:00Z'],
    ['2026-11-16T12:00:00-00:00', 'UTC', '2026-11-16T12:00:00Z'],
    // Without an offset: the owner's clock.
    ['2026-11-16T12:00:00', 'UTC', '2026-11-16T12:00:00Z'],
    ['2026-11-16T12:00:00', 'Europe/Berlin', '2026-11-16T11:00:00Z'],
    ['2026-07-16T12:00:00', 'Europe/Berlin', '2026-07-16T10:00:00Z'],
    ['2026-11-16T12:00:00', 'America/New_York', '2026-11-16T17:00:00Z'],
    ['2026-11-16T12:00:00', 'Asia/Kathmandu', '2026-11-16T06:15:00Z'],
    ['2026-11-16T12:00:00', 'Pacific/Kiritimati', '2026-11-15T22:00:00Z'],
    // Where clocks were changed a minute after midnight, each side of it.
    ['2010-03-14T00:00:30', 'America/St_Johns', '2010-03-14T03:30:30Z'],
    ['2010-03-14T01:01:30', 'America/St_Johns', '2010-03-14T03:31:30Z'],
    ['2010-03-14T12:00:00', 'America/St_Johns', '2010-03-14T14:30:00Z'],
    // A date alone: the day's beginning by the owner's clock.
    ['2026-11-16', 'UTC', '2026-11-16T00:00:00Z'],
    ['2026-11-16', 'Europe/Berlin', '2026-11-15T23:00:00Z'],
    ['2026-07-16', 'America/Los_Angeles', '2026-07-16T07:00:00Z'],
    // Leap days and seconds.
    ['2024-02-29', 'UTC', '2024-02-29T00:00:00Z'],
    ['2000-02-29', 'UTC', '2000-02-29T00:00:00Z'],
    ['2016-12-31T23:59:60Z', 'UTC', '2016-12-31T23:59:59Z'],
    // The hour that is there twice and the hour that is not there (Berlin, 2026).
    ['2026-10-25T01:59:59', 'Europe/Berlin', '2026-10-24T23:59:59Z'],
    ['2026-10-25T03:00:00', 'Europe/Berlin', '2026-10-25T02:00:00Z'],
    ['2026-03-29T01:59:59', 'Europe/Berlin', '2026-03-29T00:59:59Z'],
    ['2026-03-29T03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00Z'],
    ['2026-03-08T03:00:00', 'America/New_York', '2026-03-08T07:00:00Z'],
    ['2026-04-05T03:00:00', 'Australia/Sydney', '2026-04-04T17:00:00Z'],
    // Midnight that is not there: the day begins at one (Havana).
    ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00Z'],
    // Far away.
    ['0001-01-01T00:00:00Z', 'UTC', '0001-01-01T00:00:00Z'],
    ['1899-12-31T23:59:59Z', 'UTC', '1899-12-31T23:59:59Z'],
    ['9999-12-31T23:59:59Z', 'UTC', '9999-12-31T23:59:59Z'],
  ];
  it.each(table)('reads %s in %s as %s', (text, zone, instant) => {
    expect(new Date(parseInstant(text, zone) ?? Number.NaN).toISOString()).toBe(
      new Date(utc(instant)).toISOString(),
    );
  });

  it('resolves a repeated hour to one of its two instants', () => {
    const read = parseInstant('2026-10-25T02:30:00', 'Europe/Berlin');
    expect([utc('2026-10-25T00:30:00Z'), utc('2026-10-25T01:30:00Z')]).toContain(read);
  });

  it('resolves a skipped hour to the instant of the change', () => {
    const read = parseInstant('2026-03-29T02:30:00', 'Europe/Berlin');
    expect([utc('2026-03-29T00:30:00Z'), utc('2026-03-29T01:30:00Z')]).toContain(read);
  });

  it('never puts a later clock time of a day before an earlier one by more than the change of clocks', () => {
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana']) {
      for (const day of [
        '2026-03-08',
        '2026-03-29',
        '2026-04-05',
        '2026-10-04',
        '2026-10-25',
        '2026-11-01',
      ]) {
        let last = Number.NEGATIVE_INFINITY;
        for (let minute = 0; minute < 1440; minute += 15) {
          const clock = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
          const read = parseInstant(`${day}T${clock}`, zone) as number;
          expect(read - last).toBeGreaterThanOrEqual(-3_600_000);
          last = read;
        }
      }
    }
  });

  it.each([
    '',
    ' ',
    'yesterday',
    '2026',
    '2026-11',
    '2026-13-01',
    '2026-00-10',
    '2026-11-31',
    '2026-02-29',
    '1900-02-29',
    '2026-11-00',
    '26-11-16',
    '2026-1-6',
    '2026/11/16',
    '16.11.2026',
    '2026-11-16T',
    '2026-11-16T24:00:00Z',
    '2026-11-16T12:60:00Z',
    '2026-11-16T12:00:61Z',
    '2026-11-16T12Z',
    '2026-11-16T12:00:00 Z',
    '2026-11-16T12:00:00+2',
    '2026-11-16T12:00:00+02:00:00',
    '2026-11-16T12:00:00Zjunk',
    ' 2026-11-16',
    '2026-11-16\n',
    '+12026-11-16',
    '-0001-11-16',
    '2026-11-16T12:00:00.Z',
    '٢٠٢٦-١١-١٦',
    '1794830400',
    '2026-11-16T12:00:00+99:99',
  ])('takes "%s" for no time', (text) => {
    expect(parseInstant(text, 'Europe/Berlin')).toBeUndefined();
  });
});

describe('parseDate', () => {
  it('parses a date without a time zone', () => {
    expect(parseDate('2026-11-16')).toBe(utc('2026-11-16T00:00:00Z'));
    expect(parseDate('2023-02-29')).toBeUndefined();
    expect(parseDate('2026-11-16T00:00:00Z')).toBeUndefined();
  });
});

describe('isTimeZone', () => {
  it('accepts the zones of the platform only', () => {
    expect(['UTC', 'Europe/Berlin', 'America/Argentina/Ushuaia'].map(isTimeZone)).toEqual([true, true, true]);
    expect(['', 'Mars/Olympus', 'Europe', '../etc'].map(isTimeZone)).toEqual([false, false, false, false]);
  });
});
