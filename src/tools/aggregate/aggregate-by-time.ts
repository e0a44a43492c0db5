import { AppError } from '../../errors.ts';
import type { Measure } from '../../reader/measures/granted-measures.ts';
import type { Total } from '../../store/record-reads.ts';
import { addSums, isSum } from '../../store/sum.ts';
import { argument, hint } from '../../text/hint.ts';
import { bucketName, type Interval, lastEdges } from '../../time/time-buckets.ts';
import {
  type Aggregation,
  fitGroups,
  formatGroup,
  formatTotal,
  formatValue,
  isOldestFirst,
  isPlainCount,
  isUnfiltered,
  readTotal,
  withCondition,
} from './aggregation.ts';

/** Ordering by value needs every bucket, so their number is limited. */
export const MAX_BUCKETS = 2_000;

interface Bucket extends Total {
  readonly start: number;
}

interface Span {
  readonly first: number;
  readonly last: number;
}

/**
 * Groups by hour, day, week, month, quarter or year in the time zone. If the groups are sorted by time, it computes only
 * the latest buckets, and `other` combines the earlier ones. Returns undefined if sorting by value needs exact sums.
 */
export async function aggregateByTime(call: Aggregation, interval: Interval) {
  const [name] = call.groupBy as [string];
  const timeZone = call.first.fields.get(name)?.kind === 'date' ? 'UTC' : call.clock.timeZone;
  const byValue = call.sort === 'value' || call.sort === '-value';
  const span = await readSpan(call, name);
  const plan = { name, interval, timeZone, limit: byValue ? MAX_BUCKETS : call.limit };
  const { buckets, isCut, start } = await readLastBuckets(call, span, plan);
  if (byValue && isCut) {
    throw new AppError('too_many_groups', `Sorting by value is limited to ${MAX_BUCKETS} intervals.`, {
      hint: hint`Use a longer interval, narrow the time with ${argument('filter')}, or leave ${argument('sort')} out.`,
    });
  }
  // Grouped by the time field of the stream, the buckets and the records in no bucket add up to the total. This reads each
  // record once.
  const whole =
    isSum(buckets[0]?.value) && call.first.timeField?.name === name
      ? (addTotals(call, [...buckets, ...(await readOutside(call, name, start, isCut))]) as Total)
      : await readTotal(call);
  const ordered = byValue ? orderByValue(call, buckets) : buckets.toReversed();
  if (ordered === undefined) return undefined;
  const totals = ordered.slice(0, call.limit);
  return {
    group_by: [name],
    interval,
    ...formatTotal(call, whole),
    ...fitGroups(call, {
      rows: totals.map((bucket) => ({
        [name]: bucketName(bucket.start, interval, timeZone),
        ...formatGroup(call, bucket),
      })),
      totals,
      // Earlier intervals are not counted, only their records.
      count: isCut ? undefined : buckets.length,
      whole,
      isReversed: isOldestFirst(call),
    }),
  };
}

interface BucketPlan {
  readonly name: string;
  readonly interval: Interval;
  readonly timeZone: string;
  readonly limit: number;
}

/** Reads the latest buckets that have records, oldest first. */
async function readLastBuckets(
  call: Aggregation,
  span: Span | undefined,
  { name, interval, timeZone, limit }: BucketPlan,
): Promise<{ buckets: Bucket[]; isCut: boolean; start: number }> {
  if (span === undefined) return { buckets: [], isCut: false, start: 0 };
  let buckets: Bucket[] = [];
  let start = span.last;
  let last: number | undefined = span.last;
  while (last !== undefined && buckets.length < limit) {
    const edges = lastEdges(span.first, last, interval, timeZone, limit - buckets.length);
    [start] = edges as [number];
    buckets = [...(await readBuckets(call, name, edges)), ...buckets];
    const conditions = withCondition(call, name, { op: 'lt', value: start }, 'first');
    last =
      start > span.first
        ? await call.context.reader.measures.extreme({ ...call, field: name, conditions }, 'max')
        : undefined;
  }
  return { buckets, isCut: last !== undefined, start };
}

