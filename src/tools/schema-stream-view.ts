import type { GrantedStream } from '../reader/granted-stream.ts';
import { type Field, isTime } from '../schema-index/field.ts';
import { fromSlotValue } from '../schema-index/slot-value.ts';
import { escapeText, escapeValue } from '../text/escape-text.ts';
import { Budget, cutText, firstFitting } from './projector.ts';
import type { ToolContext } from './tool.ts';

/** Records looked at for examples: the newest visible ones. */
const SAMPLE = 200;
const MOST_VALUES = 8;
const EXAMPLE_LENGTH = 60;
const MOST_IDS = 40;

const LEGEND = 'What a field does not list, it cannot do. count needs no field.';
const LEGEND_DISTINCT = `${LEGEND} count_distinct takes any field with group.`;

interface ConnectionLine {
  readonly connection_id: string;
  readonly display_name: string;
  readonly records: number;
  readonly first?: unknown;
  readonly last?: unknown;
}

interface Group {
  readonly streams: GrantedStream[];
  readonly examples: ReadonlyMap<string, { values?: unknown[]; example?: unknown }>;
  readonly connections: ConnectionLine[];
}

/** What can be asked of a stream, for every connection that has it; connections that are alike are told once. */
export async function viewStreams(
  streams: readonly GrantedStream[],
  context: ToolContext,
  budget: Budget,
): Promise<object> {
  const groups = await Promise.all(groupAlike(streams).map((alike) => readGroup(alike, context)));
  // Said once for all fields where it is true of all, else with each field.
  const distinct = streams.every((stream) => [...stream.fields.values()].every(countsWhereGrouped));
  const legend = distinct ? LEGEND_DISTINCT : LEGEND;
  const render = (level: Level) => ({
    legend,
    sources: groups.map((group) => renderGroup(group, level, distinct)),
  });
  return firstFitting<object>(
    [
      () => render('full'),
      () => render('short'),
      () => render('names'),
      () => ({ legend, ...cutSources(groups, budget) }),
    ],
    budget,
  );
}

type Level = 'full' | 'short' | 'names';

function countsWhereGrouped(field: Field): boolean {
  return field.group === field.metrics.includes('count_distinct');
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
  const connections: ConnectionLine[] = [];
  for (const stream of streams) {
    const records = await reader.count(stream);
    const span = await reader.span(stream);
    const kind = stream.timeField?.kind ?? 'date-time';
    connections.push({
      connection_id: stream.connection.connection_id,
      display_name: escapeText(stream.connection.display_name),
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

function renderGroup({ streams, connections, examples }: Group, level: Level, distinct: boolean) {
  const [stream] = streams as [GrantedStream];
  const fields = [...stream.fields.values()];
  const head = {
    connector_key: stream.connection.connector_key,
    stream: stream.name,
    ...(level === 'full' && stream.description !== undefined
      ? { description: escapeText(stream.description) }
      : {}),
    ...(level === 'names'
      ? {
          connection_ids: streams.slice(0, MOST_IDS).map((one) => one.connection.connection_id),
          connections_total: streams.length,
        }
      : {
          connections:
            level === 'full'
              ? connections
              : connections.map(({ connection_id, records }) => ({ connection_id, records })),
        }),
    primary_key: stream.primaryKey,
    ...(stream.timeField === undefined ? {} : { time_field: stream.timeField.name }),
    ...(stream.relations.length === 0
      ? {}
      : { expand: stream.relations.map((one) => ({ name: one.name, stream: one.stream })) }),
  };
  if (level === 'names') return { ...head, fields: listByUse(fields) };
  return {
    ...head,
    fields: fields.map((field) => renderField(field, examples.get(field.name), level, distinct)),
  };
}

/** Only what a field can do is named; what is not named, it cannot. */
function renderField(field: Field, sample: object | undefined, level: Level, distinct: boolean) {
  const metrics = field.metrics.filter((metric) => !distinct || metric !== 'count_distinct');
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
    ...(level === 'full' && field.description !== undefined
      ? { description: escapeText(field.description) }
      : {}),
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
    sum_avg: names((field) => field.metrics.includes('sum')),
    min_max: names((field) => field.metrics.includes('min')),
    count_distinct: names((field) => field.metrics.includes('count_distinct')),
    search: names((field) => field.search),
  };
}

/** As many sources as fit in the shortest form; of one that does not fit alone, as many fields as do. */
function cutSources(groups: readonly Group[], budget: Budget) {
  // Kept free for the hint, and for the names that a full answer could not describe.
  const room = new Budget(budget.left.tokens - 700, budget.left.bytes - 2_400);
  const sources: object[] = groups
    .map((group) => renderGroup(group, 'names', false))
    .filter((source) => room.take(source));
  const [first] = groups;
  if (sources.length === 0 && first !== undefined) sources.push(cutFields(first, room));
  return {
    sources,
    truncated: true,
    sources_total: groups.length,
    hint: 'Narrow with schema(stream, connection_id); for names of all fields, read one record with query_records.',
  };
}

function cutFields({ streams }: Group, room: Budget) {
  const [stream] = streams as [GrantedStream];
  const { connector_key } = stream.connection;
  const ids = streams.slice(0, MOST_IDS).map((one) => one.connection.connection_id);
  const bare = { connector_key, stream: stream.name, connection_ids: ids, connections_total: streams.length };
  room.take(bare);
  const fields = [...stream.fields.values()].map((field) => renderField(field, undefined, 'short', false));
  return { ...bare, fields: fields.filter((field) => room.take(field)), fields_total: fields.length };
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
