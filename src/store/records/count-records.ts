import { DAY_MS } from '../../time/durations.ts';
import type { Condition } from '../conditions.ts';
import type { Period } from '../record-reads.ts';
import type { Scope } from '../scope.ts';
import { NO_TIME } from '../values.ts';
import { coversWholeDays, isUnrestricted, isWindowed } from './visible-part.ts';

/** From the first value up to the second, without it. */
export type Range = readonly [from: number, to: number];

/** All times. Records without a time are before the first. */
export const ALL_TIMES: Range = [NO_TIME + 1, Number.MAX_SAFE_INTEGER];

/** The counts of a database, from which `countRecords` chooses the cheapest. */
export interface Counts {
  /** Counts all records of streams, by the totals per day. */
  whole(scopes: readonly Scope[]): Promise<number>;
  /** Counts visible records with conditions, one by one. */
  each(scope: Scope, conditions: readonly Condition[]): Promise<number>;
  /** Counts visible records of each period, by day where a whole day is visible and by record at the ends. */
  periods(scope: Scope, periods: readonly Range[]): Promise<number[]>;
}

/** Counts visible records, in a period or with conditions. */
export async function countRecords(
  counts: Counts,
  scope: Scope,
  conditions: readonly Condition[] = [],
  { from = ALL_TIMES[0], to = ALL_TIMES[1] }: Period = {},
): Promise<number> {
  if (conditions.length > 0) return counts.each(scope, conditions);
  const isBounded = from !== ALL_TIMES[0] || to !== ALL_TIMES[1];
  if (isBounded || isWindowed(scope)) return (await counts.periods(scope, [[from, to]]))[0] ?? 0;
  return coversWholeDays(scope) ? counts.whole([scope]) : counts.each(scope, []);
}

/** Counts the records of several streams. Those that are visible as a whole are counted by one statement. */
export async function countTogether(counts: Counts, scopes: readonly Scope[]): Promise<number> {
  const whole = scopes.filter(isUnrestricted);
  let total = whole.length === 0 ? 0 : await counts.whole(whole);
  for (const scope of scopes) if (!isUnrestricted(scope)) total += await countRecords(counts, scope);
  return total;
}

/** The visible part of a period: whole days, which have totals, and the times before and after them. */
export interface PeriodParts {
  readonly days: Range;
  readonly before: Range;
  readonly after: Range;
}

/** Splits a period. If no whole day in it is visible, `before` is the whole period. */
export function splitPeriod(scope: Scope, [start, end]: Range): PeriodParts {
  const from = toTime(Math.max(scope.since ?? start, start));
  const to = Math.max(from, toTime(Math.min(scope.until ?? end, end)));
  const [first, last] = [Math.ceil(from / DAY_MS), Math.floor(to / DAY_MS)];
  if (first >= last || !coversWholeDays(scope)) return { days: [0, 0], before: [from, to], after: [to, to] };
  return { days: [first, last], before: [from, first * DAY_MS], after: [last * DAY_MS, to] };
}

/** Returns the first whole millisecond of a bound, which may lie outside of all times. */
function toTime(bound: number): number {
  return Math.min(ALL_TIMES[1], Math.max(ALL_TIMES[0], Math.ceil(bound)));
}
