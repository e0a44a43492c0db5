import type { StreamDeclaration } from '../schema-index/declaration.ts';
import { hashForKey } from '../secrets/content-hash.ts';
import type { Scratch } from '../store/sqlite/scratch.ts';
import type { Identity } from './importer.ts';
import type { OnLocalTime } from './read/read-time.ts';

export { hashKey } from './hash-key.ts';

/** Converts a value to the time zone in which keys are computed. */
export type KeyValue = (value: unknown) => unknown;

type Data = Readonly<Record<string, unknown>>;

/**
 * Fills in missing primary keys. The key is a hash of the identifying fields and the number of equal records before it:
 * the same file gives the same keys in one store, and equal rows stay apart. With declared identifying fields, equal rows are numbered
 * per file, so that overlapping statements of one import share records. The counts are on disk.
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
    const text = key.toString('base64url');
    for (const name of missing) data[name] = n === 1 ? text : `${text}-${n}`;
  };
}

/** Returns the key of the first record with these values in the identifying fields. */
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
  return hashForKey(parts.join('\0')).subarray(0, 16);
}

/** Returns the same text for equal data: JSON of the names with their values. Empty values are left out. */
function canonical(data: Data, fields: readonly string[], keyValue: KeyValue): string {
  let text = '';
  for (const name of fields) {
    const value = keyValue(data[name]);
    if (value === undefined || value === null) continue;
    text += `${text === '' ? '' : ','}[${JSON.stringify(name)},${JSON.stringify(value)}]`;
  }
  return `[${text}]`;
}

/** Deeper values are dropped. No reader goes deeper, and parsers could overflow the stack. */
const MAX_DEPTH = 60;

/** Makes data valid JSON: repairs broken surrogate pairs, drops undefined values and infinite numbers. */
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

/** Importers read ahead by some records. Older values belong to records that are done. */
const MAX_CACHED_VALUES = 20_000;

/**
 * Remembers values that depend on the time zone of times without one. Keys are computed in the zone of the connection's
 * first import, so that a corrected zone does not duplicate records.
 */
export function createLocalTimes(importZone: string) {
  const others = new Map<string, (timeZone: string) => string | undefined>();
  let hasLocalTimes = false;
  const onLocalTime: OnLocalTime = (result, inZone, from) => {
    if (from !== 'derived') hasLocalTimes = true;
    // Reinserted, so that the oldest value is dropped first.
    others.delete(result);
    others.set(result, inZone);
    if (others.size > MAX_CACHED_VALUES) others.delete(others.keys().next().value as string);
  };
  const inZone = (timeZone: string): KeyValue =>
    timeZone === importZone
      ? (value) => value
      : (value) => (typeof value === 'string' ? (others.get(value)?.(timeZone) ?? value) : value);
  return { onLocalTime, inZone, hasLocalTimes: () => hasLocalTimes };
}
