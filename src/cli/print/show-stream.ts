import { z } from 'zod';
import { formatCommand } from '../run/how-started.ts';
import { formatCount } from './show-index.ts';
import { table } from './table.ts';

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
  /** What fields of a type can do; a field says only where it differs. */
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

const NARROW = `Narrow with ${formatCommand('schema', 'STREAM --connection ID')}; for names of all fields, read one record with ${formatCommand('query')}.`;

/** A stream wherever it is, with what each of its fields can do. */
export async function showStreams(data: unknown): Promise<string> {
  const { sources, hint, types } = streamsShape.parse(data);
  // Types that can do the same are told together.
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
      ...(source.time_field === undefined ? [] : [`Newest first by ${source.time_field}.`]),
      ...(expand.length === 0 ? [] : [`--expand ${expand.map(({ name }) => name).join(',')}`]),
      '',
      await table([
        ['FIELD', 'TYPE', 'FILTER', 'CAN', 'EXAMPLES'],
        ...listFields(source.fields).map((field) => describeField({ ...uses.get(field.type), ...field })),
      ]),
      ...nameThem('Can only be read', source.read_only),
      ...nameThem('In no record', source.unused_fields),
    ].join('\n');
  });
  return [...(await Promise.all(texts)), ...(hint === undefined ? [] : [NARROW])].join('\n\n');
}

function nameThem(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}: ${names.join(', ')}`];
}

type Fields = z.infer<typeof streamsShape>['sources'][number]['fields'];

function listFields(fields: Fields): z.infer<typeof fieldShape>[] {
  if (Array.isArray(fields)) return fields;
  return Object.entries(fields.types).map(([name, type]) => ({ name, type }));
}

/** The types of a stream's fields by name, for writing values of the right kind. */
export function readFieldTypes(data: unknown): Map<string, string> {
  const { sources } = streamsShape.parse(data);
  return new Map(sources.flatMap(({ fields }) => listFields(fields).map(({ name, type }) => [name, type])));
}

const MAX_EXAMPLES = 60;

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
    examples.length > MAX_EXAMPLES ? `${examples.slice(0, MAX_EXAMPLES)}…` : examples,
  ];
}
