import { AppError } from '../errors.ts';
import type { Measure } from '../grants/granted-reader.ts';
import type { GrantedStream } from '../grants/granted-stream.ts';
import type { Condition } from '../schema-index/filter.ts';
import { bucketName, type Interval, lastEdges } from '../schema-index/time-buckets.ts';
import type { AggregateInput } from './aggregate-input.ts';
import { describeOther, fitGroups, isPlainCount, readWhole, showValue } from './group-rows.ts';
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
  const span = await readSpan(measure, name, context);
  const total = { total: showValue(measure, first, whole.value), records: whole.records };
  if (span === undefined) return { ...shape, ...total, groups: [], ...describeOther(measure, 0, whole, []) };

  const byValue = args.sort === 'value' || args.sort === '-value';
  const plan = { name, interval: args.interval, timeZone, most: byValue ? MOST_BUCKETS : args.limit };
  const { buckets, rest } = await readLastBuckets(measure, first, span, plan, context);
  if (byValue && rest) {
    throw new AppError(
      'too_many_groups',
      `Ordering by value looks at no more than ${MOST_BUCKETS} intervals.`,
      {
        hint: 'Use a longer interval, narrow the time with filter, or leave sort out.',
      },
    );
  }
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
  // How many earlier intervals there are is not counted, only what they hold.
  const left = rest ? undefined : buckets.length - groups.length;
  return { ...shape, ...total, groups, ...describeOther(measure, left, whole, shown) };
}

interface BucketPlan {
  readonly name: string;
  readonly interval: Interval;
  readonly timeZone: string;
  readonly most: number;
}

/** The latest buckets that hold something, oldest first. Stretches without records are jumped over. */
async function readLastBuckets(
  measure: Measure,
  first: GrantedStream,
  span: { first: number; last: number },
  plan: BucketPlan,
  context: ToolContext,
): Promise<{ buckets: Bucket[]; rest: boolean }> {
  let buckets: Bucket[] = [];
  let last: number | undefined = span.last;
  while (last !== undefined && buckets.length < plan.most) {
    const edges = lastEdges(span.first, last, plan.interval, plan.timeZone, plan.most - buckets.length);
    const [start] = edges as [number];
    buckets = [...(await readBuckets(measure, first, plan.name, edges, context)), ...buckets];
    last = start > span.first ? await readLatest(measure, plan.name, start, context) : undefined;
  }
  return { buckets, rest: last !== undefined };
}

/** The latest time before an instant that there is something to count at. */
function readLatest(
  measure: Measure,
  name: string,
  before: number,
  context: ToolContext,
): Promise<number | undefined> {
  const conditions = withCondition(measure, name, { op: 'lt', value: before });
  return context.reader.extreme({ ...measure, field: name, conditions }, 'max');
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
    conditions: withCondition(measure, name, { op: 'within', stretches: [[from, to]] }),
  });
}

/** The first and last time there is something to count. */
async function readSpan(measure: Measure, name: string, context: ToolContext) {
  const first = await context.reader.extreme({ ...measure, field: name }, 'min');
  const last = await context.reader.extreme({ ...measure, field: name }, 'max');
  return first === undefined || last === undefined ? undefined : { first, last };
}

type Test = { op: 'within'; stretches: [number, number][] } | { op: 'lt'; value: number };

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