async function readBuckets(call: Aggregation, name: string, edges: readonly number[]): Promise<Bucket[]> {
  const { measures } = call.context.reader;
  // A stream is stored in the order of its time field, so each bucket is one range. Other time fields need a full scan.
  if (call.first.timeField?.name !== name) {
    const found = await measures.buckets(call, edges);
    // An engine finds them in the order in which records are stored, which can be the order of a hidden time.
    return edges.flatMap((start, index) => {
      const total = found.get(index);
      return total === undefined ? [] : { start, ...total };
    });
  }
  const periods = edges.slice(1).map((to, at) => [edges[at] as number, to] as const);
  const totals = isPlainCount(call)
    ? await countPeriods(call, periods)
    : await measures.periods(call, periods);
  return totals
    .map((total, at) => ({ start: edges[at] as number, ...total }))
    .filter((bucket) => bucket.records > 0);
}

async function countPeriods(
  { streams, context }: Aggregation,
  periods: readonly (readonly [number, number])[],
): Promise<Total[]> {
  const counts = periods.map(() => 0);
  for (const stream of streams) {
    const found = await context.reader.countPeriods(stream, periods);
    for (const [at, count] of found.entries()) counts[at] = (counts[at] as number) + count;
  }
  return counts.map((count) => ({ value: count, records: count }));
}

/** Reads the totals of the records in no bucket: those without a time and, if `isCut`, the earlier ones. */
async function readOutside(
  call: Aggregation,
  name: string,
  start: number,
  isCut: boolean,
): Promise<readonly Total[]> {
  const { reader } = call.context;
  const read = (test: Parameters<typeof withCondition>[2]) =>
    reader.measures.total({ ...call, groupBy: [], conditions: withCondition(call, name, test, 'first') });
  const readAll = async () => {
    const timeless = await read({ op: 'exists', yes: false });
    return isCut ? [timeless, await read({ op: 'lt', value: start })] : [timeless];
  };
  if (!isUnfiltered(call)) return readAll();
  // This may scan nearly all records. Without a filter, the totals are cached until something is stored.
  const key = [call.metric, call.field ?? '', call.summation, String(start), String(isCut)];
  return reader.cached('outside', call.streams, key, readAll);
}

/** Adds totals; undefined for metrics that do not add up. */
export function addTotals({ metric }: Measure, totals: readonly Total[]): Total | undefined {
  const records = totals.reduce((sum, total) => sum + total.records, 0);
  if (metric === 'count') return { value: records, records };
  const sums = totals.map((total) => total.value).filter(isSum);
  return sums.length === totals.length ? { value: addSums(sums), records } : undefined;
}

/** Returns the first and last time of the measured records. */
export async function readSpan(
  call: Pick<Aggregation, 'context'> & Measure,
  name: string,
): Promise<Span | undefined> {
  const { reader } = call.context;
  if (isUnfiltered(call) && call.streams.every((stream) => stream.timeField?.name === name)) {
    const spans: Span[] = [];
    for (const stream of call.streams) spans.push(...[(await reader.span(stream)) ?? []].flat());
    if (spans.length === 0) return undefined;
    return {
      first: Math.min(...spans.map((span) => span.first)),
      last: Math.max(...spans.map((span) => span.last)),
    };
  }
  const first = await reader.measures.extreme({ ...call, field: name }, 'min');
  const last = await reader.measures.extreme({ ...call, field: name }, 'max');
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** Orders buckets by value, missing values lowest. Returns undefined if that needs exact sums. */
function orderByValue(call: Aggregation, buckets: readonly Bucket[]): Bucket[] | undefined {
  const ranks = new Map<Bucket, number>();
  for (const bucket of buckets) {
    const value = isSum(bucket.value) ? formatValue(call, bucket.value) : bucket.value;
    if (value === undefined) return undefined;
    ranks.set(bucket, value === null ? -Infinity : Number(value));
  }
  const sign = call.sort === 'value' ? 1 : -1;
  const compare = (a: Bucket, b: Bucket) => sign * ((ranks.get(a) as number) - (ranks.get(b) as number));
  return buckets.toSorted((a, b) => compare(a, b) || a.start - b.start);
}
