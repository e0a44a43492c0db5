import { AppError } from '../errors.ts';
import type { GrantedReader } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import type { Measure } from '../reader/measures/granted-measures.ts';
import type { GroupOrder, Groups } from '../reader/measures/read-aggregate.ts';
import { type Field, isTime, type Metric } from '../schema-index/field.ts';
import type { Clock } from '../schema-index/filter.ts';
import { getFieldFor } from '../schema-index/find-field.ts';
import { fromSlotValue } from '../schema-index/slot-value.ts';
import { aggregateByRanges } from './aggregate/aggregate-by-ranges.ts';
import { aggregateByTime } from './aggregate/aggregate-by-time.ts';
import {
  type AggregateInput,
  aggregateInput,
  DEFAULT_GROUPS,
  MOST_GROUPS,
} from './aggregate/aggregate-input.ts';
import {
  type Aggregated,
  describeOther,
  fitGroups,
  isOpen,
  readWhole,
  showValue,
  showWhole,
} from './aggregate/group-rows.ts';
import { findMixedUnits, withoutSum } from './aggregate/units.ts';
import { readClock } from './clock.ts';
import { clampLimit, makeMeta, makeSource } from './envelope.ts';
import { disclose, namedFields, type ToolContext } from './granted-read.ts';
import { type Labels, readLabels } from './labels.ts';
import { readFilters } from './read-filter.ts';
import { resolveStreams } from './resolve-stream.ts';
import { findSimilarValues } from './similar-values.ts';
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
    const { limit, warnings } = clampLimit(args.limit, DEFAULT_GROUPS, MOST_GROUPS);
    const conditions = await readFilters(args.filter, streams, clock, reader);
    const measure = {
      streams,
      conditions,
      metric: args.metric ?? 'count',
      field: checkMetricField(args, streams),
      groupBy: checkGroups(args, streams, reader),
    };
    const { interval, ranges } = args;
    const isTimed = interval !== undefined || ranges !== undefined;
    const mixed = await findMixedUnits({ ...measure, adding: 'near' }, first, context);
    const splits = mixed !== undefined && !isTimed && measure.groupBy.length < 2;
    const groupBy = splits ? [...measure.groupBy, mixed.field] : measure.groupBy;
    const compute = (adding: Measure['adding']) => {
      const adds = { ...measure, groupBy, adding };
      if (ranges !== undefined) return aggregateByRanges(adds, first, ranges, clock, context);
      return interval === undefined
        ? aggregateByFields(
            adds,
            first,
            { order: readOrder(args.sort, first, measure), limit, clock },
            context,
          )
        : aggregateByTime(adds, first, { ...args, interval, limit, clock }, context);
    };
    const near = await compute('near');
    const answer = near === undefined || isOpen(near) ? await compute('exact') : near;
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
          conditions: conditions.get(first) ?? [],
          ...(showsTime ? { clock } : {}),
          // Numbers by time hold no words of a record.
          isText: (groupBy.length > 0 && !isTimed) || similar.similar_values !== undefined,
        }),
      },
      disclosure: {
        ...disclose(streams, namedFields(streams, named, conditions), 0),
        touched,
        way: describeWay(measure.metric, interval === undefined ? measure.groupBy : [interval]),
      },
    };
  },
});

/** How many records were gone over; ranges may overlap, and each went over its own. */
function countTouched(answer: Aggregated | Awaited<ReturnType<typeof aggregateByRanges>> | undefined) {
  if (answer === undefined) return 0;
  if ('records' in answer && answer.records !== undefined) return answer.records;
  const groups = 'groups' in answer ? (answer.groups as { value: unknown; records?: number }[]) : [];
  return groups.reduce((sum, group) => sum + (group.records ?? Number(group.value)), 0);
}

/** For the audit: `sum by category`. */
const describeWay = (metric: Metric, groups: readonly string[]) =>
  groups.length === 0 ? metric : `${metric} by ${groups.join(' and ')}`;

