import { z } from 'zod';
import { commandName, formatCommand } from '../run/how-started.ts';
import { formatAmount, formatCount } from './print.ts';
import { table } from './table.ts';

const streamShape = z.object({
  name: z.string(),
  records: z.number().optional(),
  first: z.string().optional(),
  last: z.string().optional(),
});

/** The index in each form that the server sends. Larger indexes come in shorter forms. */
const indexShape = z.object({
  connectors: z.array(
    z.object({
      connections: z.array(
        z.union([
          z.string(),
          z.object({
            connection_id: z.string(),
            display_name: z.string().optional(),
            streams: z.array(streamShape).optional(),
            empty_streams: z.array(z.string()).optional(),
          }),
        ]),
      ),
      streams: z.union([z.string(), z.array(z.string())]).optional(),
    }),
  ),
  more_connections: z.array(z.string()).optional(),
});

interface StreamLine extends z.infer<typeof streamShape> {
  readonly connection: string;
  readonly title: string;
}

function listStreams(data: unknown): StreamLine[] {
  return indexShape.parse(data).connectors.flatMap(({ connections, streams }) => {
    const shared = typeof streams === 'string' ? streams.split(' ') : (streams ?? []);
    return connections.flatMap((one) => {
      const {
        connection_id,
        display_name = '',
        streams: own = shared.map((name) => ({ name })),
        empty_streams: empty = [],
      } = typeof one === 'string' ? { connection_id: one } : one;
      return [...own, ...empty.map((name) => ({ name, records: 0 }))].map((stream) => ({
        connection: connection_id,
        title: display_name,
        ...stream,
      }));
    });
  });
}

/** Formats the index as a table with a row per stream. */
export async function formatIndex(data: unknown): Promise<string> {
  const streams = listStreams(data);
  const more = indexShape.parse(data).more_connections ?? [];
  const rows = streams.map(({ connection, title, name, records, first, last }) => [
    connection,
    title,
    name,
    formatOptionalCount(records),
    first ?? '',
    last ?? '',
  ]);
  return [
    rows.length === 0
      ? 'No data is available to this app.'
      : await table([['CONNECTION', 'NAME', 'STREAM', 'RECORDS', 'FIRST', 'LAST'], ...rows]),
    ...(more.length === 0 ? [] : [`Not shown: ${more.join(', ')}. To see one, add --connection ID.`]),
  ].join('\n');
}

const MAX_LINES = 10;

/** Summarizes the index in a few lines. */
export async function summarizeIndex(data: unknown): Promise<string> {
  const streams = listStreams(data);
  const connections = [...new Set(streams.map(({ connection }) => connection))];
  const records = streams.reduce((sum, stream) => sum + (stream.records ?? 0), 0);
  const lines = connections.slice(0, MAX_LINES).map((connection) => {
    const own = streams.filter((stream) => stream.connection === connection);
    return [
      `  ${connection}`,
      own.map((one) => `${one.name} ${formatOptionalCount(one.records)}`.trim()).join(', '),
    ];
  });
  const left = connections.length - lines.length;
  return [
    `It can read ${formatAmount(records, 'record')} in ${formatAmount(streams.length, 'stream')} of ${formatAmount(connections.length, 'connection')}:`,
    await table(lines),
    ...(left > 0 ? [`  and ${left} more. See all: ${commandName} schema`] : []),
  ].join('\n');
}

function formatOptionalCount(records: number | undefined): string {
  return records === undefined ? '' : formatCount(records);
}

const usesShape = z.object({
  filter: z.union([z.string(), z.literal(false)]).optional(),
  sort: z.boolean().optional(),
  group: z.boolean().optional(),
  aggregate: z.array(z.string()).optional(),
});

const fieldShape = z.looseObject({
  name: z.string(),
  type: z.string(),
  ...usesShape.shape,
  search: z.boolean().optional(),
  values: z.array(z.unknown()).optional(),
  some_values: z.array(z.unknown()).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  example: z.unknown().optional(),
});

