import type { AuditStore, ReadCount } from '../../store/audit-store.ts';
import { escapeText } from '../../text/escape-text.ts';
import { DAY_MS } from '../../time/durations.ts';
import { bucketName, type Interval, lastEdges, shiftBucket, toPeriods } from '../../time/time-buckets.ts';
import type { ActivityScope } from './activity-filter.ts';

export interface ActivityPlot {
  readonly interval: Interval;
  /** Names of the time buckets, oldest first. */
  readonly buckets: readonly string[];
  /** Reads per bucket for the most active apps; the others are one series. */
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
  /** Totals of the plotted period. */
  readonly totals: {
    readonly reads: number;
    readonly refused: number;
    readonly records: number;
    readonly tokens: number;
  };
}

const DEFAULT_DAYS = 30;
const MAX_SERIES = 6;
const MAX_BUCKETS = 120;

/** Counts reads by app over the filtered days, by default the last 30. */
export async function readActivityPlot(
  audit: AuditStore,
  { from, to, reads }: ActivityScope,
  timeZone: string,
  now: Date,
): Promise<ActivityPlot> {
  const last = Math.min(now.getTime(), (to ?? Number.MAX_SAFE_INTEGER) - 1);
  const first = from ?? shiftBucket(last, 'day', timeZone, 1 - DEFAULT_DAYS);
  const interval = chooseInterval((last - first) / DAY_MS);
  const edges = lastEdges(first, last, interval, timeZone, MAX_BUCKETS);
  const counts = reads ? await audit.countReads(toPeriods(edges), reads) : [];
  return {
    interval,
    buckets: edges.slice(0, -1).map((start) => bucketName(start, interval, timeZone)),
    series: toSeries(counts, edges.length - 1),
    totals: {
      reads: sum(counts, 'calls'),
      refused: sum(counts, 'refused'),
      records: sum(counts, 'records'),
      tokens: sum(counts, 'tokens'),
    },
  };
}

function chooseInterval(days: number): Interval {
  if (days <= 92) return 'day';
  if (days <= 730) return 'week';
  return days <= 3_650 ? 'month' : 'year';
}

function toSeries(counts: readonly ReadCount[], buckets: number): ActivityPlot['series'] {
  const totals = new Map<string, number>();
  for (const { client, calls } of counts) totals.set(client, (totals.get(client) ?? 0) + calls);
  const names = [...totals].sort((a, b) => b[1] - a[1]).map(([client]) => client);
  const own = names.length > MAX_SERIES ? names.slice(0, MAX_SERIES - 1) : names;
  const valuesOf = (isOne: (client: string) => boolean) => {
    const values = new Array<number>(buckets).fill(0);
    for (const { client, period, calls } of counts)
      if (isOne(client)) values[period] = (values[period] ?? 0) + calls;
    return values;
  };
  const series = own.map((client) => ({
    name: escapeText(client),
    values: valuesOf((one) => one === client),
  }));
  if (own.length < names.length)
    series.push({ name: 'others', values: valuesOf((one) => !own.includes(one)) });
  return series;
}

function sum(counts: readonly ReadCount[], name: 'calls' | 'refused' | 'records' | 'tokens'): number {
  return counts.reduce((total, count) => total + count[name], 0);
}
