import { type RawBuilder, sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../../../time/durations.ts';
import type { TimeParts } from '../../../record-reads.ts';

const HOUR = sql.lit(HOUR_MS);
const DAY = sql.lit(DAY_MS);
/** Weeks that are added to make every time positive: the database rounds towards zero. */
const WEEKS = 1_000_000;
const DAYS_LIFTED = sql.lit(7 * WEEKS);
const LIFTED = sql.lit(7 * WEEKS * DAY_MS);
/** The first day of 1970 was a Thursday, and weeks begin on Monday. */
const THURSDAY = sql.lit(3);

/**
 * Selects the group of a time as a number: the index of a period, the instant at which an hour begins, the day since
 * 1970, the day of a week's Monday, the weekday from 0 for Monday, or the hour of the day.
 */
export function timeGroup(column: RawBuilder<unknown>, parts: TimeParts): RawBuilder<unknown> {
  if (parts.kind === 'edges') return choose(column, parts.edges.slice(1), sql.lit, 0);
  const ends = parts.offsets.map((one) => one.until);
  const offset = choose(column, ends, (at) => sql.lit(parts.offsets[at]?.offset ?? 0), 0);
  const shown = sql`(cast(${column} + ${offset} as integer) + ${LIFTED})`;
  switch (parts.kind) {
    case 'hour':
      return sql`(cast(${column} as integer) - ${shown} % ${HOUR})`;
    case 'day':
      return sql`(${shown} / ${DAY} - ${DAYS_LIFTED})`;
    case 'week':
      return sql`((${shown} / ${DAY} + ${THURSDAY}) / 7 * 7 - ${THURSDAY} - ${DAYS_LIFTED})`;
    case 'weekday':
      return sql`((${shown} / ${DAY} + ${THURSDAY}) % 7)`;
    case 'hour_of_day':
      return sql`(${shown} / ${HOUR} % 24)`;
  }
}

/** Selects by binary search which of some ascending ends a value is before. */
function choose(
  column: RawBuilder<unknown>,
  ends: readonly number[],
  show: (at: number) => RawBuilder<unknown>,
  from: number,
): RawBuilder<unknown> {
  if (ends.length <= 1) return show(from);
  const half = Math.floor(ends.length / 2);
  const below = choose(column, ends.slice(0, half), show, from);
  const above = choose(column, ends.slice(half), show, from + half);
  return sql`case when ${column} < ${sql.lit(ends[half - 1])} then ${below} else ${above} end`;
}
