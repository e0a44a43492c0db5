import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import type { Field } from '../../schema-index/field.ts';
import { escapeText } from '../../text/escape-text.ts';
import { Budget, firstFitting } from '../envelope.ts';
import { groupBy, readExtent } from './schema-index-view.ts';
import { describeExceptions, describeTypes, isOnlyRead, LEGEND, nameType } from './schema-types.ts';
import { readSamples, type Sample, type Samples } from './schema-values.ts';

const MAX_CONNECTION_IDS = 40;
const MAX_OWNER_NAMES = 5;
/** The number of values in a shorter answer. */
const FEW_VALUES = 5;

interface ConnectionLine {
  readonly connection_id: string;
  readonly display_name: string;
  readonly records: number;
  readonly first?: string;
  readonly last?: string;
  /** The owner's names, by field. */
  readonly me: Readonly<Record<string, unknown>> | undefined;
}

/** Connections of one source that have the same stream with the same fields. */
interface Group {
  readonly streams: readonly [GrantedStream, ...GrantedStream[]];
  readonly samples: Samples;
  readonly connections: readonly ConnectionLine[];
}

/** Ever shorter: without descriptions and examples, with few values, without values, only names. */
type Level = 'full' | 'brief' | 'few' | 'short' | 'names';

/** Describes the fields of a stream in every connection that has it; equal connections share a description. */
export async function viewStreams(
  streams: readonly GrantedStream[],
  context: ReadContext,
  budget: Budget,
): Promise<object> {
  const groups: Group[] = [];
  const fieldsKey = ({ connection, name, fields }: GrantedStream) =>
    JSON.stringify([connection.connector_key, name, [...fields.keys()]]);
  for (const alike of groupBy(streams, fieldsKey)) groups.push(await readGroup(alike, context));
  const types = describeTypes(streams.flatMap((stream) => [...stream.fields.values()]));
  const render = (level: Level) => () => ({
    legend: LEGEND,
    types,
    sources: groups.map((group) => renderGroup(group, level)),
  });
  return firstFitting<object>(
    [
      ...(['full', 'brief', 'few', 'short', 'names'] as const).map(render),
      () => ({ legend: LEGEND, types, ...cutSources(groups, budget) }),
    ],
    budget,
  );
}

async function readGroup(streams: Group['streams'], context: ReadContext): Promise<Group> {
  const connections: ConnectionLine[] = [];
  for (const stream of streams)
    connections.push({
      connection_id: stream.connection.connection_id,
      display_name: escapeText(stream.connection.display_name),
      ...(await readExtent(stream, context.reader)),
      me: await readOwnerNames(stream, context),
    });
  const records = connections.reduce((sum, one) => sum + one.records, 0);
  return { streams, connections, samples: await readSamples(streams, records, context) };
}

/** Returns the fields in which visible records name the owner, each with the names. */
async function readOwnerNames(stream: GrantedStream, { reader }: ReadContext): Promise<ConnectionLine['me']> {
  const me: Record<string, unknown> = {};
  for (const field of stream.fields.values()) {
    if (field.person !== true || !field.filter) continue;
    const found = (await reader.lookups.owner(stream, field.name)).slice(0, MAX_OWNER_NAMES);
    const names = found.map((name) => escapeText(name));
    if (names.length > 0) me[field.name] = names.length === 1 ? names[0] : names;
  }
  return Object.keys(me).length === 0 ? undefined : me;
}

function renderGroup({ streams, connections, samples }: Group, level: Level) {
  const [stream] = streams;
  const fields = [...stream.fields.values()];
  const { description, relations } = stream;
  const head = {
    connector_key: stream.connection.connector_key,
    stream: stream.name,
    description: level === 'full' && description !== undefined ? escapeText(description) : undefined,
    ...(level === 'names' ? listIds(streams) : { connections: connections.map(shortenLine(level)) }),
    primary_key: stream.primaryKey,
    time_field: stream.timeField?.name,
    expand: relations.length === 0 ? undefined : relations.map(({ name, stream }) => ({ name, stream })),
  };
  if (level === 'names') return { ...head, fields: listByUse(fields) };
  const isUnused = (field: Field) => samples.unused.has(field.name);
  const described = fields.filter((field) => !isUnused(field) && !isOnlyRead(field));
  return {
    ...head,
    fields: described.map((field) => renderField(field, samples.of.get(field.name), level)),
    read_only: listNames(fields.filter(isOnlyRead)),
    unused_fields: listNames(fields.filter(isUnused)),
  };
}

function shortenLine(level: Level) {
  return (line: ConnectionLine) => {
    const { connection_id, records, me } = line;
    return level === 'full' ? line : { connection_id, records, me: level === 'short' ? undefined : me };
  };
}

function listIds(streams: readonly GrantedStream[]) {
  const ids = streams.slice(0, MAX_CONNECTION_IDS).map((one) => one.connection.connection_id);
  return { connection_ids: ids, connections_total: streams.length };
}

function listNames(fields: readonly Field[]): string[] | undefined {
  return fields.length === 0 ? undefined : fields.map((field) => field.name);
}

function renderField(field: Field, sample: Sample = {}, level: Level = 'short') {
  // All values say more than a description.
  const isWhole = (sample.values ?? sample.labels) !== undefined && sample.values_total === undefined;
  const isDescribed = level === 'full' && field.description !== undefined && !isWhole;
  return {
    name: field.name,
    type: nameType(field.kind),
    ...describeExceptions(field),
    unit: field.unit,
    search: field.search ? true : undefined,
    description: isDescribed ? escapeText(field.description as string) : undefined,
    ...shortenSample(field, sample, level),
  };
}

/** Shortens a sample. Values of an enumeration stay complete as long as any values are shown. */
function shortenSample(field: Field, sample: Sample, level: Level): Sample {
  if (level === 'full') return sample;
  if (level === 'short') return {};
  const { example: _, some_values: __, ...rest } = sample;
  if (level === 'brief' || field.values !== undefined) return rest;
  const all: readonly unknown[] = sample.values ?? Object.entries(sample.labels ?? {});
  const few = all.slice(0, FEW_VALUES);
  const values_total = sample.values_total ?? (few.length < all.length ? all.length : undefined);
  if (sample.labels !== undefined)
    return { labels: Object.fromEntries(few as [string, string][]), values_total };
  return sample.values === undefined ? {} : { values: few, values_total };
}

/** Lists field names under each use, the shortest form. */
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

/** Lists as many sources as fit in the shortest form; of a single source that does not fit, as many fields as do. */
function cutSources(groups: readonly Group[], { left }: Budget) {
  // Reserves space for the hint, and for names that a full answer omits.
  const budget = new Budget(left.tokens - 700, left.bytes - 2_400);
  const sources: object[] = groups
    .map((group) => renderGroup(group, 'names'))
    .filter((source) => budget.take(source));
  const [first] = groups;
  if (sources.length === 0 && first !== undefined) sources.push(cutFields(first, budget));
  return {
    sources,
    truncated: true,
    sources_total: groups.length,
    hint: 'Narrow with schema(stream, connection_id); for names of all fields, read one record with query_records.',
  };
}

function cutFields({ streams }: Group, budget: Budget) {
  const [{ connection, name, fields: all }] = streams;
  const head = { connector_key: connection.connector_key, stream: name, ...listIds(streams) };
  budget.take(head);
  const fields = [...all.values()].map((field) => renderField(field));
  return { ...head, fields: fields.filter((field) => budget.take(field)), fields_total: fields.length };
}
