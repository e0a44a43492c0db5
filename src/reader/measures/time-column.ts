import { type RawBuilder, sql } from 'kysely';

/** How far a clock is ahead of UTC, up to an instant that does not belong to it; the last has no end. */
interface Offset {
  readonly until: number;
  readonly offset: number;
}

/** How times become groups: stretches between edges, or the days of the week and hours of the day of a clock. */
export type TimeParts =
  | { readonly kind: 'edges'; readonly edges: readonly number[] }
  | { readonly kind: 'weekday'; readonly offsets: readonly Offset[] }
  | { readonly kind: 'hour_of_day'; readonly offsets: readonly Offset[] };

const DAY = sql.lit(86_400_000);
const HOUR = sql.lit(3_600_000);
/** Whole weeks that lift every time above zero, where the database rounds towards. */
const WEEKS = sql.lit(7 * 86_400_000 * 1_000_000);
/** The first day of 1970 was a Thursday, and weeks begin on Monday. */
const THURSDAY = sql.lit(3);

/** A time's group as a number: of a stretch its place, of a weekday 0 for Monday, of an hour itself. */
export function timeGroup(column: RawBuilder<unknown>, parts: TimeParts): RawBuilder<unknown> {
  if (parts.kind === 'edges') return choose(column, parts.edges.slice(1), sql.lit, 0);
  const ends = parts.offsets.map((one) => one.until);
  const offset = choose(column, ends, (at) => sql.lit(parts.offsets[at]?.offset ?? 0), 0);
  const shown = sql`(cast(${column} + ${offset} as integer) + ${WEEKS})`;
  return parts.kind === 'weekday'
    ? sql`((${shown} / ${DAY} + ${THURSDAY}) % ${sql.lit(7)})`
    : sql`((${shown} / ${HOUR}) % ${sql.lit(24)})`;
}

/** Which of some ends, given in order, a value lies before: halved again and again, because there may be many. */
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
  return sql`case when ${column} < ${ends[half - 1]} then ${below} else ${above} end`;
}
