import { DAY_MS, HOUR_MS } from '../../../../time/durations.ts';
import type { TimeParts } from '../../../record-reads.ts';
import { type Sql, sql } from '../../sql.ts';

const lit = (value: number) => sql.raw(`${value}::int8`);
const HOUR = lit(HOUR_MS);
const DAY = lit(DAY_MS);
/** Weeks that are added to make every time positive: the database rounds towards zero. */
const WEEKS = 1_000_000;
const DAYS_LIFTED = lit(7 * WEEKS);
const LIFTED = lit(7 * WEEKS * DAY_MS);
/** The first day of 1970 was a Thursday, and weeks begin on Monday. */
const THURSDAY = lit(3);

/**
 * Selects the group of a time as a number: the index of a period, the instant at which an hour begins, the day since
 * 1970, the day of a week's Monday, the weekday from 0 for Monday, or the hour of the day.
 */
export function timeGroup(time: Sql, parts: TimeParts): Sql {
  if (parts.kind === 'edges') {
    const ends = parts.edges.slice(1);
    // Without a time it is the last period, as in SQLite.
    return sql`coalesce(${choose(time, ends)}, ${Math.max(0, ends.length - 1)}::int4)`;
  }
  const { offsets } = parts;
  const list = offsets.length === 0 ? [0] : offsets.map((one) => one.offset);
  const ends = offsets.map((one) => one.until);
  const offset = sql`(${list}::float8[])[${choose(time, ends)} + 1]`;
  const shown = sql`((${time} + ${offset})::int8 + ${LIFTED})`;
  switch (parts.kind) {
    case 'hour':
      return sql`(${time}::int8 - ${shown} % ${HOUR})`;
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

/** Selects which of some ascending ends a time is before. The last end is never passed. */
function choose(time: Sql, ends: readonly number[]): Sql {
  return sql`width_bucket(${time}::float8, ${ends.slice(0, -1)}::float8[])`;
}
