import { type Kysely, type RawBuilder, sql } from 'kysely';
import { yieldToEventLoop } from '../../../../limits/yield-to-event-loop.ts';
import type { Scope } from '../../../scope.ts';
import type { MatchedRow, MatchPart, TextRequest, TextRow } from '../../../search-reads.ts';
import { cut, firstItems, LARGE_BYTES } from '../../large/long-value.ts';
import type { Tables } from '../../tables.ts';
import { isReference, readBound, storedVersion } from '../long/bound-record.ts';
import { projectRecord } from '../scope-sql.ts';
import { whereAnyPart } from './match-sql.ts';

/** Small records are read together, up to this size. */
const MAX_CHUNK_BYTES = 500_000;

/**
 * Yields the needed part of records that were found, reading a few at a time, and skips those that are gone or hidden
 * by now. The size of a record, hidden fields included, decides only how it is read.
 */
export async function* readTexts(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  found: readonly MatchedRow[],
  request: TextRequest,
): AsyncGenerator<TextRow> {
  const scopes = new Map(parts.map(({ scope }) => [scope.stream.streamId, scope]));
  for (const chunk of splitRows(found)) {
    const byRid = sql<boolean>`r.rid in (select value from json_each(${JSON.stringify(chunk.map((row) => row.rid))}))`;
    const records = await readFound(db, parts, scopes, request, byRid);
    for (const row of chunk) {
      const name = nameOf(row);
      // An edit may have given it another row id.
      const byKey = sql<boolean>`r.stream_id = ${row.stream_id} and r.key = ${row.key}`;
      const record = records.get(name) ?? (await readFound(db, parts, scopes, request, byKey)).get(name);
      if (record !== undefined) yield { row, record };
      await yieldToEventLoop();
    }
  }
}

/** Groups rows by size. Of large records only a reference is read at first. */
function splitRows(found: readonly MatchedRow[]): MatchedRow[][] {
  const chunks: MatchedRow[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const row of found) {
    const size = Math.min(row.size, LARGE_BYTES);
    if (bytes + size > MAX_CHUNK_BYTES) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)?.push(row);
    bytes += size;
  }
  return chunks;
}

type Records = Map<string, Record<string, unknown>>;
const nameOf = ({ stream_id, key }: { stream_id: number; key: string }) => `${stream_id} ${key}`;

async function readFound(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  scopes: ReadonlyMap<number, Scope>,
  request: TextRequest,
  which: RawBuilder<boolean>,
): Promise<Records> {
  const { rows } = await sql<{ stream_id: number; key: string; version: string }>`
    select r.stream_id as stream_id, r.key as key, ${storedVersion('r')} as version from records r
    where ${which} and ${whereAnyPart(parts, 'r.rid')}`.execute(db);
  const records: Records = new Map();
  for (const row of rows) {
    const scope = scopes.get(row.stream_id) as Scope;
    const names = fieldsOf(scope, request.fields);
    const record = isReference(row.version)
      ? await readLarge(db, scope, row.version, names, request)
      : pickFields(projectRecord(scope, row.version), names, request);
    if (record !== undefined) records.set(nameOf(row), record);
    await yieldToEventLoop();
  }
  return records;
}

function pickFields(record: Record<string, unknown>, names: readonly string[], request: TextRequest) {
  return Object.fromEntries(names.map((name) => [name, limit(record[name], request)]));
}

/** Reads a large record, and of its long values as much as is needed. */
async function readLarge(
  db: Kysely<Tables>,
  scope: Scope,
  version: string,
  names: readonly string[],
  request: TextRequest,
): Promise<Record<string, unknown> | undefined> {
  const bound = await readBound(db, scope, version);
  if (bound === undefined) return undefined;
  const record = pickFields(bound.record, names, request);
  for (const name of names) {
    const long = bound.long?.get(name);
    if (long?.type === 'text') record[name] = limit(await long.begin(request.characters + 1), request);
    else if (long !== undefined) record[name] = limit(await long.items(), request);
  }
  return record;
}

/** Cuts a value. The result depends on the value alone. */
function limit(value: unknown, { characters }: TextRequest): unknown {
  if (typeof value === 'string') return cut(value, characters);
  return Array.isArray(value) ? firstItems(value, characters) : value;
}

function fieldsOf({ stream, fields }: Scope, wanted: TextRequest['fields']): string[] {
  return (wanted.get(stream.streamId) ?? []).filter((name) => fields.has(name));
}
