import { AppError } from '../errors.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import type { Measure } from '../reader/measures/granted-measures.ts';
import { disclose, namedFields } from '../reads/granted-read.ts';
import { isTime, type Metric } from '../schema-index/field.ts';
import { getFieldFor } from '../schema-index/find-field.ts';
import { argument, hint } from '../text/hint.ts';
import { aggregateByFields, readOrder } from './aggregate/aggregate-by-fields.ts';
import { aggregateByParts, comesRound } from './aggregate/aggregate-by-parts.ts';
import { aggregateByRanges } from './aggregate/aggregate-by-ranges.ts';
import { aggregateByTime } from './aggregate/aggregate-by-time.ts';
import {
  type AggregateInput,
  aggregateInput,
  checkGroups,
  DEFAULT_GROUPS,
  MAX_GROUPS,
} from './aggregate/aggregate-input.ts';
import { type Aggregated, isOpen } from './aggregate/group-rows.ts';
import { findMixedUnits, withoutSum } from './aggregate/units.ts';
import { clampLimit, makeMeta, makeSource, readClock } from './envelope.ts';
import { readFilters } from './filter/read-filter.ts';
import { findSimilarValues } from './filter/similar-values.ts';
import { resolveStreams } from './resolve-stream.ts';
import { defineTool } from './tool.ts';

export const aggregate = defineTool({
  name: 'aggregate',
  title: 'Aggregate records',
  description: 'Count, sum, average, min or max over one stream, in groups or per time interval.',
  input: aggregateInput,
  async run(args, context) {
    const { reader } = context;
    const streams = resolveStreams(reader, args.stream, args.connection_id);
    const [first] = streams as [GrantedStream];
    const clock = readClock(args.time_zone, context);
    const conditions = await readFilters(args.filter, streams, clock, reader);
    const measure = {
      streams,
      conditions,
      metric: args.metric ?? 'count',
      field: checkMetricField(args, streams),
      groupBy: checkGroups(args, streams, reader),
    };
    const { interval, ranges } = args;
    const mixed = await findMixedUnits({ ...measure, adding: 'near' }, first, context);
    const splits = mixed !== undefined && measure.groupBy.length < 2;
    const groupBy = splits ? [...measure.groupBy, mixed.field] : measure.groupBy;
    const isByParts = interval !== undefined && (comesRound(interval) || groupBy.length > 1);
    const { limit, warnings } = clampLimit(args.limit, isByParts ? MAX_GROUPS : DEFAULT_GROUPS, MAX_GROUPS);
    const compute = (adding: Measure['adding']) => {
      const adds = { ...measure, groupBy, adding };
      const order = readOrder(args.sort, first, measure);
      if (ranges !== undefined)
        return aggregateByRanges(adds, first, { ranges, order, limit, clock }, context);
      if (interval === undefined) return aggregateByFields(adds, first, { order, limit, clock }, context);
      return isByParts || comesRound(interval)
        ? aggregateByParts(adds, first, { interval, sort: args.sort, limit, clock }, context)
        : aggregateByTime(adds, first, { ...args, interval, limit, clock }, context);
    };
    const near = await compute('near');
    const answer = near === undefined || isOpen(near) ? await compute('exact') : near;
    const holdsWords = groupBy.length > (interval === undefined && ranges === undefined ? 0 : 1);
    const data = mixed === undefined ? answer : withoutSum(answer ?? {}, mixed, splits);
    if (mixed !== undefined) warnings.push('mixed_units');
    const showsTime =
      ranges !== undefined ||
      [measure.field ?? [], groupBy, [...conditions.values()].flat().map((one) => one.field.name)]
        .flat()
        .some((name) => isTime(first.fields.get(name)?.kind ?? 'string'));
    const touched = countTouched(answer);
    const similar = touched === 0 ? await findSimilarValues(streams, conditions, context) : {};
    const named = [measure.field ?? [], measure.groupBy].flat();
    return {
      body: {
        data: {
          metric: measure.metric,
          ...(measure.field === undefined ? {} : { field: measure.field }),
          ...data,
          ...similar,
        },
        source: makeSource(streams),
        meta: makeMeta(context, {
          warnings,
          conditions: [...conditions.values()].flat(),
          ...(showsTime ? { clock } : {}),
          // Numbers by time hold no words of a record.
          isText: holdsWords || similar.similar_values !== undefined,
        }),
      },
      disclosure: {
        ...disclose(streams, namedFields(streams, named, conditions), 0),
        touched,
        way: describeWay(
          measure.metric,
          interval === undefined ? measure.groupBy : [interval, ...measure.groupBy.slice(1)],
        ),
      },
    };
  },
});

/** How many records were gone over; ranges may overlap, and each went over its own. */
function countTouched(answer: Aggregated | Awaited<ReturnType<typeof aggregateByRanges>> | undefined) {
  if (answer === undefined) return 0;
  if ('records' in answer && answer.records !== undefined) return answer.records;
  if ('ranges' in answer && answer.ranges !== undefined)
    return answer.ranges.reduce((sum, { records = 0 }) => sum + records, 0);
  const groups = 'groups' in answer ? (answer.groups as { value: unknown; records?: number }[]) : [];
  return groups.reduce((sum, group) => sum + (group.records ?? Number(group.value)), 0);
}

/** For the audit: `sum by category`. */
const describeWay = (metric: Metric, groups: readonly string[]) =>
  groups.length === 0 ? metric : `${metric} by ${groups.join(' and ')}`;

function checkMetricField(args: AggregateInput, streams: readonly GrantedStream[]): string | undefined {
  const metric: Metric = args.metric ?? 'count';
  const { field } = args;
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
