import { shiftMonth } from '../../time/month.ts';

/** A piece of the calendar, made of whole months of the owner's. */
export interface Period {
  /** `2026-03`, `2026`, or what lies before or after all of these: `earlier`, `later`. */
  readonly name: string;
  /** Its first month; null where it has no beginning. */
  readonly from: string | null;
  /** The month after its last one; null where it has no end. */
  readonly to: string | null;
}

export interface Periods {
  readonly interval: 'month' | 'year';
  readonly periods: readonly Period[];
}

/** As many bars as can be told apart on a phone. */
const MAX_PERIODS = 60;

/**
 * The periods of a chart, oldest first. Together they hold every month that has records: where months would be too many
 * they are years. A few records that are far older, and those of the future, have one period of their own each, so that
 * a wrong clock does not flatten the rest.
 */
export function choosePeriods(counts: ReadonlyMap<string, number>, thisMonth: string): Periods {
  const months = [...counts.keys()].sort();
  const [oldest] = months;
  const newest = months.findLast((month) => month <= thisMonth) ?? months.at(-1);
  if (oldest === undefined || newest === undefined) return { interval: 'month', periods: [] };
  const main = skipFew(counts, months, newest);
  const start = [oldest, main].find((month) => listMonths(month, newest).length <= MAX_PERIODS);
  const periods =
    start === undefined ? listYears([oldest, main], newest) : listMonths(start, newest).map(monthPeriod);
  const [from = null, to = null] = [periods[0]?.from, periods.at(-1)?.to];
  const earlier = from !== null && oldest < from ? [{ name: 'earlier', from: null, to: from }] : [];
  const later = to !== null && (months.at(-1) as string) >= to ? [{ name: 'later', from: to, to: null }] : [];
  return { interval: start === undefined ? 'year' : 'month', periods: [...earlier, ...periods, ...later] };
}

/** The period that a name means, and the periods that it is made of in a chart of its own. */
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

/** How many of the records, counted by month, are of a period. */
export function countIn({ from, to }: Omit<Period, 'name'>, counts: ReadonlyMap<string, number>): number {
  return [...counts].reduce(
    (sum, [month, n]) => ((from === null || month >= from) && (to === null || month < to) ? sum + n : sum),
    0,
  );
}

/** The first month without the oldest hundredth of the records. */
function skipFew(counts: ReadonlyMap<string, number>, months: readonly string[], newest: string): string {
  const few = countIn({ from: null, to: monthAfter(newest) }, counts) / 100;
  let before = 0;
  const found = months.find((month) => {
    before += counts.get(month) ?? 0;
    return before > few;
  });
  return found ?? newest;
}

/** From the first of the starts that fits, or as many as fit. */
function listYears(starts: readonly string[], newest: string): Period[] {
  const last = Number(newest.slice(0, 4));
  const first = starts.map((month) => Number(month.slice(0, 4))).find((year) => last - year < MAX_PERIODS);
  const from = first ?? last - MAX_PERIODS + 1;
  return Array.from({ length: last - from + 1 }, (_, i) => yearPeriod(String(from + i).padStart(4, '0')));
}

/** One more than fit are enough to know that they do not. */
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

/** Null after the last month that can be named. */
function monthAfter(month: string): string | null {
  return month === '9999-12' ? null : shiftMonth(month, 1);
}
