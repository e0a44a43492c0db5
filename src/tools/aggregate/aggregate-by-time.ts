import { AppError } from '../../errors.ts';
import type { Clock, Condition } from '../../filter/filter.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import type { Total } from '../../store/record-reads.ts';
import { addSums, isSum } from '../../store/sum.ts';
import { argument, hint } from '../../text/hint.ts';
import { bucketName, type Interval, lastEdges } from '../../time/time-buckets.ts';
import type { AggregateInput } from './aggregate-input.ts';
import {
  describeOther,
  fitGroups,
  isPlainCount,
  isUnfiltered,
  rankOf,
  readWhole,
  showValue,
  showWhole,
} from './group-rows.ts';

/** Ordering by value needs every bucket; beyond this many, the caller is asked to narrow or coarsen. */
export const MAX_BUCKETS = 2_000;

type TimeInput = AggregateInput & { interval: Interval; limit: number; clock: Clock };

interface Bucket extends Total {
  start: number;
}

/**
 * Per hour, day, week, month, quarter or year of the zone's clock. In order of time, only the latest
 * buckets are computed and all earlier ones are one "other": the cost follows what is shown. Undefined where near
 * sums leave the order open.
 */
export async function aggregateByTime(
  measure: Measure,
  first: GrantedStream,
  args: TimeInput,
  context: ReadContext,
) {
  const [name] = measure.groupBy as [string];
  const field = first.fields.get(name);
  const zone = args.clock.timeZone;
  const timeZone = field?.kind === 'date' ? 'UTC' : zone;
  const shape = { group_by: [name], interval: args.interval };
  const span = await readSpan(measure, name, context);
  if (span === undefined) {
    const whole = await readWhole(measure, context);
    return {
      ...shape,
      ...showWhole(measure, first, whole, zone),
      groups: [],
      ...describeOther(measure, 0, whole, []),
    };
  }

  const byValue = args.sort === 'value' || args.sort === '-value';
  const plan = { name, interval: args.interval, timeZone, most: byValue ? MAX_BUCKETS : args.limit };
  const { buckets, rest, start } = await readLastBuckets(measure, first, span, plan, context);
  if (byValue && rest) {
    throw new AppError(
      'too_many_groups',
      `Ordering by value looks at no more than ${MAX_BUCKETS} intervals.`,
      {
        hint: hint`Use a longer interval, narrow the time with ${argument('filter')}, or leave ${argument('sort')} out.`,
      },
    );
  }
  // Sums of what lies in order of time are read once: those of the buckets, and of what is in none.
  const whole =
    isSum(buckets[0]?.value) && first.timeField?.name === name
      ? (addTotals(measure, [
          ...buckets,
          ...(await readOutside(measure, name, start, rest, context)),
        ]) as Total)
      : await readWhole(measure, context);
  if (byValue && buckets.some(({ value }) => rankOf(measure, value) === undefined)) return undefined;
  const ordered = orderBuckets(measure, buckets, args.sort).slice(0, args.limit);
  const rows = ordered.map(({ start, value, records }) => ({
    [name]: bucketName(start, args.interval, timeZone),
    value: showValue(measure, first, value, zone),
    ...(measure.metric === 'count' ? {} : { records }),
  }));
  const newestFirst = args.sort === undefined || args.sort === 'group';
  // When the budget cuts, the latest intervals are the ones to keep.
  const groups = newestFirst ? fitGroups(rows.toReversed()).toReversed() : fitGroups(rows);
  const shown = newestFirst ? ordered.slice(ordered.length - groups.length) : ordered.slice(0, groups.length);
  // How many earlier intervals there are is not counted, only what they hold.
  const left = rest ? undefined : buckets.length - groups.length;
  return {
    ...shape,
    ...showWhole(measure, first, whole, zone),
    groups,
    ...describeOther(measure, left, whole, shown),
  };
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
  context: ReadContext,
): Promise<{ buckets: Bucket[]; rest: boolean; start: number }> {
  let buckets: Bucket[] = [];
  let start = span.last;
  let last: number | undefined = span.last;
  while (last !== undefined && buckets.length < plan.most) {
    const edges = lastEdges(span.first, last, plan.interval, plan.timeZone, plan.most - buckets.length);
    [start] = edges as [number];
    buckets = [...(await readBuckets(measure, first, plan.name, edges, context)), ...buckets];
    last = start > span.first ? await readLatest(measure, plan.name, start, context) : undefined;
  }
  return { buckets, rest: last !== undefined, start };
}

