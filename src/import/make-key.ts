import { hash } from 'node:crypto';
import type { StreamDeclaration } from '../schema-index/declaration.ts';
import type { Scratch } from '../store/sqlite/scratch.ts';
import type { Identity } from './importer.ts';

/** What a value would be in the zone that keys are made in. */
export type KeyValue = (value: unknown) => unknown;

type Data = Readonly<Record<string, unknown>>;

/**
 * Fills in what a record's primary key lacks. A record without an id of its own gets one made of what tells it from others, and of its number among those that are
 * equal in that: the same file gives the same keys, and two equal rows stay two. Where the source says what tells them
 * apart, equal rows are counted file by file: what stands in two files of one import, as statements that overlap do,
 * is one. How often each was met lies on the disk.
 */
export function createKeyMaker(
  scratch: Scratch,
  identity: Identity = {},
  keyValue: KeyValue = (value) => value,
) {
  scratch.raw.exec(
    'create table if not exists equals (hash blob primary key, n integer not null) without rowid',
  );
  const count = scratch.raw
    .prepare('insert into equals values (?, 1) on conflict do update set n = n + 1 returning n')
    .pluck();
  const sorted = new Map(Object.entries(identity).map(([name, fields]) => [name, [...fields].sort()]));
  return (
    stream: StreamDeclaration,
    data: Record<string, unknown>,
    path: string,
    legacyData?: Data,
  ): void => {
    const missing = stream.primary_key.filter((name) => data[name] === undefined || data[name] === null);
    if (missing.length === 0) return;
    const fields = sorted.get(stream.name);
    const key = digestContent(
      stream.name,
      legacyData === undefined ? data : { ...data, ...legacyData },
      fields ?? Object.keys(data).sort(),
      keyValue,
    );
    const n = count.get(fields === undefined ? key : digest(path, key.toString('latin1'))) as number;
    const written = key.toString('base64url');
    for (const name of missing) data[name] = n === 1 ? written : `${written}-${n}`;
  };
}

/** The key of the first record that has these values in the identifying fields. */
export function makeContentKey(stream: string, data: Data, fields: readonly string[]): string {
  return digestContent(stream, data, [...fields].sort()).toString('base64url');
}

function digestContent(
  stream: string,
  data: Data,
  sorted: readonly string[],
  keyValue: KeyValue = (value) => value,
): Buffer {
  return digest(stream, canonical(data, sorted, keyValue));
}

function digest(...parts: readonly string[]): Buffer {
  return hash('sha256', parts.join('\0'), 'buffer').subarray(0, 16);
}

/**
 * One text for equal data, its fields in order: the JSON of a list of names with their values. What is empty is as if it
 * were not there.
 */
function canonical(data: Data, fields: readonly string[], keyValue: KeyValue): string {
  let text = '';
  for (const name of fields) {
    const value = keyValue(data[name]);
    if (value === undefined || value === null) continue;
    text += `${text === '' ? '' : ','}[${JSON.stringify(name)},${JSON.stringify(value)}]`;
  }
  return `[${text}]`;
}

/** Deeper values are cut off: no reader of ours goes further, and a parser may not come back from there. */
const MAX_DEPTH = 60;

/**
 * What an importer found as what JSON can hold: halves of characters replaced, endless numbers and absent values left
 * out. The values themselves are the file's and stay.
 */
export function cleanData(data: Data): Record<string, unknown> {
  return cleanObject(data, 0);
}

function cleanObject(value: object, depth: number): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const clean = cleanValue(inner, depth + 1);
    if (clean !== undefined && name !== '__proto__') result[wellFormed(name)] = clean;
  }
  return result;
}

function cleanValue(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return wellFormed(value);
    case 'number':
      return Number.isFinite(value) ? value : undefined;
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return null;
      if (depth > MAX_DEPTH) return undefined;
      if (Array.isArray(value)) return value.map((inner) => cleanValue(inner, depth + 1) ?? null);
      return cleanObject(value, depth);
    default:
      return undefined;
  }
}

function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}
