import { AppError } from '../errors.ts';
import type { Measure } from '../reader/granted-reader.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import type { GroupOrder } from '../reader/read-aggregate.ts';
import { type Field, isTime, type Metric } from '../schema-index/field.ts';
import { parseFilter } from '../schema-index/filter.ts';
import { getFieldFor } from '../schema-index/find-field.ts';
import { fromSlotValue } from '../schema-index/slot-value.ts';
import { isTimeZone } from '../time/instant.ts';
import { aggregateByTime } from './aggregate-by-time.ts';
import { type AggregateInput, aggregateInput, DEFAULT_GROUPS, MOST_GROUPS } from './aggregate-input.ts';
import { clampLimit, disclose, makeMeta, makeSource, namedFields } from './envelope.ts';
import { describeOther, fitGroups, isOpen, readWhole, showValue } from './group-rows.ts';
import { resolveStreams } from './resolve-stream.ts';
import { defineTool, type ToolContext } from './tool.ts';

export const aggregate = defineTool({
  name: 'aggregate',
  title: 'Aggregate records',
  description:
    'Count, sum, average, min or max over one stream, in groups or per time interval. Always gives the total; never records.',
  input: aggregateInput,
  async run(args, context) {
    const { reader } = context;
    const streams = resolveStreams(reader, args.stream, args.connection_id);
    const [first] = streams as [GrantedStream];
    const clock = { now: context.now.getTime(), timeZone: reader.timeZone };
    const { limit, warnings } = clampLimit(args.limit, DEFAULT_GROUPS, MOST_GROUPS);
    const conditions = new Map(
      streams.map((stream) => [stream, parseFilter(args.filter, stream.fields, clock)]),
    );
    const measure = {
      streams,
      conditions,
      metric: args.metric ?? 'count',
      field: checkMetricField(args, streams),
      groupBy: checkGroups(args, streams),
    };
    const { interval } = args;
    const compute = (adding: Measure['adding']) =>
      interval === undefined
        ? aggregateByFields({ ...measure, adding }, first, parseOrder(args.sort), limit, context)
        : aggregateByTime({ ...measure, adding }, first, { ...args, interval, limit }, context);
    const near = await compute('near');
    const data = near === undefined || isOpen(near) ? await compute('exact') : near;
    const named = [measure.field ?? [], measure.groupBy].flat();
    return {
      body: {
        data: {
          metric: measure.metric,
          ...(measure.field === undefined ? {} : { field: measure.field }),
          ...data,
        },
        source: makeSource(streams),
        meta: makeMeta(context, { warnings, conditions: conditions.get(first) ?? [] }),
      },
      disclosure: {
        ...disclose(streams, namedFields(streams, named, conditions), 0),
        touched: data?.records ?? 0,
        way: describeWay(measure.metric, interval === undefined ? measure.groupBy : [interval]),
      },
    };
  },
});

/** For the audit: `sum by category`. */
const describeWay = (metric: Metric, groups: readonly string[]) =>
  groups.length === 0 ? metric : `${metric} by ${groups.join(' and ')}`;

async function aggregateByFields(
  measure: Measure,
  first: GrantedStream,
  order: GroupOrder,
  limit: number,
  context: ToolContext,
) {
  const { reader } = context;
  if (measure.groupBy.length === 0) {
    const total = await readWhole(measure, context);
    return { total: showValue(measure, first, total.value), records: total.records };
  }
  const found = await reader.groups(measure, order, limit);
  if (!found.isOrdered) return undefined;
  const fields = measure.groupBy.map((name) => first.fields.get(name) as Field);
  const rows = found.groups.map((group) => ({
    ...Object.fromEntries(
      fields.map((field, index) => [field.name, fromSlotValue(field.kind, group.by[index] ?? null)]),
    ),
    value: showValue(measure, first, group.value),
    ...(measure.metric === 'count' ? {} : { records: group.records }),
  }));
  const groups = fitGroups(rows);
  const shown = found.groups.slice(0, groups.length);
  return {
    group_by: measure.groupBy,
    total: showValue(measure, first, found.value),
    records: found.records,
    groups,
    ...describeOther(measure, found.groupCount - groups.length, found, shown),
  };
}

function parseOrder(sort: AggregateInput['sort']): GroupOrder {
  if (sort === undefined) return { by: 'value', direction: 'desc' };
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

function checkGroups(args: AggregateInput, streams: readonly GrantedStream[]): string[] {
  const names = args.group_by ?? [];
  if (args.time_zone !== undefined && !isTimeZone(args.time_zone)) {
    throw new AppError('invalid_argument', 'time_zone is not a known zone.', {
      hint: 'Use a name such as Europe/Berlin or UTC.',
    });
  }
  if (args.interval === undefined) {
    for (const stream of streams)
      for (const name of names) getFieldFor(stream.fields, name, 'group_by', 'group', (one) => one.group);
    return names;
  }
  const [first] = streams as [GrantedStream];
  const name = names[0] ?? first.timeField?.name;
  if (names.length > 1 || name === undefined) {
    throw new AppError('invalid_argument', 'interval needs one time field in group_by.', {
      available: [...first.fields.values()].filter((field) => isTime(field.kind)).map((field) => field.name),
    });
  }
  for (const stream of streams) {
    getFieldFor(stream.fields, name, 'group_by', 'group by interval', (one) => isTime(one.kind) && one.group);
  }
  return [name];
}
