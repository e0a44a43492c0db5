import { AppError } from '../../errors.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { GroupOrder } from '../../reader/measures/read-aggregate.ts';
import type { TimeParts } from '../../reader/measures/time-column.ts';
import type { Clock } from '../../schema-index/filter.ts';
import { bucketName, lastEdges } from '../../time/time-buckets.ts';
import { zoneOffsets } from '../../time/zone-offsets.ts';
import type { ToolContext } from '../granted-read.ts';
import { showGroups } from './aggregate-by-fields.ts';
import { MOST_BUCKETS, readSpan, withCondition } from './aggregate-by-time.ts';
import { type AggregateInput, clockIntervals } from './aggregate-input.ts';
import { describeOther, fitGroups, readWhole, showWhole } from './group-rows.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

type Interval = NonNullable<AggregateInput['interval']>;

/** Whether an interval comes round again, such as Mondays, whatever the date. */
export const comesRound = (interval: Interval): interval is (typeof clockIntervals)[number] =>
  (clockIntervals as readonly string[]).includes(interval);

/**
 * Groups by a part of time and one more field: per month and category, or by the day of the week. In order of time,
 * and among equal times of the other field; where not all are shown, the latest.
 */
export async function aggregateByParts(
  measure: Measure,
  first: GrantedStream,
  {
    interval,
    sort,
    limit,
    clock,
  }: { interval: Interval; sort: AggregateInput['sort']; limit: number; clock: Clock },
  context: ToolContext,
) {
  const [name, other] = measure.groupBy as [string, string?];
  const zone = first.fields.get(name)?.kind === 'date' ? 'UTC' : clock.timeZone;
  if (interval === 'hour_of_day' && first.fields.get(name)?.kind === 'date')
    throw new AppError('invalid_argument', 'A date has no hour of the day.', { hint: 'Use weekday.' });
  const whole = await readWhole(measure, context);
  const shape = { group_by: measure.groupBy, interval, ...showWhole(measure, first, whole, clock.timeZone) };
  const span = await readSpan(measure, name, context);
  if (span === undefined) return { ...shape, groups: [], ...describeOther(measure, 0, whole, []) };

  const parts = readParts(interval, span, zone);
  // Only what has a time is in a part of it.
  const timed = { ...measure, parts, conditions: withCondition(measure, name, { op: 'exists', yes: true }) };
  const isByTime = sort === undefined || sort === 'group';
  const order: GroupOrder = isByTime
    ? { by: 'group', direction: 'desc' }
    : { by: sort.endsWith('value') ? 'value' : 'group', direction: sort.startsWith('-') ? 'desc' : 'asc' };
  const found = await context.reader.measures.groups(timed, order, limit);
  const plain = { ...measure, groupBy: other === undefined ? [] : [other] };
  const named = await showGroups(
    plain,
    first,
    found.groups.map((group) => ({ ...group, by: group.by.slice(1) })),
    clock.timeZone,
    context,
  );
  const rows = named.map((row, at) => ({
    [name]: namePart(parts, interval, zone, Number(found.groups[at]?.by[0])),
    ...row,
  }));
  const fitting = fitGroups(rows);
  const groups = isByTime ? fitting.toReversed() : fitting;
  const left = found.groupCount - groups.length;
  return {
    ...shape,
    groups,
    ...describeOther(measure, left, whole, found.groups.slice(0, groups.length)),
  };
}

/** How a part of time is called: as an interval is, or by the day of the week, or as a clock shows the hour. */
function namePart(parts: TimeParts, interval: Interval, zone: string, part: number): string {
  if (parts.kind === 'weekday') return WEEKDAYS[part] as string;
  if (parts.kind === 'hour_of_day' || comesRound(interval)) return `${String(part).padStart(2, '0')}:00`;
  return bucketName(parts.edges[part] as number, interval, zone);
}

function readParts(interval: Interval, span: { first: number; last: number }, zone: string): TimeParts {
  if (comesRound(interval)) return { kind: interval, offsets: zoneOffsets(span.first, span.last, zone) };
  const edges = lastEdges(span.first, span.last, interval, zone, MOST_BUCKETS);
  if ((edges[0] as number) <= span.first) return { kind: 'edges', edges };
  throw new AppError(
    'too_many_groups',
    `Grouping by a field too looks at no more than ${MOST_BUCKETS} intervals.`,
    {
      hint: 'Use a longer interval, or narrow the time with filter.',
    },
  );
}
