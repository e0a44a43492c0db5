import { declaredFields, type FieldRow, type PieceRow, splitRecord } from '../../large/split-record.ts';
import { decodeJson, encodeJson } from '../json-text.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { type Sql, sql } from '../sql.ts';

interface Version {
  readonly seq: number;
  readonly key: string;
  readonly data: string;
}

/** Stores versions of large records field by field: the declared fields, as no other can be granted. */
export async function addLargeRecords(
  db: OwnerQueries,
  streamId: number,
  versions: readonly Version[],
): Promise<void> {
  if (versions.length === 0) return;
  const declared = await readDeclared(db, streamId);
  await db.run(sql`insert into large_records (owner_id, stream_id, seq, key)
    select ${db.ownerId}::int4, ${streamId}::int4, * from unnest(
      ${versions.map(({ seq }) => seq)}::int8[], ${versions.map(({ key }) => key)}::text[])
    on conflict do nothing`);
  // One by one: each may have megabytes.
  for (const { seq, data } of versions) {
    for (const { row, pieces } of splitRecord(data, declared)) {
      await addField(db, seq, row);
      await addPieces(db, seq, row[0], pieces);
    }
  }
}

async function addField(db: OwnerQueries, seq: number, row: FieldRow): Promise<void> {
  const [field, type, value, hash, items, jsonChars, chars, lines, escapes] = row;
  await db.run(sql`insert into large_fields values (${db.ownerId}, ${seq}, ${field}, ${type}, ${encodeJson(value)},
    ${hash}, ${items === null ? null : encodeJson(items)}, ${jsonChars}, ${chars}, ${lines}, ${escapes})`);
}

async function addPieces(
  db: OwnerQueries,
  seq: number,
  field: string,
  pieces: readonly PieceRow[],
): Promise<void> {
  await db.copyRows('large_pieces', {
    seq: { type: 'int8', values: pieces.map(() => seq) },
    field: { type: 'text', values: pieces.map(() => field) },
    start: { type: 'int4', values: pieces.map(([start]) => start) },
    shown_start: { type: 'int4', values: pieces.map(([, shownStart]) => shownStart) },
    lines: { type: 'int4', values: pieces.map(([, , lines]) => lines) },
    text: { type: 'text', values: pieces.map(([, , , text]) => text) },
  });
}

/** Removes the parts of all versions that a condition on large_records selects. Returns the number of versions. */
export async function removeLargeRecords(db: OwnerQueries, which: Sql): Promise<number> {
  const removed = await db.query<{ seq: number }>(
    sql`delete from large_records where owner_id = ${db.ownerId} and ${which} returning seq`,
  );
  const seqs = removed.map(({ seq }) => seq);
  if (seqs.length > 0)
    for (const table of ['large_pieces', 'large_fields', 'large_past']) await removeParts(db, table, seqs);
  return seqs.length;
}

async function removeParts(db: OwnerQueries, table: string, seqs: readonly number[]): Promise<void> {
  await db.run(
    sql`delete from ${sql.raw(table)} where owner_id = ${db.ownerId} and seq = any(${seqs}::int8[])`,
  );
}

/** Stores the large versions of a stream field by field anew, after its declaration has grown. */
export async function rebuildLargeRecords(db: OwnerQueries, streamId: number): Promise<void> {
  const versions = await db.query<Omit<Version, 'data'>>(
    sql`select seq, key from large_records where owner_id = ${db.ownerId} and stream_id = ${streamId}`,
  );
  for (const { seq, key } of versions) {
    const [row] = await db.query<{ data: string }>(sql`
      select data from records where owner_id = ${db.ownerId} and stream_id = ${streamId} and key = ${key} and seq = ${seq}
      union all select data from large_past where owner_id = ${db.ownerId} and seq = ${seq} limit 1`);
    for (const table of ['large_pieces', 'large_fields']) await removeParts(db, table, [seq]);
    if (row !== undefined) await addLargeRecords(db, streamId, [{ seq, key, data: decodeJson(row.data) }]);
  }
}

async function readDeclared(db: OwnerQueries, streamId: number): Promise<string[]> {
  const [row] = await db.query<{ stream: string; declaration: string }>(sql`
    select s.stream, d.declaration from streams s
    join connections c on c.owner_id = s.owner_id and c.connection_id = s.connection_id
    join sources d on d.owner_id = s.owner_id and d.connector_key = c.connector_key
    where s.owner_id = ${db.ownerId} and s.stream_id = ${streamId}`);
  return row === undefined ? [] : declaredFields(row.declaration, row.stream);
}
