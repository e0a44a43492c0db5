import { AppError } from '../errors.ts';
import type { Measure } from '../grants/granted-reader.ts';
import type { GrantedStream } from '../grants/granted-stream.ts';
import type { Condition } from '../schema-index/filter.ts';
import { bucketName, type Interval, lastEdges } from '../schema-index/time-buckets.ts';
import type { AggregateInput } from './aggregate-input.ts';
import { describeOther, fitGroups, isPlainCount, isUnfiltered, readWhole, showValue } from './group-rows.ts';
import type { ToolContext } from './tool.ts';

/** Ordering by value needs every bucket; beyond this many, the caller is asked to narrow or coarsen. */
const MOST_BUCKETS = 2_000;

type TimeInput = AggregateInput & { interval: Interval; limit: number };

interface Bucket {
  start: number;
  value: unknown;
  records: number;
}

/**
 * Per hour, day, week, month, quarter or year of the zone's clock. In order of time, only the latest
 * buckets are computed and all earlier ones are one "other": the cost follows what is shown.
 */
export async function aggregateByTime(
  measure: Measure,
  first: GrantedStream,
  args: TimeInput,
  context: ToolContext,
) {
  const { reader } = context;
  const [name] = measure.groupBy as [string];
  const field = first.fields.get(name);
  const timeZone = field?.kind === 'date' ? 'UTC' : (args.time_zone ?? reader.timeZone);
  const shape = { group_by: name, interval: args.interval, time_zone: timeZone };
  const whole = await readWhole(measure, context);
  const span = await readSpan(measure, first, name, context);
  const total = { total: showValue(measure, first, whole.value), records: whole.records };
  if (span === undefined) return { ...shape, ...total, groups: [], ...describeOther(measure, 0, whole, []) };

  const byValue = args.sort === 'value' || args.sort === '-value';
  const edges = lastEdges(
    span.first,
    span.last,
    args.interval,
    timeZone,
    byValue ? MOST_BUCKETS : args.limit,
  );
  const rest = (edges[0] as number) > span.first;
  if (byValue && rest) {
    throw new AppError(
      'too_many_groups',
      `Ordering by value looks at no more than ${MOST_BUCKETS} intervals.`,
      {
        hint: 'Use a longer interval, narrow the time with filter, or leave sort out.',
      },
    );
  }
  const buckets = await readBuckets(measure, first, name, edges, context);
  const ordered = orderBuckets(buckets, args.sort).slice(0, args.limit);
  const rows = ordered.map(({ start, value, records }) => ({
    [name]: bucketName(start, args.interval, timeZone),
    value: showValue(measure, first, value),
    ...(measure.metric === 'count' ? {} : { records }),
  }));
  const newestFirst = args.sort === undefined || args.sort === 'group';
  // When the budget cuts, the latest intervals are the ones to keep.
  const groups = newestFirst ? fitGroups(rows.toReversed()).toReversed() : fitGroups(rows);
  const shown = newestFirst ? ordered.slice(ordered.length - groups.length) : ordered.slice(0, groups.length);
  const left = buckets.length - groups.length + Number(rest);
  return { ...shape, ...total, groups, ...describeOther(measure, left, whole, shown) };
}

async function readBuckets(
  measure: Measure,
  first: GrantedStream,
  name: string,
  edges: readonly number[],
  context: ToolContext,
): Promise<Bucket[]> {
  // A stream lies in order of its time field, so each bucket is one short range of it. Any other time is one pass.
  if (first.timeField?.name !== name) {
    const found = await context.reader.buckets(measure, edges);
    return [...found].map(([index, total]) => ({ start: edges[index] as number, ...total }));
  }
  const buckets: Bucket[] = [];
  for (let index = 0; index + 1 < edges.length; index++) {
    const [from, to] = [edges[index] as number, edges[index + 1] as number];
    const total = await readStretch(measure, name, from, to, context);
    if (total.records > 0) buckets.push({ start: from, ...total });
  }
  return buckets;
}

async function readStretch(measure: Measure, name: string, from: number, to: number, context: ToolContext) {
  if (isPlainCount(measure)) return readWhole(measure, context, { from, to });
  return context.reader.total({
    ...measure,
    groupBy: [],
    conditions: withCondition(measure, name, { op: 'within', from, to }),
  });
}

/** The first and last time there is something to count. */
async function readSpan(measure: Measure, first: GrantedStream, name: string, context: ToolContext) {
  const { reader } = context;
  const ends: number[] = [];
  if (isUnfiltered(measure) && first.timeField?.name === name) {
    for (const stream of measure.streams) {
      const span = await reader.span(stream);
      if (span !== undefined) ends.push(span.first, span.last);
    }
  } else {
    const conditions = withCondition(measure, name, { op: 'exists', yes: true });
    for (const metric of ['min', 'max'] as const) {
      const { value } = await reader.total({ ...measure, metric, field: name, groupBy: [], conditions });
      if (typeof value === 'number') ends.push(value);
    }
  }
  return ends.length === 0 ? undefined : { first: Math.min(...ends), last: Math.max(...ends) };
}

type Test = { op: 'within'; from: number; to: number } | { op: 'exists'; yes: boolean };

function withCondition(measure: Measure, name: string, test: Test): Measure['conditions'] {
  return new Map(
    measure.streams.map((stream) => {
      const field = stream.fields.get(name);
      const added: Condition[] = field === undefined ? [] : [{ field, ...test }];
      return [stream, [...(measure.conditions.get(stream) ?? []), ...added]];
    }),
  );
}

function orderBuckets(buckets: Bucket[], sort: AggregateInput['sort']): Bucket[] {
  switch (sort) {
    case '-group':
      return buckets.toReversed();
    case 'value':
      return buckets.toSorted((a, b) => Number(a.value) - Number(b.value) || a.start - b.start);
    case '-value':
      return buckets.toSorted((a, b) => Number(b.value) - Number(a.value) || a.start - b.start);
    default:
      return buckets;
  }
}
