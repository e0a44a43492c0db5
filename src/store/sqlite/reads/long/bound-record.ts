import { type Kysely, sql } from 'kysely';
import type { BoundRecord, LongValue } from '../../../long-value.ts';
import type { Scope } from '../../../scope.ts';
import { fingerprint, LARGE_BYTES, SHORT_CHARACTERS } from '../../large/long-value.ts';
import type { Tables } from '../../tables.ts';
import { projectRecord } from '../scope-sql.ts';
import { boundValues, type LargeField, readLong } from './long-text.ts';

/**
 * Selects a stored version: its JSON, or a reference (`#` and the change number) if it is large. Both lead to the same
 * bound record.
 */
export function storedVersion(table: 'r' | 'h'): ReturnType<typeof sql<string>> {
  // The history stores references for large versions.
  if (table === 'h') return sql<string>`h.data`;
  return sql<string>`case when octet_length(r.data) > ${sql.lit(LARGE_BYTES)} then '#' || r.seq else r.data end`;
}

export function isReference(version: string): boolean {
  return version.startsWith('#');
}

/** Returns the granted part of a version. Undefined if the version was removed after its reference was read. */
export async function readBound(
  db: Kysely<Tables>,
  scope: Scope,
  version: string,
): Promise<BoundRecord | undefined> {
  if (!isReference(version)) return boundRecord(scope, version);
  const seq = Number(version.slice(1));
  const fields = await readFields(db, scope, seq);
  return fields && boundFields(db, seq, fields);
}

/** Returns the granted part of a version that is not large. */
export function boundRecord(scope: Scope, data: string): BoundRecord {
  const record = projectRecord(scope, data);
  // A short record has no long value.
  return data.length <= SHORT_CHARACTERS ? { record } : boundValues(record);
}

function boundFields(db: Kysely<Tables>, seq: number, fields: readonly StoredField[]): BoundRecord {
  const record: Record<string, unknown> = {};
  const long = new Map<string, LongValue>();
  for (const row of fields) {
    record[row.field] = JSON.parse(row.value);
    if (row.type !== 'short') long.set(row.field, readLong(db, seq, { ...row, type: row.type }));
  }
  return long.size === 0 ? { record } : { record, long };
}

interface StoredField extends LargeField {
  readonly hash: string | null;
}

/** Reads the granted fields of a large version, in the order of the grant. */
async function readFields(db: Kysely<Tables>, scope: Scope, seq: number): Promise<StoredField[] | undefined> {
  const { rows } = await sql<StoredField>`
    select l.field, l.type, l.value, l.hash, l.json_chars, l.chars, l.lines, l.escapes
    from json_each(${JSON.stringify(scope.fieldNames)}) n
      join large_fields l on l.seq = ${seq} and l.field = n.value
    where exists (select 1 from large_records k where k.stream_id = ${scope.stream.streamId} and k.seq = ${seq})
    order by n.id`.execute(db);
  if (rows.length > 0) return rows;
  const { rows: known } = await sql`select 1 from large_records k
    where k.stream_id = ${scope.stream.streamId} and k.seq = ${seq}`.execute(db);
  return known.length > 0 ? [] : undefined;
}

/** Returns a text that is equal for versions with the same granted part. */
export async function readFingerprints(
  db: Kysely<Tables>,
  scope: Scope,
  version: string,
): Promise<string | undefined> {
  if (isReference(version)) {
    const fields = await readFields(db, scope, Number(version.slice(1)));
    return fields && JSON.stringify(fields.map(({ field, hash, value }) => [field, hash ?? value]));
  }
  return JSON.stringify(
    Object.entries(projectRecord(scope, version)).map(([name, value]) => [name, fingerprint(value)]),
  );
}
