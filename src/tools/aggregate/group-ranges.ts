import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { ToolContext } from '../../reads/granted-read.ts';
import type { Clock } from '../../schema-index/filter.ts';
import type { GroupOrder } from '../../store/record-reads.ts';
import { escapeValue } from '../../text/escape-text.ts';
import { Budget } from '../projector.ts';
import { showGroups } from './aggregate-by-fields.ts';
import { type Aggregated, describeOther, isOpen, showWhole } from './group-rows.ts';

/** A range of time that a call names: as it is shown, and as conditions. */
export interface NamedRange {
  readonly shown: { readonly range: string };
  readonly own: Measure['conditions'];
}

/** The measure of what lies in a range. The range comes first: the database goes along the time by it. */
export function within(measure: Measure, range: Measure['conditions']): Measure {
  const conditions = new Map(
    measure.streams.map((stream) => [
      stream,
      [...(range.get(stream) ?? []), ...(measure.conditions.get(stream) ?? [])],
    ]),
  );
  return { ...measure, conditions };
}

/** What is kept free for all but the groups and ranges. */
const ENVELOPE = 'x'.repeat(1_200);

/**
 * The groups of each range: the first ones in the order asked for, as many of each range as fit for all of them. Each range
 * says what it comes to as a whole and what its groups leave out.
 */
export async function groupRanges(
  measure: Measure,
  first: GrantedStream,
  ranges: readonly NamedRange[],
  { order, limit, clock }: { order: GroupOrder; limit: number; clock: Clock },
  context: ToolContext,
) {
  const found = [];
  for (const { shown, own } of ranges) {
    const ranged = within(measure, own);
    const groups = await context.reader.measures.groups(ranged, order, limit);
    if (!groups.isOrdered) return undefined;
    const rows = await showGroups(ranged, first, groups.groups, clock.timeZone, context);
    const whole = showWhole(measure, first, groups, clock.timeZone);
    found.push({
      shown,
      groups,
      whole,
      rows: rows.map((row) => escapeValue({ range: shown.range, ...row }) as typeof row),
    });
  }
  const budget = new Budget();
  budget.take(ENVELOPE);
  for (const { shown, whole } of found)
    budget.take({ ...shown, ...whole, other: { groups: 0, records: 0, value: 0 } });
  const fitting = countFitting(
    found.map(({ rows }) => rows),
    budget,
  );
  const summaries: (Aggregated & { range: string })[] = found.map(({ shown, groups, whole }) => ({
    ...shown,
    ...whole,
    ...describeOther(
      measure,
      groups.groupCount - Math.min(fitting, groups.groups.length),
      groups,
      groups.groups.slice(0, fitting),
    ),
  }));
  const groups = found.flatMap(({ rows }) => rows.slice(0, fitting));
  if (isOpen({ groups }) || summaries.some(isOpen)) return undefined;
  return { ranges: summaries, groups };
}

/** How many groups of each range fit, if each range shows as many. */
function countFitting(lists: readonly (readonly unknown[])[], budget: Budget): number {
  const most = Math.max(0, ...lists.map((rows) => rows.length));
  for (let at = 0; at < most; at++)
    for (const rows of lists) if (rows[at] !== undefined && !budget.take(rows[at])) return at;
  return most;
}
