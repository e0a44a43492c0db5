import { describe, expect, it } from 'vitest';
import { toLocal } from '../../src/time/instant.ts';
import { zoneOffsets } from '../../src/time/zone-offsets.ts';

const HOUR = 3_600_000;

describe('the offsets of a zone', () => {
  it('change at the minute at which the clock does', () => {
    expect(zoneOffsets(Date.UTC(2026, 0), Date.UTC(2026, 11, 31), 'Europe/Berlin')).toEqual([
      { until: Date.UTC(2026, 2, 29, 1), offset: HOUR },
      { until: Date.UTC(2026, 9, 25, 1), offset: 2 * HOUR },
      { until: Number.POSITIVE_INFINITY, offset: HOUR },
    ]);
    expect(zoneOffsets(0, Date.UTC(2030, 0), 'UTC')).toEqual([
      { until: Number.POSITIVE_INFINITY, offset: 0 },
    ]);
  });

  it.each(['Africa/Casablanca', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia', 'Europe/London'])(
    'are those of the clock at every hour of %s',
    (zone) => {
      const [first, last] = [Date.UTC(2009, 5), Date.UTC(2013, 5)];
      const offsets = zoneOffsets(first, last, zone);
      for (let at = first; at <= last; at += HOUR)
        expect(offsets.find(({ until }) => at < until)?.offset).toBe(toLocal(at, zone) - at);
    },
  );

  it('are found where the clock was changed for a week only', () => {
    const [first, last] = [Date.UTC(2000, 9, 8, 2, 30), Date.UTC(2000, 9, 20)];
    expect(zoneOffsets(first, last, 'America/Recife')).toEqual([
      { until: Date.UTC(2000, 9, 8, 3), offset: -3 * HOUR },
      { until: Date.UTC(2000, 9, 15, 2), offset: -2 * HOUR },
      { until: Number.POSITIVE_INFINITY, offset: -3 * HOUR },
    ]);
  });

  it('are searched in a limited range of years', () => {
    const offsets = zoneOffsets(Date.UTC(-4_000, 0), Date.UTC(9_999, 0), 'America/New_York');
    expect(offsets.length).toBeLessThan(600);
    expect(zoneOffsets(Date.UTC(9_000, 0), Date.UTC(9_001, 0), 'America/New_York')).toHaveLength(1);
  });
});
