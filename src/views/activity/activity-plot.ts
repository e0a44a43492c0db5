import type { AuditStore } from '../../store/sqlite/open-store.ts';
import { escapeText } from '../../text/escape-text.ts';
import { bucketName, type Interval, lastEdges, shiftBucket } from '../../time/time-buckets.ts';
import { type ActivityScope, countReadsByApp, type PlotRow } from '../activity-store.ts';

export interface ActivityPlot {
  readonly interval: Interval;
  /** What each stretch of time is called, oldest first. */
  readonly buckets: readonly string[];
  /** Reads per stretch for the apps that read most, and the others together. */
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
  /** Over the whole span that is plotted. */
  readonly totals: {
    readonly reads: number;
    readonly refused: number;
    readonly records: number;
    readonly tokens: number;
  };
}

const DAY = 86_400_000;
const STANDARD_DAYS = 30;
const MOST_SERIES = 6;
const MOST_BUCKETS = 120;

/** Reads over the filtered days, or the last 30 of them, by app. */
export async function readActivityPlot(
  audit: AuditStore,
  scope: ActivityScope,
  timeZone: string,
  now: Date,
): Promise<ActivityPlot> {
  const { from, to } = scope;
  const last = Math.min(now.getTime(), (to ?? Number.MAX_SAFE_INTEGER) - 1);
  const first = from ?? shiftBucket(last, 'day', timeZone, 1 - STANDARD_DAYS);
  const interval = chooseInterval((last - first) / DAY);
  const edges = lastEdges(first, last, interval, timeZone, MOST_BUCKETS);
  const rows = await countReadsByApp(audit, scope, edges);
  return {
    interval,
    buckets: edges.slice(0, -1).map((start) => bucketName(start, interval, timeZone)),
    series: toSeries(rows, edges.length - 1),
    totals: {
      reads: sum(rows, 'reads'),
      refused: sum(rows, 'refused'),
      records: sum(rows, 'records'),
      tokens: sum(rows, 'tokens'),
    },
  };
}

function chooseInterval(days: number): Interval {
  if (days <= 92) return 'day';
  if (days <= 730) return 'week';
  return days <= 3_650 ? 'month' : 'year';
}

function toSeries(rows: readonly PlotRow[], buckets: number): ActivityPlot['series'] {
  const totals = new Map<string, number>();
  for (const row of rows) totals.set(row.client, (totals.get(row.client) ?? 0) + row.reads);
  const names = [...totals].sort((a, b) => b[1] - a[1]).map(([client]) => client);
  const own = names.length > MOST_SERIES ? names.slice(0, MOST_SERIES - 1) : names;
  const valuesOf = (isOne: (client: string) => boolean) => {
    const values = new Array<number>(buckets).fill(0);
    for (const row of rows) if (isOne(row.client)) values[row.bucket] = (values[row.bucket] ?? 0) + row.reads;
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

function sum(rows: readonly PlotRow[], name: 'reads' | 'refused' | 'records' | 'tokens'): number {
  return rows.reduce((total, row) => total + row[name], 0);
}
