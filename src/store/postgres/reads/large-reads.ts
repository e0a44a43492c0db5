import type { LargeField, LargeReads } from '../../large/large-reads.ts';
import { LARGE_BYTES } from '../../large/long-value.ts';
import type { TextPiece } from '../../large/split-text.ts';
import { decodeJson } from '../json-text.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { type Sql, sql } from '../sql.ts';
import type { Table } from './columns.ts';

/**
 * Selects a stored version: its JSON, or a reference (`#` and the change number) if it is large. Both lead to the same
 * bound record. `decodeVersion` reads it.
 */
export function storedVersion(table: Table): Sql {
  // The history stores references for large versions.
  if (table === 'h') return sql`h.data`;
  return sql`case when r.size > ${sql.raw(String(LARGE_BYTES))} then '#' || r.seq else r.data end`;
}

export function decodeVersion<Version extends string | null>(version: Version): Version {
  return (version === null ? null : decodeJson(version)) as Version;
}

export function createLargeReads(db: OwnerQueries): LargeReads {
  const whereField = (seq: number, field: string) =>
    sql`p.owner_id = ${db.ownerId} and p.seq = ${seq} and p.field = ${field}`;
  return {
    async fields({ stream, fieldNames }, seq) {
      const isKnown = sql`select 1 as known from large_records k
        where k.owner_id = ${db.ownerId} and k.stream_id = ${stream.streamId} and k.seq = ${seq}`;
      const rows = await db.query<LargeField>(sql`
        select l.field, l.type, l.value, l.hash, l.json_chars, l.chars, l.lines, l.escapes
        from unnest(${fieldNames}::text[]) with ordinality as n (name, at)
          join large_fields l on l.owner_id = ${db.ownerId} and l.seq = ${seq} and l.field = n.name
        where exists (${isKnown}) order by n.at`);
      if (rows.length > 0) return rows.map((row) => ({ ...row, value: decodeJson(row.value) }));
      return (await db.query(isKnown)).length > 0 ? [] : undefined;
    },
    async beginning(seq, field, characters) {
      const rows = await db.query<{ text: string }>(sql`select p.text from large_pieces p
        where ${whereField(seq, field)} and p.start < ${characters} order by p.start`);
      return rows.map(({ text }) => text);
    },
    shown(seq, field, from, to, indent) {
      const shownStart = sql`p.shown_start + ${indent}::int8 * p.lines`;
      return db.query<TextPiece>(sql`
        select p.start, p.shown_start as "shownStart", p.lines, p.text from large_pieces p
        where ${whereField(seq, field)} and ${shownStart} < ${to}::int8 and p.start >= (
          select coalesce(max(p.start), 0) from large_pieces p where ${whereField(seq, field)} and ${shownStart} <= ${from}::int8)
        order by p.start`);
    },
    async items(seq, field) {
      const [row] = await db.query<{ items: string | null }>(
        sql`select p.items from large_fields p where ${whereField(seq, field)}`,
      );
      return decodeVersion(row?.items ?? null);
    },
  };
}
