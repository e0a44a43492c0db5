import { AppError } from '../../errors.ts';
import { WEEKDAYS } from '../../filter/clock-filter.ts';
import type { TimeParts, Total } from '../../store/record-reads.ts';
import { argument, hint } from '../../text/hint.ts';
import { DAY_MS } from '../../time/durations.ts';
import { bucketName, type Interval, lastEdges } from '../../time/time-buckets.ts';
import { zoneOffsets } from '../../time/zone-offsets.ts';
import { showGroups } from './aggregate-by-fields.ts';
import { addTotals, MAX_BUCKETS, readSpan } from './aggregate-by-time.ts';
import {
  type Aggregation,
  fitGroups,
  formatTotal,
  isOldestFirst,
  parseSort,
  readTotal,
  withCondition,
} from './aggregation.ts';

/** Intervals that recur on every date. */
export const recurringIntervals = ['weekday', 'hour_of_day'] as const;
type AnyInterval = Interval | (typeof recurringIntervals)[number];

export function recurs(interval: AnyInterval): interval is (typeof recurringIntervals)[number] {
  return (recurringIntervals as readonly string[]).includes(interval);
}

/**
 * Groups by an interval and at most one more field: per month and category, or by weekday. Groups are sorted by time and
 * then by the field. If not all fit, the latest are shown. Returns undefined if the order needs exact sums.
 */
export async function aggregateByParts(call: Aggregation, interval: AnyInterval) {
  const { groupBy, first, clock } = call;
  const [name, ...others] = groupBy as [string, ...string[]];
  const isDate = first.fields.get(name)?.kind === 'date';
  if (interval === 'hour_of_day' && isDate)
    throw new AppError('invalid_argument', 'A date has no hour of the day.', { hint: 'Use weekday.' });
  const time = { name, interval, zone: isDate ? 'UTC' : clock.timeZone };
  const parts = await readParts(call, time);
  const found = parts === undefined ? NO_GROUPS : await readGroups(call, name, parts);
  if (!found.isOrdered) return undefined;
  const whole = parts === undefined ? await readTotal(call) : await addTimeless(call, name, found);
  const shown = await showGroups(
    { ...call, groupBy: others },
    found.groups.map((group) => ({ ...group, by: group.by.slice(1) })),
  );
  const namePart = (at: number) =>
    parts === undefined ? '' : formatPart(parts, time, Number(found.groups[at]?.by[0]));
  return {
    group_by: groupBy,
    interval,
    ...formatTotal(call, whole),
    ...fitGroups(call, {
      rows: shown.map((row, at) => ({ [name]: namePart(at), ...row })),
      totals: found.groups,
      count: found.groupCount,
      whole,
      isReversed: isOldestFirst(call),
    }),
  };
}

const NO_GROUPS = { groups: [], groupCount: 0, isOrdered: true, value: 0, records: 0 };

/** Reads the groups of records that have a time. Sorted by time, the latest come first, because they are shown if not all fit. */
function readGroups(call: Aggregation, name: string, time: TimeParts) {
  // Last, so that the database scans by the bounds in the filter of the call.
  const conditions = withCondition(call, name, { op: 'exists', yes: true }, 'last');
  const order = parseSort(isOldestFirst(call) ? '-group' : (call.sort ?? '-group'));
  return call.context.reader.measures.groups({ ...call, time, conditions }, order, call.limit);
}

/** Adds records without a time, usually few or none, to the total. */
async function addTimeless(call: Aggregation, name: string, { value, records }: Total): Promise<Total> {
  const conditions = withCondition(call, name, { op: 'exists', yes: false }, 'first');
  const timeless = await call.context.reader.measures.total({ ...call, groupBy: [], conditions });
  if (timeless.records === 0) return { value, records };
  return addTotals(call, [{ value, records }, timeless]) ?? (await readTotal(call));
}

interface TimeGroup {
  readonly name: string;
  readonly interval: AnyInterval;
  readonly zone: string;
}

/** Returns how times are mapped to groups. Undefined if no record has a time. */
async function readParts(
  call: Aggregation,
  { name, interval, zone }: TimeGroup,
): Promise<TimeParts | undefined> {
  // The span of all records is cached, and wide enough for any filter.
  const readAll = () => readSpan({ ...call, conditions: new Map() }, name);
  const span = await call.context.reader.cached('span', call.streams, [name], readAll);
  if (span === undefined) return undefined;
  if (interval !== 'month' && interval !== 'quarter' && interval !== 'year')
    return { kind: interval, offsets: zoneOffsets(span.first, span.last, zone) };
  const edges = findEdges(span, interval, zone) ?? findEdges(await readSpan(call, name), interval, zone);
  if (edges !== undefined) return { kind: 'edges', edges };
  throw new AppError(
    'too_many_groups',
    `Grouping by interval and another field is limited to ${MAX_BUCKETS} intervals.`,
    { hint: hint`Use a longer interval, or narrow the time with ${argument('filter')}.` },
  );
}

function findEdges(
  span: { first: number; last: number } | undefined,
  interval: Interval,
  zone: string,
): number[] | undefined {
  if (span === undefined) return [];
  const edges = lastEdges(span.first, span.last, interval, zone, MAX_BUCKETS);
  return (edges[0] as number) <= span.first ? edges : undefined;
}

/** Names a part of time: a weekday, an hour such as `22:00`, or an interval. */
function formatPart(parts: TimeParts, { interval, zone }: TimeGroup, part: number): string {
  if (parts.kind === 'weekday') return WEEKDAYS[part] as string;
  if (recurs(interval)) return `${String(part).padStart(2, '0')}:00`;
  if (parts.kind === 'day' || parts.kind === 'week') return bucketName(part * DAY_MS, 'day', 'UTC');
  return bucketName(parts.kind === 'edges' ? (parts.edges[part] as number) : part, interval, zone);
}
