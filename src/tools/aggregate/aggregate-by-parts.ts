import { AppError } from '../../errors.ts';
import { WEEKDAYS } from '../../filter/clock-filter.ts';
import type { Clock, Condition } from '../../filter/filter.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import type { GroupOrder, TimeParts, Total } from '../../store/record-reads.ts';
import { argument, hint } from '../../text/hint.ts';
import { DAY_MS } from '../../time/durations.ts';
import { bucketName, type Interval, lastEdges } from '../../time/time-buckets.ts';
import { zoneOffsets } from '../../time/zone-offsets.ts';
import { showGroups } from './aggregate-by-fields.ts';
import { addTotals, MAX_BUCKETS, readSpan, withCondition } from './aggregate-by-time.ts';
import { type AggregateInput, clockIntervals } from './aggregate-input.ts';
import { describeOther, fitGroups, readWhole, showWhole } from './group-rows.ts';

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
  context: ReadContext,
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
  context: ReadContext,
): Promise<Total> {
  const conditions = withCondition(measure, name, { op: 'exists', yes: false });
  const timeless = await context.reader.measures.total({ ...measure, groupBy: [], conditions });
  if (timeless.records === 0) return { value, records };
  return addTotals(measure, [{ value, records }, timeless]) ?? (await readWhole(measure, context));
}

type AnyInterval = NonNullable<AggregateInput['interval']>;

/** Whether an interval comes round again, such as Mondays, whatever the date. */
export const comesRound = (interval: AnyInterval): interval is (typeof clockIntervals)[number] =>
  (clockIntervals as readonly string[]).includes(interval);

interface Asked {
  /** The field of the time. */
  readonly name: string;
  readonly interval: AnyInterval;
  readonly zone: string;
}

/** How the times there are become groups; undefined where there are none. */
async function readParts(
  measure: Measure,
  { name, interval, zone }: Asked,
  context: ReadContext,
): Promise<TimeParts | undefined> {
  // A clock is the same whatever is asked for, and of all records the first and the last are soon known.
  const all = () => readSpan({ ...measure, conditions: new Map() }, name, context);
  const span = await context.reader.keep('span', measure.streams, [name], all);
  if (span === undefined) return undefined;
  if (interval !== 'month' && interval !== 'quarter' && interval !== 'year')
    return { kind: interval, offsets: zoneOffsets(span.first, span.last, zone) };
  const edges =
    edgesOf(span, interval, zone) ?? edgesOf(await readSpan(measure, name, context), interval, zone);
  if (edges !== undefined) return { kind: 'edges', edges };
  throw new AppError(
    'too_many_groups',
    `Grouping by a field too looks at no more than ${MAX_BUCKETS} intervals.`,
    { hint: hint`Use a longer interval, or narrow the time with ${argument('filter')}.` },
  );
}

function edgesOf(
  span: { first: number; last: number } | undefined,
  interval: Interval,
  zone: string,
): number[] | undefined {
  if (span === undefined) return [];
  const edges = lastEdges(span.first, span.last, interval, zone, MAX_BUCKETS);
  return (edges[0] as number) <= span.first ? edges : undefined;
}

/** How a part of time is called: as an interval is, or by the day of the week, or as a clock shows the hour. */
function namePart(parts: TimeParts, { interval, zone }: Omit<Asked, 'name'>, part: number): string {
  if (parts.kind === 'weekday') return WEEKDAYS[part] as string;
  if (comesRound(interval)) return `${String(part).padStart(2, '0')}:00`;
  if (parts.kind === 'day' || parts.kind === 'week') return bucketName(part * DAY_MS, 'day', 'UTC');
  return bucketName(parts.kind === 'edges' ? (parts.edges[part] as number) : part, interval, zone);
}