async function aggregateByFields(
  measure: Measure,
  first: GrantedStream,
  { order, limit, clock: { timeZone } }: { order: GroupOrder; limit: number; clock: Clock },
  context: ToolContext,
) {
  const { reader } = context;
  if (measure.groupBy.length === 0) {
    return showWhole(measure, first, await readWhole(measure, context), timeZone);
  }
  const found = await reader.measures.groups(measure, order, limit);
  if (!found.isOrdered) return undefined;
  const fields = measure.groupBy.map((name) => reader.measures.groupField(first, name) as Field);
  const labels = await labelGroups(measure, found.groups, context);
  const rows = found.groups.map((group) => ({
    ...Object.fromEntries(
      fields.map((field, index) => [
        measure.groupBy[index] as string,
        fromSlotValue(field.kind, group.by[index] ?? null, timeZone),
      ]),
    ),
    ...labels(group.by),
    value: showValue(measure, first, group.value, timeZone),
    ...(measure.metric === 'count' ? {} : { records: group.records }),
  }));
  const groups = fitGroups(rows);
  const shown = found.groups.slice(0, groups.length);
  return {
    group_by: measure.groupBy,
    ...showWhole(measure, first, found, timeZone),
    sort: found.sort,
    groups,
    ...describeOther(measure, found.groupCount - groups.length, found, shown),
  };
}

/**
 * Names for the groups of fields that point to other records: one is a label, two have one each. A group that is itself
 * called so keeps its own value.
 */
async function labelGroups(measure: Measure, groups: Groups['groups'], context: ToolContext) {
  const found: [name: string, at: number, labels: Labels][] = [];
  for (const [at, name] of measure.groupBy.entries()) {
    const keys = groups.map((group) => group.by[at]);
    const labels = await readLabels(measure.streams, name, keys, context);
    if (labels.size > 0) found.push([name, at, labels]);
  }
  return (by: readonly unknown[]): { label?: string; labels?: Record<string, string> } => {
    const named = found.flatMap(([name, at, labels]) => {
      const label = labels.get(String(by[at]));
      return label === undefined ? [] : [[name, label] as const];
    });
    if (named[0] === undefined) return {};
    if (found.length === 1 && !measure.groupBy.includes('label')) return { label: named[0][1] };
    return measure.groupBy.includes('labels') ? {} : { labels: Object.fromEntries(named) };
  };
}

/** What "top" means unless told otherwise: the largest, and where all are negative the largest of those. */
function readOrder(
  sort: AggregateInput['sort'],
  first: GrantedStream,
  { field }: { field: string | undefined },
): GroupOrder {
  const kind = field === undefined ? undefined : first.fields.get(field)?.kind;
  if (sort === undefined)
    return { by: kind === 'number' || kind === 'integer' ? 'size' : 'value', direction: 'desc' };
  return { by: sort.endsWith('value') ? 'value' : 'group', direction: sort.startsWith('-') ? 'desc' : 'asc' };
}

function checkMetricField(args: AggregateInput, streams: readonly GrantedStream[]): string | undefined {
  const metric: Metric = args.metric ?? 'count';
  const { field } = args;
  if (metric === 'count') {
    if (field === undefined) return undefined;
    throw new AppError('invalid_argument', 'count counts records and takes no field.', {
      hint: 'Use count_distinct, or leave field out.',
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

function checkGroups(
  args: AggregateInput,
  streams: readonly GrantedStream[],
  reader: GrantedReader,
): string[] {
  const names = args.group_by ?? [];
  if (args.interval !== undefined && args.ranges !== undefined)
    throw new AppError('invalid_argument', 'interval and ranges do not go together.', {
      hint: 'Leave one of them out.',
    });
  if (args.interval === undefined && args.ranges === undefined) {
    for (const stream of streams)
      for (const name of names)
        if (reader.measures.groupField(stream, name)?.group !== true)
          getFieldFor(stream.fields, name, 'group_by', 'group', (one) => one.group);
    return names;
  }
  const [first] = streams as [GrantedStream];
  const name = names[0] ?? first.timeField?.name;
  if (names.length > 1 || name === undefined) {
    throw new AppError('invalid_argument', 'interval and ranges need one time field in group_by.', {
      available: [...first.fields.values()].filter((field) => isTime(field.kind)).map((field) => field.name),
    });
  }
  for (const stream of streams) {
    getFieldFor(stream.fields, name, 'group_by', 'group by interval', (one) => isTime(one.kind) && one.group);
  }
  return [name];
}