/** What is in no bucket: everything earlier, if there is anything, and what has no time. */
async function readOutside(
  measure: Measure,
  name: string,
  start: number,
  rest: boolean,
  context: ReadContext,
) {
  const read = (test: Test) =>
    context.reader.measures.total({
      ...measure,
      groupBy: [],
      conditions: withCondition(measure, name, test),
    });
  const readAll = async () => {
    const timeless = await read({ op: 'exists', yes: false });
    return rest ? [timeless, await read({ op: 'lt', value: start })] : [timeless];
  };
  if (!isUnfiltered(measure)) return readAll();
  // Nearly all records of a stream may be earlier, and of all records it is the same until something is stored.
  const asked = [measure.metric, measure.field ?? '', measure.adding, String(start), String(rest)];
  return context.reader.keep('outside', measure.streams, asked, readAll);
}

/** What several come to together; undefined for what does not add up. */
export function addTotals(measure: Measure, totals: readonly Total[]): Total | undefined {
  const records = totals.reduce((sum, total) => sum + total.records, 0);
  if (measure.metric === 'count') return { value: records, records };
  const sums = totals.map((total) => total.value).filter(isSum);
  return sums.length === totals.length ? { value: addSums(sums), records } : undefined;
}

/** The latest time before an instant that there is something to count at. */
function readLatest(
  measure: Measure,
  name: string,
  before: number,
  context: ReadContext,
): Promise<number | undefined> {
  const conditions = withCondition(measure, name, { op: 'lt', value: before });
  return context.reader.measures.extreme({ ...measure, field: name, conditions }, 'max');
}

async function readBuckets(
  measure: Measure,
  first: GrantedStream,
  name: string,
  edges: readonly number[],
  context: ReadContext,
): Promise<Bucket[]> {
  // A stream lies in order of its time field, so each bucket is one short range of it. Any other time is one pass.
  if (first.timeField?.name !== name) {
    const found = await context.reader.measures.buckets(measure, edges);
    return [...found].map(([index, total]) => ({ start: edges[index] as number, ...total }));
  }
  const stretches = edges.slice(1).map((to, at) => [edges[at] as number, to] as const);
  const totals = isPlainCount(measure)
    ? await countStretches(measure, stretches, context)
    : await context.reader.measures.periods(measure, stretches);
  return totals
    .map((total, at) => ({ start: edges[at] as number, ...total }))
    .filter((bucket) => bucket.records > 0);
}

async function countStretches(
  { streams }: Measure,
  stretches: readonly (readonly [number, number])[],
  context: ReadContext,
): Promise<Total[]> {
  const counts = stretches.map(() => 0);
  for (const stream of streams) {
    const found = await context.reader.countPeriods(stream, stretches);
    for (const [at, count] of found.entries()) counts[at] = (counts[at] as number) + count;
  }
  return counts.map((count) => ({ value: count, records: count }));
}

/** The first and last time there is something to count. */
export async function readSpan(measure: Measure, name: string, context: ReadContext) {
  if (isUnfiltered(measure) && measure.streams.every((stream) => stream.timeField?.name === name)) {
    const spans = [];
    for (const stream of measure.streams) spans.push(await context.reader.span(stream));
    const found = spans.filter((span) => span !== undefined);
    if (found.length === 0) return undefined;
    return {
      first: Math.min(...found.map((span) => span.first)),
      last: Math.max(...found.map((span) => span.last)),
    };
  }
  const first = await context.reader.measures.extreme({ ...measure, field: name }, 'min');
  const last = await context.reader.measures.extreme({ ...measure, field: name }, 'max');
  return first === undefined || last === undefined ? undefined : { first, last };
}

type Test = { op: 'lt'; value: number } | { op: 'exists'; yes: false };

export function withCondition(measure: Measure, name: string, test: Test): Measure['conditions'] {
  return new Map(
    measure.streams.map((stream) => {
      const field = stream.fields.get(name);
      const added: Condition[] = field === undefined ? [] : [{ field, ...test }];
      // First, because what is first is gone by: see read-aggregate.ts.
      return [stream, [...added, ...(measure.conditions.get(stream) ?? [])]];
    }),
  );
}

function orderBuckets(measure: Measure, buckets: Bucket[], sort: AggregateInput['sort']): Bucket[] {
  if (sort === '-group') return buckets.toReversed();
  if (sort !== 'value' && sort !== '-value') return buckets;
  const sign = sort === 'value' ? 1 : -1;
  const rank = new Map(buckets.map((bucket) => [bucket, rankOf(measure, bucket.value) as number]));
  const compare = (a: Bucket, b: Bucket) => sign * ((rank.get(a) as number) - (rank.get(b) as number));
  return buckets.toSorted((a, b) => compare(a, b) || a.start - b.start);
}
