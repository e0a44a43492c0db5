import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import { shiftMonth } from '../../time/calendar.ts';
import { toUtc } from '../../time/instant.ts';

/** Whole months of the owner's calendar. */
export interface Period {
  /** `2026-03`, `2026`, or `earlier` and `later` for everything outside the other periods. */
  readonly name: string;
  /** Its first month; null if unbounded. */
  readonly from: string | null;
  /** The month after its last one; null if unbounded. */
  readonly to: string | null;
}

export interface Periods {
  readonly interval: 'month' | 'year';
  readonly periods: readonly Period[];
}

/** The number of bars that can be distinguished on a phone. */
const MAX_PERIODS = 60;

/**
 * Chooses months, or years if there are too many months. Outliers share the periods `earlier` and `later`.
 */
export function choosePeriods(counts: ReadonlyMap<string, number>, thisMonth: string): Periods {
  const months = [...counts.keys()].sort();
  const [oldest] = months;
  const newest = months.findLast((month) => month <= thisMonth) ?? months.at(-1);
  if (oldest === undefined || newest === undefined) return { interval: 'month', periods: [] };
  const main = findMainStart(counts, months, newest);
  const start = [oldest, main].find((month) => listMonths(month, newest).length <= MAX_PERIODS);
  const periods =
    start === undefined ? listYears([oldest, main], newest) : listMonths(start, newest).map(monthPeriod);
  const [from = null, to = null] = [periods[0]?.from, periods.at(-1)?.to];
  const earlier = from !== null && oldest < from ? [{ name: 'earlier', from: null, to: from }] : [];
  const later = to !== null && (months.at(-1) as string) >= to ? [{ name: 'later', from: to, to: null }] : [];
  return { interval: start === undefined ? 'year' : 'month', periods: [...earlier, ...periods, ...later] };
}

/** Finds a period by name, and its months if it is a year. */
export function findPeriod(
  { periods }: Periods,
  name: string,
): { period: Period; parts: Period[] } | undefined {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(name)) return { period: monthPeriod(name), parts: [] };
  if (/^\d{4}$/.test(name)) {
    const period = yearPeriod(name);
    return { period, parts: listMonths(`${name}-01`, `${name}-12`).map(monthPeriod) };
  }
  const period = periods.find((one) => one.name === name);
  return period && { period, parts: [] };
}

/** Sums the monthly counts within a period. */
export function countIn({ from, to }: Omit<Period, 'name'>, counts: ReadonlyMap<string, number>): number {
  return [...counts].reduce(
    (sum, [month, n]) => ((from === null || month >= from) && (to === null || month < to) ? sum + n : sum),
    0,
  );
}

/** Returns the month after the oldest 1% of the records. */
function findMainStart(
  counts: ReadonlyMap<string, number>,
  months: readonly string[],
  newest: string,
): string {
  const maxEarlier = countIn({ from: null, to: monthAfter(newest) }, counts) / 100;
  let before = 0;
  const found = months.find((month) => {
    before += counts.get(month) ?? 0;
    return before > maxEarlier;
  });
  return found ?? newest;
}

/** Lists years from the first start that fits the limit. */
function listYears(starts: readonly string[], newest: string): Period[] {
  const last = Number(newest.slice(0, 4));
  const first = starts.map((month) => Number(month.slice(0, 4))).find((year) => last - year < MAX_PERIODS);
  const from = first ?? last - MAX_PERIODS + 1;
  return Array.from({ length: last - from + 1 }, (_, i) => yearPeriod(String(from + i).padStart(4, '0')));
}

/** Stops at one month more than the limit. */
function listMonths(from: string, to: string): string[] {
  const months: string[] = [];
  for (let month: string | null = from; month !== null && month <= to; month = monthAfter(month)) {
    months.push(month);
    if (months.length > MAX_PERIODS) break;
  }
  return months;
}

function monthPeriod(month: string): Period {
  return { name: month, from: month, to: monthAfter(month) };
}

function yearPeriod(year: string): Period {
  return { name: year, from: `${year}-01`, to: monthAfter(`${year}-12`) };
}

/** Returns null after the year 9999. */
function monthAfter(month: string): string | null {
  return month === '9999-12' ? null : shiftMonth(month, 1);
}

/**
 * Counts records by month of the owner's calendar, so that a count matches the list of its month. Months are counted
 * in UTC first. Records between the UTC start and the owner's start of a month are then moved to the other month.
 */
export async function countMonths(
  stream: GrantedStream,
  reader: GrantedReader,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map((await reader.months(stream)).map(({ month, n }) => [month, n]));
  // A date without a time is the same in every zone.
  const edges = stream.timeField?.kind === 'date' ? [] : listEdges([...counts.keys()], reader.timeZone);
  const found =
    edges.length === 0
      ? []
      : await reader.countPeriods(
          stream,
          edges.map(({ from, to }) => [from, to] as const),
        );
  for (const [i, { month, startsEarlier }] of edges.entries()) {
    const [from, to] = startsEarlier ? [shiftMonth(month, -1), month] : [month, shiftMonth(month, -1)];
    counts.set(from, (counts.get(from) ?? 0) - (found[i] ?? 0));
    counts.set(to, (counts.get(to) ?? 0) + (found[i] ?? 0));
  }
  return new Map([...counts].filter(([, n]) => n > 0));
}

/** Lists the time between the start of each month in UTC and in the owner's time zone. Months with equal starts are left out. */
function listEdges(months: readonly string[], timeZone: string) {
  const starts = new Set(months.flatMap((month) => [month, shiftMonth(month, 1)]));
  return [...starts].flatMap((month) => {
    const start = Date.parse(`${month}-01T00:00:00Z`);
    const localStart = toUtc(start, timeZone);
    const startsEarlier = localStart < start;
    return localStart === start
      ? []
      : [{ month, startsEarlier, from: Math.min(start, localStart), to: Math.max(start, localStart) }];
  });
}
