import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { GrantedReader } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import { disclose, namedFields, type ReadContext } from '../reads/granted-read.ts';
import { isTime, type Metric } from '../schema-index/field.ts';
import { getFieldFor } from '../schema-index/find-field.ts';
import { argument, hint, wording } from '../text/hint.ts';
import { intervals } from '../time/time-buckets.ts';
import { aggregateByFields } from './aggregate/aggregate-by-fields.ts';
import { aggregateByParts, recurringIntervals, recurs } from './aggregate/aggregate-by-parts.ts';
import { aggregateByRanges } from './aggregate/aggregate-by-ranges.ts';
import { aggregateByTime } from './aggregate/aggregate-by-time.ts';
import { type Aggregated, type Aggregation, needsExactSums, SORTS } from './aggregate/aggregation.ts';
import { findMixedUnits, removeMixedTotals } from './aggregate/units.ts';
import { clampLimit, makeMeta, makeSource, readClock } from './envelope.ts';
import { findSimilarValues, readFilters } from './filter/read-filter.ts';
import { resolveStreams } from './resolve-stream.ts';
import { defineTool, filterInput, namesInput } from './tool.ts';

const DEFAULT_GROUPS = 20;
const MAX_GROUPS = 200;

const input = z.object({
  stream: z.string(),
  connection_id: namesInput.optional(),
  metric: z
    .enum(['count', 'count_distinct', 'sum', 'avg', 'min', 'max'])
    .optional()
    .describe('Default count.'),
  field: z.string().optional().describe('Not for count.'),
  group_by: z
    .array(z.string())
    .min(1)
    .max(2)
    .optional()
    .describe('Up to two of field, relation.field, connection_id; interval and ranges need a time field.'),
  interval: z.enum([...intervals, ...recurringIntervals]).optional(),
  ranges: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('{"name": "2026-05" or {"gte": time, "lt": time}}.'),
  time_zone: z.string().optional(),
  filter: filterInput.describe('As in query_records.'),
  sort: z.enum(SORTS).optional().describe('Default largest first; by time with interval.'),
  limit: z.int().min(1).optional().describe('Default 20, max 200.'),
});

type AggregateInput = z.infer<typeof input>;

export const aggregate = defineTool({
  name: 'aggregate',
  title: 'Aggregate records',
  description: 'Count, sum, average, min or max over one stream, in groups or per interval.',
  input,
  async run(args, context) {
    const asked = await readCall(args, context);
    const { streams, first, clock, conditions, metric, field } = asked;
    const mixed = await findMixedUnits(asked);
    const isSplit = mixed !== undefined && asked.groupBy.length < 2;
    const groupBy = isSplit ? [...asked.groupBy, mixed.field] : asked.groupBy;
    const { interval, ranges } = args;
    const isByParts = interval !== undefined && (recurs(interval) || groupBy.length > 1);
    const { limit, warnings } = clampLimit(args.limit, isByParts ? MAX_GROUPS : DEFAULT_GROUPS, MAX_GROUPS);
    if (mixed !== undefined) warnings.push('mixed_units');
    const answer = await compute(args, { ...asked, groupBy, limit });
    const data = mixed === undefined ? answer : removeMixedTotals(answer, mixed, isSplit);
    const touched = countTouched(answer);
    const similar = touched === 0 ? await findSimilarValues(streams, conditions, context) : {};
    const isByTime = interval !== undefined || ranges !== undefined;
    const all = [...conditions.values()].flat();
    const usedFields = [field ?? [], groupBy, all.map((one) => one.field.name)].flat();
    const showsTime = ranges !== undefined || usedFields.some((name) => isTimeField(first, name));
    const groups = interval === undefined ? asked.groupBy : [interval, ...asked.groupBy.slice(1)];
    return {
      body: {
        data: { metric, ...(field === undefined ? {} : { field }), ...data, ...similar },
        source: makeSource(streams),
        meta: makeMeta(context, {
          warnings,
          conditions: all,
          ...(showsTime ? { clock } : {}),
          // Numbers by time contain no text of a record.
          isText: groupBy.length > (isByTime ? 1 : 0) || similar.similar_values !== undefined,
        }),
      },
      disclosure: {
        ...disclose(streams, namedFields(streams, [field ?? [], asked.groupBy].flat(), conditions), 0),
        touched,
        way: groups.length === 0 ? metric : `${metric} by ${groups.join(' and ')}`,
      },
    };
  },
});

