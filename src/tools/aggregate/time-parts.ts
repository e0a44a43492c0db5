import { AppError } from '../../errors.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { ToolContext } from '../../reads/granted-read.ts';
import { WEEKDAYS } from '../../schema-index/clock-filter.ts';
import type { TimeParts } from '../../store/record-reads.ts';
import { argument, hint } from '../../text/hint.ts';
import { bucketName, type Interval, lastEdges } from '../../time/time-buckets.ts';
import { zoneOffsets } from '../../time/zone-offsets.ts';
import { MOST_BUCKETS, readSpan } from './aggregate-by-time.ts';
import { type AggregateInput, clockIntervals } from './aggregate-input.ts';

export type AnyInterval = NonNullable<AggregateInput['interval']>;

const DAY = 86_400_000;

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
export async function readParts(
  measure: Measure,
  { name, interval, zone }: Asked,
  context: ToolContext,
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
    `Grouping by a field too looks at no more than ${MOST_BUCKETS} intervals.`,
    { hint: hint`Use a longer interval, or narrow the time with ${argument('filter')}.` },
  );
}

function edgesOf(
  span: { first: number; last: number } | undefined,
  interval: Interval,
  zone: string,
): number[] | undefined {
  if (span === undefined) return [];
  const edges = lastEdges(span.first, span.last, interval, zone, MOST_BUCKETS);
  return (edges[0] as number) <= span.first ? edges : undefined;
}

/** How a part of time is called: as an interval is, or by the day of the week, or as a clock shows the hour. */
export function namePart(parts: TimeParts, { interval, zone }: Omit<Asked, 'name'>, part: number): string {
  if (parts.kind === 'weekday') return WEEKDAYS[part] as string;
  if (comesRound(interval)) return `${String(part).padStart(2, '0')}:00`;
  if (parts.kind === 'day' || parts.kind === 'week') return bucketName(part * DAY, 'day', 'UTC');
  return bucketName(parts.kind === 'edges' ? (parts.edges[part] as number) : part, interval, zone);
}
