import { type Kysely, type RawBuilder, sql } from 'kysely';
import { giveTurn } from '../../limits/give-turn.ts';
import type { Tables } from '../../store/tables.ts';
import { projectRecord, type Scope } from '../scope.ts';
import { type MatchedRow, type MatchPart, whereAnyPart } from './read-matches.ts';

/** Up to here a record is read as it is; of a larger one the database gives the beginnings of its texts. */
const WHOLE_BYTES = 16_000;
/** Small records are read together, up to this many bytes. */
const TOGETHER_BYTES = 500_000;

export interface TextRequest {
  /** The fields that are needed, of each stream by its number. Only granted ones are read. */
  readonly fields: ReadonlyMap<number, readonly string[]>;
  /** How much of a text is needed; the rest is cut off. */
  readonly characters: number;
}

/** A record that was found, with the needed part of what is granted of it. */
export interface TextRow {
  readonly row: MatchedRow;
  readonly record: Record<string, unknown>;
}

/**
 * The needed part of records that were found, one after another and never many at a time, since each may be
 * large. What is gone or hidden since then is left out. The size of a record, hidden fields included, decides
 * how it is read and nothing else.
 */
export async function* readTexts(
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  found: readonly MatchedRow[],
  request: TextRequest,
): AsyncGenerator<TextRow> {
  const scopes = new Map(parts.map(({ scope }) => [scope.stream.streamId, scope]));
  for (const chunk of splitRows(found)) {
    const read = (chunk[0] as MatchedRow).size > WHOLE_BYTES ? readLarge : readSmall;
    const byRid = sql<boolean>`r.rid in (select value from json_each(${JSON.stringify(chunk.map((row) => row.rid))}))`;
    const records = await read(db, parts, scopes, request, byRid);
    for (const row of chunk) {
      const name = nameOf(row);
      // An edit meanwhile may have moved it.
      const byKey = sql<boolean>`r.stream_id = ${row.stream_id} and r.key = ${row.key}`;
      const record = records.get(name) ?? (await readLarge(db, parts, scopes, request, byKey)).get(name);
      if (record !== undefined) yield { row, record };
      await giveTurn();
    }
  }
}

/** Large records alone, small ones in company. */
function splitRows(found: readonly MatchedRow[]): MatchedRow[][] {
  const chunks: MatchedRow[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const row of found) {
    const isLarge = row.size > WHOLE_BYTES;
    if (isLarge || bytes + row.size > TOGETHER_BYTES) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)?.push(row);
    bytes = isLarge ? Number.POSITIVE_INFINITY : bytes + row.size;
  }
  return chunks;
}

type Records = Map<string, Record<string, unknown>>;
type Read = (
  db: Kysely<Tables>,
  parts: readonly MatchPart[],
  scopes: ReadonlyMap<number, Scope>,
  request: TextRequest,
  which: RawBuilder<boolean>,
) => Promise<Records>;

const nameOf = ({ stream_id, key }: { stream_id: number; key: string }) => `${stream_id} ${key}`;

const readSmall: Read = async (db, parts, scopes, request, which) => {
  const { rows } = await sql<{ stream_id: number; key: string; data: string }>`
    select r.stream_id as stream_id, r.key as key, r.data as data from records r
    where ${which} and ${whereAnyPart(parts, 'r.rid')}`.execute(db);
  return new Map(
    rows.map((row) => {
      const scope = scopes.get(row.stream_id) as Scope;
      const record = projectRecord(scope, row.data);
      const needed = fieldsOf(scope, request.fields).map((name) => [name, cut(record[name], request)]);
      return [nameOf(row), Object.fromEntries(needed)];
    }),
  );
};

const readLarge: Read = async (db, parts, scopes, request, which) => {
  const { fields, characters } = request;
  const names = new Set([...scopes.values()].flatMap((scope) => fieldsOf(scope, fields)));
  // Every mention of a value copies it whole, hence so few.
  const { rows } = await sql<LargeRow>`
    select r.rid as rid, r.stream_id as stream_id, r.key as key, e.key as name, e.type as type,
      case e.type when 'text' then substr(e.value, 1, ${characters}) else e.value end as value,
      case e.type when 'text' then octet_length(e.value) end as bytes
    from records r, json_each(r.data) e
    where ${which} and ${whereAnyPart(parts, 'r.rid')}
      and e.key in (select value from json_each(${JSON.stringify([...names])}))`.execute(db);
  const ended = rows.find((row) => endsEarly(row, characters));
  if (ended !== undefined) return readSmall(db, parts, scopes, request, sql`r.rid = ${ended.rid}`);
  const records: Records = new Map();
  for (const row of rows) {
    if (!fieldsOf(scopes.get(row.stream_id) as Scope, fields).includes(row.name)) continue;
    const record = records.get(nameOf(row)) ?? {};
    record[row.name] = cut(readValue(row.type, row.value), request);
    records.set(nameOf(row), record);
  }
  return records;
};

interface LargeRow {
  rid: number;
  stream_id: number;
  key: string;
  name: string;
  type: string;
  value: unknown;
  bytes: number | null;
}

/** For substr a text ends at a NUL. Such a record is read whole, since it would be if it were small. */
function endsEarly({ value, bytes }: LargeRow, characters: number): boolean {
  return (
    typeof value === 'string' &&
    bytes !== null &&
    value.length < characters &&
    Buffer.byteLength(value) < bytes
  );
}

/** The same beginning whichever way a text came: the database counts characters in another way. */
function cut(value: unknown, { characters }: TextRequest): unknown {
  return typeof value === 'string' && value.length > characters
    ? value.slice(0, characters).toWellFormed()
    : value;
}

/** Texts, numbers and lists are searched; nothing else is needed. */
function readValue(type: string, value: unknown): unknown {
  if (type === 'array') return JSON.parse(value as string);
  return type === 'text' || type === 'integer' || type === 'real' ? value : undefined;
}

function fieldsOf({ stream, fields }: Scope, wanted: TextRequest['fields']): string[] {
  return (wanted.get(stream.streamId) ?? []).filter((name) => fields.has(name));
}