/** Checks the arguments. */
async function readCall(args: AggregateInput, context: ReadContext): Promise<Aggregation> {
  const { reader } = context;
  const streams = resolveStreams(reader, args.stream, args.connection_id);
  const clock = readClock(args.time_zone, context);
  const conditions = await readFilters(args.filter, streams, clock, reader);
  const { metric = 'count', sort } = args;
  const field = checkMetricField(metric, args.field, streams);
  const groupBy = checkGroups(args, streams, reader);
  const [first] = streams as [GrantedStream];
  return {
    streams,
    first,
    conditions,
    metric,
    field,
    groupBy,
    summation: 'near',
    clock,
    sort,
    limit: 0,
    context,
  };
}

/** Computes with fast sums, and again with exact ones where the fast sums leave a value or the order open. */
async function compute({ interval, ranges }: AggregateInput, call: Aggregation): Promise<Aggregated> {
  const run = (summation: Aggregation['summation']): Promise<Aggregated | undefined> => {
    const adds = { ...call, summation };
    if (ranges !== undefined) return aggregateByRanges(adds, ranges);
    if (interval === undefined) return aggregateByFields(adds);
    return recurs(interval) || call.groupBy.length > 1
      ? aggregateByParts(adds, interval)
      : aggregateByTime(adds, interval);
  };
  const near = await run('near');
  return near === undefined || needsExactSums(near) ? ((await run('exact')) ?? {}) : near;
}

/** Counts the records that were read. A record in two ranges counts twice. */
function countTouched({ records, ranges, groups = [] }: Aggregated): number {
  return records ?? (ranges ?? groups).reduce((sum, one) => sum + (one.records ?? Number(one.value)), 0);
}

function isTimeField(stream: GrantedStream, name: string): boolean {
  return isTime(stream.fields.get(name)?.kind ?? 'string');
}

function checkMetricField(
  metric: Metric,
  field: string | undefined,
  streams: readonly GrantedStream[],
): string | undefined {
  if (metric === 'count') {
    if (field === undefined) return undefined;
    throw new AppError('invalid_argument', 'count counts records and takes no field.', {
      hint: hint`Use count_distinct, or leave ${argument('field')} out.`,
    });
  }
  if (field === undefined)
    throw new AppError('invalid_argument', 'This metric needs a field.', {
      hint: 'Name the field to measure.',
    });
  for (const stream of streams)
    getFieldFor(stream.fields, field, 'field', `compute ${metric}`, (one) => one.metrics.includes(metric));
  return field;
}

/** Returns the fields to group by. With an interval or ranges the time comes first, and at most one field follows. */
function checkGroups(
  args: AggregateInput,
  streams: readonly GrantedStream[],
  reader: GrantedReader,
): string[] {
  const { group_by: names = [], interval, ranges } = args;
  if (interval !== undefined && ranges !== undefined)
    throw new AppError('invalid_argument', 'interval and ranges cannot be combined.', {
      hint: 'Leave one of them out.',
    });
  const [first] = streams as [GrantedStream];
  const isByTime = interval !== undefined || ranges !== undefined;
  const named = isByTime ? names.find((name) => isTimeField(first, name)) : undefined;
  const time = named ?? first.timeField?.name;
  const others = names.filter((name) => name !== named);
  if (isByTime && (others.length > 1 || time === undefined)) {
    throw new AppError(
      'invalid_argument',
      'interval and ranges need a time field and allow one other field at most.',
      {
        hint: hint`Name them in ${argument('group_by')}, such as ${wording('["sent_at", "author"]', 'sent_at,author')}.`,
        available: [...first.fields.keys()].filter((name) => isTimeField(first, name)),
      },
    );
  }
  for (const stream of streams)
    for (const name of others)
      if (reader.measures.groupField(stream, name)?.group !== true)
        getFieldFor(stream.fields, name, 'group_by', 'group', (one) => one.group);
  if (!isByTime || time === undefined) return others;
  for (const { fields } of streams)
    getFieldFor(fields, time, 'group_by', 'group by interval', (one) => isTime(one.kind) && one.group);
  return [time, ...others];
}
