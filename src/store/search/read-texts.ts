import { yieldToEventLoop } from '../../limits/yield-to-event-loop.ts';
import { isReference, readBound } from '../large/bound-record.ts';
import type { LargeReads } from '../large/large-reads.ts';
import { cut, firstItems, LARGE_BYTES } from '../large/long-value.ts';
import { projectRecord } from '../records/visible-part.ts';
import type { Scope } from '../scope.ts';
import type { MatchedRow, MatchPart, TextRequest, TextRow } from '../search-reads.ts';

/** A record as it is stored: its data, or a reference to a large one. */
export interface StoredVersion {
  readonly stream_id: number;
  readonly key: string;
  readonly version: string;
}

/** Reads of visible records by row id and by key. */
export interface VersionReads {
  readonly large: LargeReads;
  readByRids(parts: readonly MatchPart[], rids: readonly number[]): Promise<StoredVersion[]>;
  readByKey(parts: readonly MatchPart[], streamId: number, key: string): Promise<StoredVersion[]>;
}

/** Small records are read together, up to this size. */
const MAX_CHUNK_BYTES = 500_000;

/**
 * Yields the needed part of records that were found, reading a few at a time, and skips those that are gone or hidden
 * by now. The size of a record, hidden fields included, decides only how it is read.
 */
export async function* readTexts(
  reads: VersionReads,
  parts: readonly MatchPart[],
  found: readonly MatchedRow[],
  request: TextRequest,
): AsyncGenerator<TextRow> {
  const scopes = new Map(parts.map(({ scope }) => [scope.stream.streamId, scope]));
  const read = async (versions: readonly StoredVersion[]): Promise<Records> => {
    const records: Records = new Map();
    for (const row of versions) {
      const record = await readFields(reads.large, scopes.get(row.stream_id) as Scope, row.version, request);
      if (record !== undefined) records.set(recordId(row), record);
      await yieldToEventLoop();
    }
    return records;
  };
  for (const chunk of splitRows(found)) {
    const rids = chunk.map((row) => row.rid);
    const records = await read(await reads.readByRids(parts, rids));
    for (const row of chunk) {
      const id = recordId(row);
      // An edit may have given it another row id.
      const record =
        records.get(id) ?? (await read(await reads.readByKey(parts, row.stream_id, row.key))).get(id);
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
const recordId = ({ stream_id, key }: { stream_id: number; key: string }) => `${stream_id} ${key}`;

/** Returns the needed fields of a version, and of long values as much as is needed. */
async function readFields(
  large: LargeReads,
  scope: Scope,
  version: string,
  request: TextRequest,
): Promise<Record<string, unknown> | undefined> {
  const names = fieldsOf(scope, request.fields);
  if (!isReference(version)) return pickFields(projectRecord(scope, version), names, request);
  const bound = await readBound(large, scope, version);
  if (bound === undefined) return undefined;
  const record = pickFields(bound.record, names, request);
  for (const name of names) {
    const long = bound.long?.get(name);
    if (long?.type === 'text') record[name] = cutValue(await long.begin(request.characters + 1), request);
    else if (long !== undefined) record[name] = cutValue(await long.items(), request);
  }
  return record;
}

function pickFields(record: Record<string, unknown>, names: readonly string[], request: TextRequest) {
  return Object.fromEntries(names.map((name) => [name, cutValue(record[name], request)]));
}

/** Cuts a long value. The result does not depend on how the record is stored. */
function cutValue(value: unknown, { characters }: TextRequest): unknown {
  if (typeof value === 'string') return cut(value, characters);
  return Array.isArray(value) ? firstItems(value, characters) : value;
}

function fieldsOf({ stream, fields }: Scope, wanted: TextRequest['fields']): string[] {
  return (wanted.get(stream.streamId) ?? []).filter((name) => fields.has(name));
}
