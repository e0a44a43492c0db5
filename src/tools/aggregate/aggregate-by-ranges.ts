import { AppError } from '../../errors.ts';
import { type Clock, type Condition, describeTimes, parseFilter } from '../../filter/filter.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import type { GroupOrder, Total } from '../../store/record-reads.ts';
import { escapeText, escapeValue } from '../../text/escape-text.ts';
import { Budget } from '../envelope.ts';
import { addOffsets } from '../filter/read-filter.ts';
import { showGroups } from './aggregate-by-fields.ts';
import { type Aggregated, describeOther, isOpen, readWhole, showValue, showWhole } from './group-rows.ts';

const MAX_RANGES = 12;
const LONGEST_NAME = 60;

interface RangeOptions {
  readonly ranges: Record<string, unknown>;
  readonly order: GroupOrder;
  readonly limit: number;
  readonly clock: Clock;
}

/**
 * Stretches of time beside each other, as a call names them: this summer and the last. They may overlap and leave
 * gaps, so there is no whole that they are parts of. With a field beside the time, each range has its groups.
 * Undefined where near sums leave a value or the order open.
 */
export async function aggregateByRanges(
  measure: Measure,
  first: GrantedStream,
  { ranges, order, limit, clock }: RangeOptions,
  context: ReadContext,
) {
  const [name, ...others] = measure.groupBy as [string, ...string[]];
  const named: NamedRange[] = [];
  for (const [range, test] of checkRanges(ranges)) {
    const own = new Map<GrantedStream, readonly Condition[]>();
    for (const stream of measure.streams)
      own.set(
        stream,
        await addOffsets(parseFilter({ [name]: test }, stream.fields, clock), stream, context.reader),
      );
    const bounds = describeTimes(own.get(first) ?? [], clock.timeZone)?.[name];
    named.push({ shown: { range: escapeText(range), ...bounds }, own });
  }
  if (others.length > 0) {
    const plain = { ...measure, groupBy: others };
    const grouped = await groupRanges(plain, first, named, { order, limit, clock }, context);
    return grouped && { group_by: measure.groupBy, ...grouped };
  }
  const own = named.map((one) => one.own);
  const totals = overlapOften(own.map((one) => one.get(first) ?? []))
    ? await context.reader.measures.ranges(measure, name, own)
    : await readEach(measure, own, context);
  const groups = named.map(({ shown }, at) => {
    const { value, records } = totals[at] as Total;
    return {
      ...shown,
      value: showValue(measure, first, value, clock.timeZone),
      ...(measure.metric === 'count' ? {} : { records }),
    };
  });
  return { group_by: [name], groups };
}

type Conditions = Measure['conditions'];

/** One after the other: each is a short way along the time, where few share it. */
async function readEach(
  measure: Measure,
  ranges: readonly Conditions[],
  context: ReadContext,
): Promise<Total[]> {
  const totals: Total[] = [];
  for (const range of ranges)
    totals.push(await readWhole({ ...within(measure, range), groupBy: [] }, context));
  return totals;
}

/** Ranges that share some instant beyond this many would go through the same records as often. */
const MAX_SHARING = 2;

function overlapOften(ranges: readonly (readonly Condition[])[]): boolean {
  const bounds = ranges.map(boundsOf);
  return bounds.some(
    ([from]) => bounds.filter(([low, high]) => low <= from && from < high).length > MAX_SHARING,
  );
}

/** From where to where a range goes at the most. */
function boundsOf(conditions: readonly Condition[]): [from: number, to: number] {
  let [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const one of conditions) {
    if (one.op === 'gt' || one.op === 'gte') from = Math.max(from, Number(one.value));
    if (one.op === 'lt' || one.op === 'lte') to = Math.min(to, Number(one.value));
    if (one.op !== 'within') continue;
    from = Math.max(from, Math.min(...one.stretches.map(([start]) => start)));
    to = Math.min(to, Math.max(...one.stretches.map(([, end]) => end)));
  }
  return [from, to];
}

function checkRanges(ranges: Record<string, unknown>): [string, unknown][] {
  const entries = Object.entries(ranges);
  const isFine = entries.length > 0 && entries.length <= MAX_RANGES;
  if (isFine && entries.every(([name]) => name.length <= LONGEST_NAME)) return entries;
  throw new AppError('invalid_argument', `ranges holds 1 to ${MAX_RANGES} ranges with short names.`, {
    hint: 'Write {"may": "2026-05", "holidays": {"gte": "2026-06-20", "lt": "2026-07-04"}}.',
  });
}

/** A range of time that a call names: as it is shown, and as conditions. */
interface NamedRange {
  readonly shown: { readonly range: string };
  readonly own: Measure['conditions'];
}

/** The measure of what lies in a range. The range comes first: the database goes along the time by it. */
function within(measure: Measure, range: Measure['conditions']): Measure {
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
async function groupRanges(
  measure: Measure,
  first: GrantedStream,
  ranges: readonly NamedRange[],
  { order, limit, clock }: { order: GroupOrder; limit: number; clock: Clock },
  context: ReadContext,
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
