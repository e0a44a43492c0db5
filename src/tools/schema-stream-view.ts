import type { GrantedStream } from '../grants/granted-stream.ts';
import { type Field, isTime } from '../schema-index/field.ts';
import { fromSlotValue } from '../schema-index/slot-value.ts';
import { escapeValue } from './escape-text.ts';
import { Budget, cutText, firstFitting } from './projector.ts';
import type { ToolContext } from './tool.ts';

/** Records looked at for examples: the newest visible ones. */
const SAMPLE = 200;
const MOST_VALUES = 8;
const EXAMPLE_LENGTH = 60;

const LEGEND =
  'What a field does not list, it cannot do. count needs no field; count_distinct takes any field with group.';

interface Group {
  readonly streams: GrantedStream[];
  readonly examples: ReadonlyMap<string, { values?: unknown[]; example?: unknown }>;
  readonly connections: object[];
}

/** What can be asked of a stream, for every connection that has it; connections that are alike are told once. */
export async function viewStreams(
  streams: readonly GrantedStream[],
  context: ToolContext,
  budget: Budget,
): Promise<object> {
  const groups = await Promise.all(groupAlike(streams).map((alike) => readGroup(alike, context)));
  const render = (level: 'full' | 'short' | 'names') => ({
    legend: LEGEND,
    sources: groups.map((group) => renderGroup(group, level)),
  });
  return firstFitting<object>(
    [() => render('full'), () => render('short'), () => render('names'), () => cutSources(groups, budget)],
    budget,
  );
}

function groupAlike(streams: readonly GrantedStream[]): GrantedStream[][] {
  const groups = new Map<string, GrantedStream[]>();
  for (const stream of streams) {
    const key = JSON.stringify([stream.connection.connector_key, [...stream.fields.keys()]]);
    groups.set(key, [...(groups.get(key) ?? []), stream]);
  }
  return [...groups.values()];
}

async function readGroup(streams: GrantedStream[], context: ToolContext): Promise<Group> {
  const { reader } = context;
  const connections: object[] = [];
  for (const stream of streams) {
    const records = await reader.count(stream);
    const span = await reader.span(stream);
    const kind = stream.timeField?.kind ?? 'date-time';
    connections.push({
      connection_id: stream.connection.connection_id,
      display_name: stream.connection.display_name,
      records,
      ...(span === undefined
        ? {}
        : { first: fromSlotValue(kind, span.first), last: fromSlotValue(kind, span.last) }),
    });
  }
  const [first] = streams as [GrantedStream];
  const sort = { field: first.timeField, direction: first.timeField === undefined ? 'asc' : 'desc' } as const;
  const { records } = await reader.page(first, { conditions: [], sort, limit: SAMPLE });
  return {
    streams,
    connections,
    examples: findExamples(
      first,
      records.map((one) => one.record),
    ),
  };
}

function renderGroup({ streams, connections, examples }: Group, level: 'full' | 'short' | 'names') {
  const [stream] = streams as [GrantedStream];
  const fields = [...stream.fields.values()];
  const head = {
    connector_key: stream.connection.connector_key,
    stream: stream.name,
    ...(level === 'full' && stream.description !== undefined ? { description: stream.description } : {}),
    connections,
    primary_key: stream.primaryKey,
    ...(stream.timeField === undefined ? {} : { time_field: stream.timeField.name }),
    ...(stream.relations.length === 0
      ? {}
      : { expand: stream.relations.map((one) => ({ name: one.name, stream: one.stream })) }),
  };
  if (level === 'names') return { ...head, fields: listByUse(fields) };
  return { ...head, fields: fields.map((field) => renderField(field, examples.get(field.name), level)) };
}

/** Only what a field can do is named; what is not named, it cannot. */
export function renderField(
  field: Field,
  sample: { values?: unknown[]; example?: unknown } | undefined,
  level: 'full' | 'short',
) {
  const metrics = field.metrics.filter((metric) => metric !== 'count_distinct');
  return {
    name: field.name,
    type: field.kind === 'list' ? 'list of strings' : field.kind,
    ...(field.filter
      ? { filter: field.range ? 'equals or range' : field.kind === 'list' ? 'contains' : 'equals' }
      : {}),
    ...(field.sort ? { sort: true } : {}),
    ...(field.group ? { group: true } : {}),
    ...(metrics.length > 0 ? { aggregate: metrics } : {}),
    ...(field.search ? { search: true } : {}),
    ...(level === 'full' && field.description !== undefined ? { description: field.description } : {}),
    ...(level === 'full' ? sample : {}),
  };
}

/** The shortest form: field names under each thing that can be done with them. */
function listByUse(fields: readonly Field[]) {
  const names = (can: (field: Field) => boolean) => fields.filter(can).map((field) => field.name);
  return {
    types: Object.fromEntries(fields.map((field) => [field.name, field.kind])),
    filter: names((field) => field.filter),
    range: names((field) => field.range),
    sort: names((field) => field.sort),
    group: names((field) => field.group),
    sum_avg_min_max: names((field) => field.metrics.includes('sum')),
    search: names((field) => field.search),
  };
}

function cutSources(groups: readonly Group[], budget: Budget) {
  const room = new Budget(budget.left.tokens - 60, budget.left.bytes - 240);
  const sources = groups.map((group) => renderGroup(group, 'names')).filter((source) => room.take(source));
  return {
    sources,
    truncated: true,
    sources_total: groups.length,
    hint: 'Narrow with schema(stream, connection_id).',
  };
}

/** Declared or frequent values of fields with few of them, else one short example. */
function findExamples(stream: GrantedStream, records: readonly Record<string, unknown>[]) {
  const examples = new Map<string, { values?: unknown[]; example?: unknown }>();
  for (const field of stream.fields.values()) {
    if (field.values !== undefined) {
      examples.set(field.name, { values: field.values.slice(0, 20) });
      continue;
    }
    const counts = new Map<unknown, number>();
    for (const record of records) {
      const value = record[field.name];
      for (const one of Array.isArray(value) ? value : [value])
        if (isSmall(one)) counts.set(one, (counts.get(one) ?? 0) + 1);
    }
    const top = [...counts]
      .sort((a, b) => b[1] - a[1] || (String(a[0]) < String(b[0]) ? -1 : 1))
      .map(([value]) => escapeValue(value));
    const repeats = (field.group && !isTime(field.kind)) || field.kind === 'list';
    if (repeats && top.length > 1 && top.length <= MOST_VALUES * 3 && field.kind !== 'boolean')
      examples.set(field.name, { values: top.slice(0, MOST_VALUES) });
    else if (top.length > 0 && field.kind !== 'boolean')
      examples.set(field.name, { example: shorten(top[0]) });
  }
  return examples;
}

function isSmall(value: unknown): boolean {
  return (
    typeof value === 'number' || (typeof value === 'string' && value.length > 0 && value.length <= 2_000)
  );
}

function shorten(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= EXAMPLE_LENGTH) return value;
  return `${cutText(value, EXAMPLE_LENGTH)}…`;
}
