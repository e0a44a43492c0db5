import type { StreamDeclaration } from '../../src/schema-index/declaration.ts';

/** What a field holds, in the words of the contract. */
export type Kind =
  | 'string'
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'date-time'
  | 'date'
  | 'list'
  | 'json';

export interface Relation {
  readonly name: string;
  readonly stream: string;
  readonly foreign_key: string;
  readonly cardinality: 'has_many' | 'has_one';
}

/** A stream as these tests know it: enough to declare it, and enough for the oracle to reason about. */
export interface StreamSpec {
  readonly connector: string;
  readonly name: string;
  readonly fields: Readonly<Record<string, Kind>>;
  readonly primaryKey: readonly string[];
  readonly timeField?: string;
  readonly searchable: readonly string[];
  readonly relations: readonly Relation[];
  /** Keys of its records, if they differ from those of other streams. */
  readonly keys?: readonly string[];
  /** Keys that hidden records may have. */
  readonly hiddenKeys?: readonly string[];
  /** The declaration of the program's own source, for what this specification does not contain. */
  readonly declared?: StreamDeclaration;
}

/** Every kind of field; a time field of its own and a second time beside it; a relation to boxes. */
export const letters: StreamSpec = {
  connector: 'post',
  name: 'letters',
  primaryKey: ['id'],
  timeField: 'sent_at',
  searchable: ['title', 'body', 'tags'],
  relations: [{ name: 'box', stream: 'boxes', foreign_key: 'box_id', cardinality: 'has_one' }],
  fields: {
    id: 'string',
    sent_at: 'date-time',
    read_at: 'date-time',
    due: 'date',
    box_id: 'string',
    folder: 'string',
    title: 'string',
    size: 'integer',
    ref: 'integer',
    price: 'number',
    read: 'boolean',
    tags: 'list',
    meta: 'json',
    body: 'text',
  },
};

/** No time field: ordered by key, and no window can apply. */
export const boxes: StreamSpec = {
  connector: 'post',
  name: 'boxes',
  primaryKey: ['id'],
  searchable: ['label', 'notes'],
  relations: [{ name: 'letters', stream: 'letters', foreign_key: 'box_id', cardinality: 'has_many' }],
  fields: { id: 'string', label: 'string', weight: 'number', open: 'boolean', notes: 'text' },
};

/** A calendar day as time field. */
export const entries: StreamSpec = {
  connector: 'log',
  name: 'entries',
  primaryKey: ['id'],
  timeField: 'day',
  searchable: ['note', 'mood'],
  relations: [],
  fields: { id: 'string', day: 'date', mood: 'string', score: 'integer', tags: 'list', note: 'text' },
};

/** The same name as a stream of the other connector, with a key of two parts. */
const logBoxes: StreamSpec = {
  connector: 'log',
  name: 'boxes',
  primaryKey: ['shelf', 'number'],
  searchable: ['label'],
  relations: [],
  fields: { shelf: 'string', number: 'integer', label: 'string', weight: 'number' },
};

const specs: readonly StreamSpec[] = [letters, boxes, entries, logBoxes];

/** A stream of one connection. */
export interface Place {
  readonly connection: string;
  readonly spec: StreamSpec;
}

export interface Account {
  readonly id: string;
  readonly connector: string;
  readonly name: string;
  /** What it calls its owner. */
  readonly self?: readonly string[];
}

/** Sources, and the accounts that are connected of them. */
export interface Land {
  readonly name: string;
  readonly specs: readonly StreamSpec[];
  readonly connections: readonly Account[];
}

export const postAndLog: Land = {
  name: 'post and log',
  specs,
  connections: [
    { id: 'log_main', connector: 'log', name: 'Log' },
    { id: 'post_home', connector: 'post', name: 'Post at home' },
    { id: 'post_work', connector: 'post', name: 'Post at work' },
  ],
};

const known = new WeakMap<object, Place[]>();

/**
 * Every stream of every connection, in the order in which answers list them. For one land always the same objects, by
 * which steps are told apart.
 */
export function placesOf(land: Pick<Land, 'specs' | 'connections'>): Place[] {
  const places =
    known.get(land) ??
    land.connections.flatMap(({ id, connector }) =>
      land.specs.filter((spec) => spec.connector === connector).map((spec) => ({ connection: id, spec })),
    );
  known.set(land, places);
  return places;
}

export const places: readonly Place[] = placesOf(postAndLog);

const SCHEMAS: Record<Kind, object> = {
  string: { type: ['string', 'null'] },
  text: { type: ['string', 'null'] },
  integer: { type: ['integer', 'null'] },
  number: { type: ['number', 'null'] },
  boolean: { type: ['boolean', 'null'] },
  'date-time': { type: ['string', 'null'], format: 'date-time' },
  date: { type: ['string', 'null'], format: 'date' },
  list: { type: ['array', 'null'], items: { type: 'string' } },
  json: { type: ['object', 'null'] },
};

function schemaOf({ declared }: StreamSpec, field: string): unknown {
  return (declared?.schema.properties as Record<string, unknown> | undefined)?.[field];
}

/** The source declaration of a connector, as a publisher would write it. */
export function declare(connector: string, streams: readonly StreamSpec[], version = '1') {
  return {
    protocol_version: '0.1.0',
    connector_key: connector,
    source: { kind: 'connector', id: `https://example.org/sources/${connector}` },
    declaration_version: version,
    publisher: { id: 'https://example.org' },
    display: { name: connector },
    streams: streams.map((spec) => ({
      ...spec.declared,
      name: spec.name,
      semantics: 'mutable_state',
      schema: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(spec.fields).map(([name, kind]) => [name, schemaOf(spec, name) ?? SCHEMAS[kind]]),
        ),
        required: spec.declared?.schema.required ?? spec.primaryKey,
      },
      primary_key: spec.primaryKey,
      ...(spec.timeField === undefined ? {} : { consent_time_field: spec.timeField }),
      selection: { fields: true, resources: true },
      ...(spec.relations.length === 0 ? {} : { relationships: spec.relations }),
      ...(spec.searchable.length === 0 ? {} : { query: { search: { lexical_fields: spec.searchable } } }),
    })),
  };
}