const streamsShape = z.object({
  legend: z.string().optional(),
  hint: z.string().optional(),
  /** The uses of the fields of a type. A field lists only its differences. */
  types: z.record(z.string(), usesShape).default({}),
  sources: z.array(
    z.looseObject({
      connector_key: z.string(),
      stream: z.string(),
      description: z.string().optional(),
      connections: z.array(z.looseObject({ connection_id: z.string(), records: z.number() })).optional(),
      connection_ids: z.array(z.string()).optional(),
      time_field: z.string().optional(),
      expand: z.array(z.object({ name: z.string(), stream: z.string() })).optional(),
      read_only: z.array(z.string()).default([]),
      unused_fields: z.array(z.string()).default([]),
      fields: z.union([z.array(fieldShape), z.looseObject({ types: z.record(z.string(), z.string()) })]),
    }),
  ),
});

const MORE_FIELDS_HINT = `To see more fields, run ${formatCommand('schema', 'STREAM --connection ID')}. To see all field names, read one record with ${formatCommand('query', 'STREAM --limit 1')}.`;

/** Formats a stream in each of its sources, with the uses of its fields. */
export async function formatStreams(data: unknown): Promise<string> {
  const { sources, hint, types } = streamsShape.parse(data);
  // Types with the same uses share a key.
  const uses = new Map(
    Object.entries(types).flatMap(([names, can]) => names.split(', ').map((name) => [name, can] as const)),
  );
  const texts = sources.map(async (source) => {
    const connections = source.connections?.map(
      (one) => `${one.connection_id} (${formatCount(one.records)})`,
    );
    const { expand = [] } = source;
    return [
      `${source.stream} of ${source.connector_key}: ${(connections ?? source.connection_ids ?? []).join(', ')}`,
      ...(source.description === undefined ? [] : [source.description]),
      ...(source.time_field === undefined ? [] : [`Sorted by ${source.time_field}, newest first.`]),
      ...(expand.length === 0 ? [] : [`--expand ${expand.map(({ name }) => name).join(',')}`]),
      '',
      await table([
        ['FIELD', 'TYPE', 'FILTER', 'USES', 'EXAMPLES'],
        ...listFields(source.fields).map((field) => describeField({ ...uses.get(field.type), ...field })),
      ]),
      ...listNames('Read-only', source.read_only),
      ...listNames('Without values', source.unused_fields),
    ].join('\n');
  });
  return [...(await Promise.all(texts)), ...(hint === undefined ? [] : [MORE_FIELDS_HINT])].join('\n\n');
}

function listNames(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}: ${names.join(', ')}`];
}

type Fields = z.infer<typeof streamsShape>['sources'][number]['fields'];

function listFields(fields: Fields): z.infer<typeof fieldShape>[] {
  if (Array.isArray(fields)) return fields;
  return Object.entries(fields.types).map(([name, type]) => ({ name, type }));
}

/** Returns the types of a stream's fields by name. */
export function readFieldTypes(data: unknown): Map<string, string> {
  const { sources } = streamsShape.parse(data);
  return new Map(sources.flatMap(({ fields }) => listFields(fields).map(({ name, type }) => [name, type])));
}

const MAX_EXAMPLE_CHARACTERS = 60;

function describeField(field: z.infer<typeof fieldShape>): string[] {
  const can = [
    field.sort && 'sort',
    field.group && 'group',
    field.search && 'search',
    ...(field.aggregate ?? []),
  ];
  const named = field.labels && Object.entries(field.labels).map(([key, label]) => `${key} ${label}`);
  const examples = (named ?? field.values ?? field.some_values ?? [field.example ?? ''])
    .map(String)
    .join(', ');
  return [
    field.name,
    field.type,
    field.filter || '',
    can.filter(Boolean).join(' '),
    examples.length > MAX_EXAMPLE_CHARACTERS ? `${examples.slice(0, MAX_EXAMPLE_CHARACTERS)}…` : examples,
  ];
}
