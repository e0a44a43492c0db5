import { AppError } from '../../errors.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { ToolContext } from '../../reads/granted-read.ts';
import type { Clock, Condition } from '../../schema-index/filter.ts';
import type { GroupOrder, Total } from '../../store/record-reads.ts';
import { showGroups } from './aggregate-by-fields.ts';
import { addTotals, withCondition } from './aggregate-by-time.ts';
import type { AggregateInput } from './aggregate-input.ts';
import { describeOther, fitGroups, readWhole, showWhole } from './group-rows.ts';
import { type AnyInterval, namePart, readParts } from './time-parts.ts';

interface PartOptions {
  readonly interval: AnyInterval;
  readonly sort: AggregateInput['sort'];
  readonly limit: number;
  readonly clock: Clock;
}

/**
 * Groups by a part of time and at most one more field: per month and category, or by the day of the week. In order of
 * time, and among equal times of the other field; where not all are shown, the latest. Undefined where near sums leave
 * the order open.
 */
export async function aggregateByParts(
  measure: Measure,
  first: GrantedStream,
  { interval, sort, limit, clock }: PartOptions,
  context: ToolContext,
) {
  const [name, ...others] = measure.groupBy as [string, ...string[]];
  const isDate = first.fields.get(name)?.kind === 'date';
  if (interval === 'hour_of_day' && isDate)
    throw new AppError('invalid_argument', 'A date has no hour of the day.', { hint: 'Use weekday.' });
  const zone = isDate ? 'UTC' : clock.timeZone;
  const shape = { group_by: measure.groupBy, interval };
  const parts = await readParts(measure, { name, interval, zone }, context);
  if (parts === undefined) {
    const whole = await readWhole(measure, context);
    return {
      ...shape,
      ...showWhole(measure, first, whole, clock.timeZone),
      groups: [],
      ...describeOther(measure, 0, whole, []),
    };
  }

  const timed = { ...measure, time: parts, conditions: withTime(measure, name) };
  const found = await context.reader.measures.groups(timed, readOrder(sort), limit);
  if (!found.isOrdered) return undefined;
  const whole = await addTimeless(measure, name, found, context);
  const plain = { ...measure, groupBy: others };
  const beside = found.groups.map((group) => ({ ...group, by: group.by.slice(1) }));
  const named = await showGroups(plain, first, beside, clock.timeZone, context);
  const rows = named.map((row, at) => ({
    [name]: namePart(parts, { interval, zone }, Number(found.groups[at]?.by[0])),
    ...row,
  }));
  const fitting = fitGroups(rows);
  return {
    ...shape,
    ...showWhole(measure, first, whole, clock.timeZone),
    groups: isByTime(sort) ? fitting.toReversed() : fitting,
    ...describeOther(
      measure,
      found.groupCount - fitting.length,
      whole,
      found.groups.slice(0, fitting.length),
    ),
  };
}

/** Only what has a time is in a part of it. Last, because bounds of the time that are asked for are gone by first. */
function withTime({ streams, conditions }: Measure, name: string): Measure['conditions'] {
  return new Map(
    streams.map((stream) => {
      const field = stream.fields.get(name);
      const added: Condition[] = field === undefined ? [] : [{ field, op: 'exists', yes: true }];
      return [stream, [...(conditions.get(stream) ?? []), ...added]];
    }),
  );
}

const isByTime = (sort: AggregateInput['sort']) => sort === undefined || sort === 'group';

/** By time the latest come first, because they are the ones to keep; they are turned round to be shown. */
function readOrder(sort: AggregateInput['sort']): GroupOrder {
  if (sort === undefined || isByTime(sort)) return { by: 'group', direction: 'desc' };
  return { by: sort.endsWith('value') ? 'value' : 'group', direction: sort.startsWith('-') ? 'desc' : 'asc' };
}

/** All that was measured: what has a time was gone through, and what has none mostly is little or nothing. */
async function addTimeless(
  measure: Measure,
  name: string,
  { value, records }: Total,
  context: ToolContext,
): Promise<Total> {
  const conditions = withCondition(measure, name, { op: 'exists', yes: false });
  const timeless = await context.reader.measures.total({ ...measure, groupBy: [], conditions });
  if (timeless.records === 0) return { value, records };
  return addTotals(measure, [{ value, records }, timeless]) ?? (await readWhole(measure, context));
}
