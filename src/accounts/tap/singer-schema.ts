import type { StreamDeclaration } from '../../schema-index/declaration.ts';
import type { SchemaMessage } from './singer-messages.ts';

/** A stream of a tap as it is stored: which field has which column of the tap, so that names and types never change. */
export interface TapStream {
  readonly name: string;
  readonly fields: Readonly<Record<string, TapField>>;
  readonly key: readonly string[];
  readonly time: string | undefined;
}

interface TapField {
  readonly column: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Identifies records of a stream without key columns. It is computed from their values. */
const CONTENT_KEY = 'content_key';
const MAX_FIELDS = 199;
const MAX_STREAMS = 200;
/** Columns that are likely to say when something happened, best first. */
const TIMES =
  /^(?:date|time|timestamp|started?_?(?:at|date)|created(?:_?(?:at|date|time|on))?|sent_at|published(?:_at)?|occurred_at)$/i;

/** Returns a member. Taps choose names, so `constructor` can be one. */
export function findOwn<T>(members: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Adds what a SCHEMA message describes. Fields that are there already keep their names and types. */
export function addSchema(
  streams: Readonly<Record<string, TapStream>>,
  message: SchemaMessage,
): Readonly<Record<string, TapStream>> {
  const known = findOwn(streams, message.stream);
  if (known === undefined && Object.keys(streams).length >= MAX_STREAMS) return streams;
  const taken = new Set(Object.values(streams).map(({ name }) => name));
  const stream = growStream(known ?? startStream(message, taken), message);
  return known !== undefined && Object.keys(known.fields).length === Object.keys(stream.fields).length
    ? streams
    : { ...streams, [message.stream]: stream };
}

function startStream(message: SchemaMessage, taken: ReadonlySet<string>): TapStream {
  const start = { name: makeName(message.stream, taken), fields: {}, key: [], time: undefined };
  const { fields } = growStream(start, message);
  const find = (column: string) => Object.keys(fields).find((name) => fields[name]?.column === column);
  const key = (message.key_properties ?? []).map(find);
  const isKeyed = key.length > 0 && key.every((name) => name !== undefined && isScalar(fields[name]));
  const bookmarks = [message.bookmark_properties ?? []].flat().map(find);
  const times = Object.keys(fields).filter((name) => isTime(fields[name]));
  return {
    ...start,
    key: isKeyed ? (key as string[]) : [],
    time:
      times.find((name) => TIMES.test(name)) ?? times.find((name) => bookmarks.includes(name)) ?? times[0],
  };
}

function growStream(stream: TapStream, { schema }: SchemaMessage): TapStream {
  const fields: Record<string, TapField> = { ...stream.fields };
  const columns = new Set(Object.values(fields).map(({ column }) => column));
  const properties = (typeof schema.properties === 'object' && schema.properties) || {};
  for (const [column, property] of Object.entries(properties)) {
    if (columns.has(column) || Object.keys(fields).length >= MAX_FIELDS) continue;
    const name = makeFieldName(column);
    if (name !== undefined && fields[name] === undefined)
      fields[name] = { column, schema: readType(property) };
  }
  return { ...stream, fields };
}

/** Makes a stream name that declarations allow: `Sales Orders` becomes `sales_orders`. */
function makeName(stream: string, taken: ReadonlySet<string>): string {
  const plain = stream
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 56);
  const base = plain === '' ? 'stream' : plain;
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? base : `${base}_${n}`;
    if (!taken.has(name)) return name;
  }
}

function makeFieldName(column: string): string | undefined {
  const name = column
    .replace(/[^\p{L}\p{N}_.@ -]/gu, '_')
    .replace(/^[^\p{L}_]/u, '_$&')
    .slice(0, 64)
    .trim();
  return name === '' || name === CONTENT_KEY || name in Object.prototype ? undefined : name;
}

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** Reduces a JSON Schema of any draft to the types that decide what a field can be used for. */
function readType(property: unknown): Record<string, unknown> {
  if (typeof property !== 'object' || property === null) return {};
  const { type, anyOf, oneOf, format, items } = property as Record<string, unknown>;
  const choices = [anyOf ?? oneOf ?? []].flat().map(readType);
  const types = [type ?? choices.map((choice) => choice.type)]
    .flat(2)
    .filter((one) => TYPES.has(one as string));
  if (types.length === 0) return {};
  const formats = [format, ...choices.map((choice) => choice.format)];
  const time = formats.find((one) => one === 'date-time' || one === 'date');
  const isTextList = types.includes('array') && readType(items).type === 'string';
  return {
    type: types.length === 1 ? types[0] : [...new Set(types)],
    ...(time !== undefined && types.includes('string') ? { format: time } : {}),
    ...(isTextList ? { items: { type: 'string' } } : {}),
  };
}

const isTime = (field: TapField | undefined) => field?.schema.format !== undefined && isScalar(field);
const isScalar = (field: TapField | undefined) => {
  const types = [field?.schema.type ?? []].flat().filter((type) => type !== 'null');
  return types.length === 1 && ['string', 'number', 'integer'].includes(types[0] as string);
};

export function declareTapStream({ name, fields, key, time }: TapStream, title: string): StreamDeclaration {
  const properties = Object.fromEntries(Object.entries(fields).map(([field, { schema }]) => [field, schema]));
  const ownKey = { [CONTENT_KEY]: { type: 'string', description: 'Computed from the other fields.' } };
  return {
    name,
    description: `Records of ${name.replaceAll('_', ' ')} from ${title}.`,
    display: { label: name.replaceAll('_', ' ') },
    semantics: 'mutable_state',
    schema: { type: 'object', properties: key.length > 0 ? properties : { ...ownKey, ...properties } },
    primary_key: key.length > 0 ? [...key] : [CONTENT_KEY],
    ...(time === undefined ? {} : { cursor_field: time, consent_time_field: time }),
    selection: { fields: true, resources: true },
  };
}

/** Returns a record with the field names of its stream. Columns without a field are left out. */
export function renameColumns(
  { fields }: TapStream,
  record: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, { column }]) =>
      Object.hasOwn(record, column) && record[column] !== null ? [[field, record[column]]] : [],
    ),
  );
}

/** The values of the key, or undefined if the stream has none or one is missing. */
export function readKey({ key }: TapStream, data: Readonly<Record<string, unknown>>): string | undefined {
  if (key.length === 0) return undefined;
  const values = key.map((name) => data[name]);
  return values.some((value) => value === undefined || value === null) ? undefined : JSON.stringify(values);
}
