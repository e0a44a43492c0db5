import type { Relationship, StreamDeclaration } from '../../../src/schema-index/declaration.ts';

/** What the four team tools of the demo share: short ways to declare a stream. */

type FieldSchema = Readonly<Record<string, unknown>>;

/** Short enough to be filtered and grouped by as well as searched. */
export const text: FieldSchema = { type: 'string', maxLength: 200 };
/** Long text: read and searched only. */
export const prose: FieldSchema = { type: 'string' };
export const time: FieldSchema = { type: 'string', format: 'date-time' };
export const count: FieldSchema = { type: 'integer', minimum: 0 };
export const percent: FieldSchema = { type: 'integer', minimum: 0, maximum: 100 };
export const flag: FieldSchema = { type: 'boolean' };
export const texts: FieldSchema = { type: 'array', items: { type: 'string' } };
export const oneOf = (...values: string[]): FieldSchema => ({ type: 'string', enum: values });

/** `field` belongs to the other stream and holds the key of this one. */
export const hasMany = (name: string, stream: string, field: string): Relationship => ({
  name,
  stream,
  foreign_key: field,
  cardinality: 'has_many',
});

/** `field` belongs to this stream and holds the key of the other one. */
export const hasOne = (name: string, stream: string, field: string): Relationship => ({
  name,
  stream,
  foreign_key: field,
  cardinality: 'has_one',
});

interface TeamStream {
  label: string;
  detail: string;
  /** The first field is the primary key. */
  fields: Record<string, FieldSchema>;
  optional?: string[];
  time: string;
  search: string[];
  summary: string[];
  relations?: Relationship[];
}

/** One stream of a team tool; whatever is not optional is required. */
export function declareStream(name: string, stream: TeamStream): StreamDeclaration {
  const names = Object.keys(stream.fields);
  const relations = stream.relations ?? [];
  return {
    name,
    description: stream.detail,
    display: { label: stream.label, detail: stream.detail },
    semantics: 'mutable_state',
    schema: {
      type: 'object',
      properties: stream.fields,
      required: names.filter((field) => !stream.optional?.includes(field)),
      additionalProperties: false,
    },
    primary_key: names.slice(0, 1),
    cursor_field: stream.time,
    consent_time_field: stream.time,
    selection: { fields: true, resources: true },
    views: [{ id: 'summary', label: 'The short form', fields: stream.summary }],
    ...(relations.length > 0 && { relationships: relations }),
    query: {
      ...(relations.length > 0 && { expand: relations.map(declareExpansion) }),
      search: { lexical_fields: stream.search },
    },
  };
}

function declareExpansion({ name, cardinality }: Relationship) {
  return cardinality === 'has_many' ? { name, default_limit: 25, max_limit: 50 } : { name };
}
