import type { Relationship, SourceDeclaration, StreamDeclaration } from '../schema-index/declaration.ts';

const TYPES = {
  text: { type: 'string' },
  'text or null': { type: ['string', 'null'] },
  time: { type: 'string', format: 'date-time' },
  'time or null': { type: ['string', 'null'], format: 'date-time' },
  date: { type: 'string', format: 'date' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  flag: { type: 'boolean' },
  list: { type: 'array', items: { type: 'string' } },
};

type Flags = `${'' | ', required'}${'' | ', search'}${'' | ', sensitive'}`;
type Schema = Readonly<Record<string, unknown>>;
/**
 * A field in one line: type, flags, columns it is read from, description: `'text, search < Title|Name: Name of the track'`.
 * `required` fields are in every record, `search` fields are searched, `sensitive` fields are not preselected for apps.
 */
type FieldLine = `${keyof typeof TYPES}${Flags}${'' | ` < ${string}`}${'' | `: ${string}`}`;
/** Fields by name, in order: a line each, or a JSON Schema if a line is not enough. */
export type Fields = Readonly<Record<string, FieldLine | Schema>>;

/** A stream in short form. Values that most streams share are defaults. */
export interface StreamTable {
  /** Describes the stream for apps. */
  readonly description: string;
  /** Describes the stream for the owner, if that differs. */
  readonly detail?: string;
  /** The first field is the key. */
  readonly fields: Fields;
  /** The fields of a compound key. */
  readonly key?: string[];
  /** The field that orders the records and that the time window of a grant applies to. */
  readonly time?: string;
  /** Orders the records of a stream without a time window. */
  readonly cursor?: string;
  /** Default: `mutable_state`. */
  readonly semantics?: StreamDeclaration['semantics'];
  /** Whether the whole stream is sensitive, so that it is not preselected for apps. */
  readonly isSensitive?: boolean;
  /** The only view of the stream. `views` declares several. */
  readonly view?: Omit<View, 'id'>;
  readonly views?: View[];
  readonly relations?: Relationship[];
  /** The searched fields, if their order differs from the order of the fields. */
  readonly search?: string[];
}

type View = NonNullable<StreamDeclaration['views']>[number];

/** Declares a connector with its streams. */
export function declareSource(
  connector_key: string,
  name: string,
  streams: StreamDeclaration[],
): SourceDeclaration {
  return {
    protocol_version: '0.1.0',
    connector_key,
    source: { kind: 'connector', id: `https://sources.pdpp.example/${connector_key}` },
    declaration_version: '2026-10-01',
    publisher: { id: 'https://sources.pdpp.example' },
    display: { name },
    streams,
  };
}

/** Declares a stream. Grants may narrow it by field and by record. */
export function declareStream(name: string, label: string, table: StreamTable): StreamDeclaration {
  const { description, detail = description, relations } = table;
  const fields = Object.entries(table.fields).map(([field, line]) => ({ field, ...parseField(line) }));
  const flagged = (flag: string) =>
    fields.filter(({ flags }) => flags.includes(flag)).map(({ field }) => field);
  const key = table.key ?? fields.slice(0, 1).map(({ field }) => field);
  const search = table.search ?? flagged('search');
  const views = table.views ?? (table.view && [{ id: 'basic', ...table.view }]);
  const cursor = table.cursor ?? table.time;
  const declaration: StreamDeclaration = {
    name,
    description,
    display: { label, detail },
    semantics: table.semantics ?? 'mutable_state',
    schema: {
      type: 'object',
      properties: Object.fromEntries(fields.map(({ field, schema }) => [field, schema])),
      required: [...key, ...flagged('required')],
      ...(table.isSensitive && { 'x-pdpp-sensitive': true }),
    },
    primary_key: key,
    ...(cursor && { cursor_field: cursor }),
    ...(table.time && { consent_time_field: table.time }),
    selection: { fields: true, resources: true },
    ...(views && { views }),
    ...(relations && { relationships: relations }),
    ...(search.length > 0 && { query: { search: { lexical_fields: search } } }),
  };
  columns.set(
    declaration,
    fields.flatMap(({ field, type, names }) => (names ? [{ field, type, names }] : [])),
  );
  return declaration;
}

/** Returns a stream with one more relation. */
export function addRelation(stream: StreamDeclaration, relation: Relationship): StreamDeclaration {
  const related = { ...stream, relationships: [...(stream.relationships ?? []), relation] };
  columns.set(related, [...listColumns(stream)]);
  return related;
}

interface Column {
  readonly field: string;
  readonly type: string;
  readonly names: readonly string[];
}

// A WeakMap, because declarations are stored and the columns of an export are not part of them.
const columns = new WeakMap<StreamDeclaration, Column[]>();

/** Returns the columns that the fields of a stream are read from. */
export const listColumns = (stream: StreamDeclaration | undefined): readonly Column[] =>
  (stream && columns.get(stream)) ?? [];

/** `field` of the other stream holds the key of this one. */
export const hasMany = (name: string, stream: string, field: string): Relationship => ({
  name,
  stream,
  foreign_key: field,
  cardinality: 'has_many',
});

/** `field` of this stream holds the key of the other one. */
export const hasOne = (name: string, stream: string, field: string): Relationship => ({
  name,
  stream,
  foreign_key: field,
  cardinality: 'has_one',
});

/** Declares a text field with a fixed set of values. */
export const oneOf = (values: readonly string[], description?: string): Schema => ({
  ...{ type: 'string', enum: [...values] },
  ...(description !== undefined && { description }),
});

/** Marks fields that most people would not share by default. */
export const sensitive = (schema: Schema): Schema => ({ ...schema, 'x-pdpp-sensitive': true });

function parseField(line: FieldLine | Schema) {
  if (typeof line !== 'string') return { schema: line, flags: [], type: '', names: undefined };
  const colon = line.indexOf(': ');
  const [head = '', names] = (colon < 0 ? line : line.slice(0, colon)).split(' < ');
  const [type = '', ...flags] = head.split(', ');
  const schema: Schema = {
    ...TYPES[type as keyof typeof TYPES],
    ...(colon >= 0 && { description: line.slice(colon + 2) }),
  };
  return {
    schema: flags.includes('sensitive') ? sensitive(schema) : schema,
    flags,
    type,
    names: names?.split('|'),
  };
}
