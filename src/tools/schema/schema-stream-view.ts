import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import type { Field, FieldKind } from '../../schema-index/field.ts';
import { fromValue } from '../../store/field-value.ts';
import { escapeText } from '../../text/escape-text.ts';
import { Budget, firstFitting } from '../envelope.ts';
import { describeExceptions, describeTypes, isOnlyRead, LEGEND, nameType } from './schema-types.ts';
import { readSamples, type Sample, type Samples } from './schema-values.ts';

const MAX_IDS = 40;
/** Values in a shorter answer. */
const FEW_VALUES = 5;

interface ConnectionLine {
  readonly connection_id: string;
  readonly display_name: string;
  readonly records: number;
  readonly first?: string;
  readonly last?: string;
  /** Who the owner is, by field. */
  readonly me?: Readonly<Record<string, unknown>>;
}

interface Group {
  readonly streams: GrantedStream[];
  readonly samples: Samples;
  readonly connections: ConnectionLine[];
}

/** What can be asked of a stream, for every connection that has it; connections that are alike are told once. */
export async function viewStreams(
  streams: readonly GrantedStream[],
  context: ReadContext,
  budget: Budget,
): Promise<object> {
  const groups: Group[] = [];
  for (const alike of groupAlike(streams)) groups.push(await readGroup(alike, context));
  const types = describeTypes(streams.flatMap((stream) => [...stream.fields.values()]));
  const render = (level: Level) => ({
    legend: LEGEND,
    types,
    sources: groups.map((group) => renderGroup(group, level)),
  });
  return firstFitting<object>(
    [
      () => render('full'),
      () => render('brief'),
      () => render('few'),
      () => render('short'),
      () => render('names'),
      () => ({ legend: LEGEND, types, ...cutSources(groups, budget) }),
    ],
    budget,
  );
}

/**
 * Ever shorter: without descriptions and examples, with few values where a field is no enumeration, without values,
 * names alone.
 */
type Level = 'full' | 'brief' | 'few' | 'short' | 'names';

function groupAlike(streams: readonly GrantedStream[]): GrantedStream[][] {
  const groups = new Map<string, GrantedStream[]>();
  for (const stream of streams) {
    const key = JSON.stringify([stream.connection.connector_key, stream.name, [...stream.fields.keys()]]);
    groups.set(key, [...(groups.get(key) ?? []), stream]);
  }
  return [...groups.values()];
}

async function readGroup(streams: GrantedStream[], context: ReadContext): Promise<Group> {
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
        : {
            first: dayOf(kind, span.first, reader.timeZone),
            last: dayOf(kind, span.last, reader.timeZone),
          }),
      ...(await describeOwner(stream, context)),
    });
  }
  const records = connections.reduce((sum, one) => sum + one.records, 0);
  return { streams, connections, samples: await readSamples(streams, records, context) };
}

function dayOf(kind: FieldKind, time: number, timeZone: string): string {
  return String(fromValue(kind, time, timeZone)).slice(0, 10);
}

/** The fields in which visible records name the owner, each with how. */
async function describeOwner(
  stream: GrantedStream,
  { reader }: ReadContext,
): Promise<Pick<ConnectionLine, 'me'>> {
  const me: Record<string, unknown> = {};
  for (const field of stream.fields.values()) {
    if (field.person !== true || !field.filter) continue;
    const names = (await reader.owner(stream, field.name)).slice(0, FEW_VALUES);
    if (names.length > 0)
      me[field.name] =
        names.length === 1 ? escapeText(names[0] as string) : names.map((name) => escapeText(name));
  }
  return Object.keys(me).length === 0 ? {} : { me };
}

function renderGroup({ streams, connections, samples }: Group, level: Level) {
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
          connection_ids: streams.slice(0, MAX_IDS).map((one) => one.connection.connection_id),
          connections_total: streams.length,
        }
      : {
          connections:
            level === 'full'
              ? connections
              : connections.map(({ connection_id, records, me }) => ({
                  connection_id,
                  records,
                  ...(level !== 'short' && me !== undefined ? { me } : {}),
                })),
        }),
    primary_key: stream.primaryKey,
    ...(stream.timeField === undefined ? {} : { time_field: stream.timeField.name }),
    ...(stream.relations.length === 0
      ? {}
      : { expand: stream.relations.map((one) => ({ name: one.name, stream: one.stream })) }),
  };
  if (level === 'names') return { ...head, fields: listByUse(fields) };
  const isUnused = (field: Field) => samples.unused.has(field.name);
  const told = fields.filter((field) => !isUnused(field) && !isOnlyRead(field));
  return {
    ...head,
    fields: told.map((field) => renderField(field, samples.of.get(field.name), level)),
    ...nameThem('read_only', fields.filter(isOnlyRead)),
    ...nameThem('unused_fields', fields.filter(isUnused)),
  };
}

/** Fields that are told by their names alone. */
function nameThem(what: string, fields: readonly Field[]): Record<string, string[]> {
  return fields.length === 0 ? {} : { [what]: fields.map((field) => field.name) };
}

function renderField(field: Field, sample: Sample = {}, level: Level = 'short') {
  return {
    name: field.name,
    type: nameType(field.kind),
    ...describeExceptions(field),
    ...(field.unit === undefined ? {} : { unit: field.unit }),
    ...(field.search ? { search: true } : {}),
    ...(level === 'full' && field.description !== undefined && !isWhole(sample)
      ? { description: escapeText(field.description) }
      : {}),
    ...shortenSample(field, sample, level),
  };
}

/** All values stay as long as they fit; of an enumeration they stay even where others are shortened. */
function shortenSample(field: Field, sample: Sample, level: Level): Sample {
  if (level === 'full') return sample;
  if (level === 'short') return {};
  const { example: _, some_values: __, ...values } = sample;
  return level === 'brief' || field.values !== undefined ? values : shorten(sample);
}

/** Whether all that a field holds is shown, which says more than words about it. */
function isWhole({ values, labels, values_total }: Sample): boolean {
  return (values ?? labels) !== undefined && values_total === undefined;
}

/** Fewer values, with how many there are; what is only an example goes. */
function shorten({ values, values_total, labels }: Sample): Sample {
  if (labels !== undefined) return shortenLabels(labels, values_total);
  if (values === undefined) return {};
  if (values.length <= FEW_VALUES) return { values, ...(values_total === undefined ? {} : { values_total }) };
  return { values: values.slice(0, FEW_VALUES), values_total: values_total ?? values.length };
}

function shortenLabels(labels: Record<string, string>, total: number | undefined): Sample {
  const entries = Object.entries(labels);
  if (entries.length <= FEW_VALUES)
    return { labels, ...(total === undefined ? {} : { values_total: total }) };
  return { labels: Object.fromEntries(entries.slice(0, FEW_VALUES)), values_total: total ?? entries.length };
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
    .map((group) => renderGroup(group, 'names'))
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
  const ids = streams.slice(0, MAX_IDS).map((one) => one.connection.connection_id);
  const bare = { connector_key, stream: stream.name, connection_ids: ids, connections_total: streams.length };
  room.take(bare);
  const fields = [...stream.fields.values()].map((field) => renderField(field));
  return { ...bare, fields: fields.filter((field) => room.take(field)), fields_total: fields.length };
}
