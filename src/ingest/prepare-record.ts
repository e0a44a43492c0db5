import type { ErrorObject } from 'ajv';
import type { CatalogStream } from '../schema-index/catalog.ts';
import { compileSchema } from '../schema-index/compile-schema.ts';
import type { Field } from '../schema-index/field.ts';
import type { Change, IndexedFields } from '../store/batches.ts';
import { toTime, toValue } from '../store/field-value.ts';
import type { Value } from '../store/values.ts';
import { parseInstant } from '../time/instant.ts';
import { indexText, searchText } from '../words/index-text.ts';
import { parseLine } from './parse-line.ts';

type PreparedLine = { kind: 'change'; change: Change } | { kind: 'refused'; reason: string };

type Prepare = (text: string) => PreparedLine;

/** Cached per stream, because compiling a schema costs more than preparing many records. */
const preparers = new WeakMap<CatalogStream, Prepare>();

/** Returns a function that turns lines of the stream into changes. */
export function getPreparer(stream: CatalogStream, timeZone: string): Prepare {
  const known = preparers.get(stream);
  if (known !== undefined) return known;
  const prepare = createPreparer(stream, timeZone);
  preparers.set(stream, prepare);
  return prepare;
}

function createPreparer(stream: CatalogStream, timeZone: string): Prepare {
  const prepareData = createDataPreparer(stream, timeZone);
  return (text) => {
    const parsed = parseLine(text);
    if (parsed.kind === 'refused') return parsed;
    const { line } = parsed;
    const emittedAt = parseInstant(line.emittedAt, timeZone);
    if (emittedAt === undefined) return refused('has an emitted_at that is not a valid time');
    if (line.op === 'delete') return { kind: 'change', change: { op: 'delete', key: line.key, emittedAt } };
    const prepared = prepareData(line.data, emittedAt, line.typed);
    if (prepared.kind === 'change' && prepared.change.key !== line.key)
      return refused('has a key that does not match its data');
    return prepared;
  };
}

/** `typed` is the same data with large integers as numbers, if that differs. */
export type PrepareData = (
  data: Record<string, unknown>,
  emittedAt: number,
  typed?: Record<string, unknown>,
) => PreparedLine;

/** Returns a function that turns clean data of the stream into changes. */
export function createDataPreparer(stream: CatalogStream, timeZone: string): PrepareData {
  const validate = compileSchema(stream.declaration);
  const index = createIndexer(stream, timeZone);
  const order = [...stream.fields.keys()];
  return (data, emittedAt, typed = data) => {
    if (!validate(typed)) return refused(describeMismatch(validate.errors?.[0]));
    const key = keyOf(data, stream.declaration.primary_key);
    if (key === undefined) return refused('is missing part of its primary key');
    return {
      kind: 'change',
      change: { op: 'put', key, emittedAt, data: JSON.stringify(inOrder(data, order)), ...index(data) },
    };
  };
}

/** Returns a function that reads the time, the comparable values and the searchable texts of a record. */
export function createIndexer(
  stream: CatalogStream,
  timeZone: string,
): (data: Record<string, unknown>) => IndexedFields {
  const indexed = (plan: Readonly<Record<string, number>>): Field[] =>
    Object.keys(plan).flatMap((name) => stream.fields.get(name) ?? []);
  const [compared, searched] = [indexed(stream.plan.slots), indexed(stream.plan.texts)];
  const time = stream.timeField;
  return (data) => {
    const values: Record<string, Value> = {};
    for (const { name, kind } of compared) values[name] = toValue(kind, data[name], timeZone);
    const texts: Record<string, string> = {};
    for (const { name } of searched) texts[name] = indexText(searchText(data[name]));
    return { t: toTime(time?.kind, data[time?.name ?? ''], timeZone), values, texts };
  };
}

/** Returns the key of a record: the primary key as a string, or a JSON array of strings for several fields. */
export function keyOf(data: Record<string, unknown>, primaryKey: readonly string[]): string | undefined {
  const parts = primaryKey.map((name) => data[name]);
  if (parts.some((part) => part === undefined || part === null || typeof part === 'object')) return undefined;
  return parts.length === 1 ? String(parts[0]) : JSON.stringify(parts.map(String));
}

/** Sorts fields as declared, and others after them by name, so that equal records have equal JSON. */
function inOrder(data: Record<string, unknown>, order: readonly string[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const rest = Object.keys(data);
  let declared = 0;
  for (const name of order)
    if (data[name] !== undefined) {
      result[name] = data[name];
      if (Object.hasOwn(data, name)) declared += 1;
    }
  if (declared === rest.length) return result;
  for (const name of rest.sort()) if (!Object.hasOwn(result, name)) result[name] = data[name];
  return result;
}

/** Names the field and the rule, never the value. */
function describeMismatch(error: ErrorObject | undefined): string {
  const path = error?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  const rule = error?.keyword ?? 'schema';
  const wanted = rule === 'type' ? ` ${String(error?.params.type)}` : '';
  if (rule === 'required')
    return `does not match its schema: ${String(error?.params.missingProperty)} is missing`;
  return `does not match its schema: ${path === '' ? 'data' : path} breaks ${rule}${wanted}`;
}

function refused(reason: string): PreparedLine {
  return { kind: 'refused', reason };
}
