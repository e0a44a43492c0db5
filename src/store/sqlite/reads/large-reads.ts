import { type Kysely, sql } from 'kysely';
import type { LargeField, LargeReads } from '../../large/large-reads.ts';
import type { TextPiece } from '../../large/split-text.ts';
import type { Tables } from '../tables.ts';

export function createLargeReads(db: Kysely<Tables>): LargeReads {
  const whereField = (seq: number, field: string) => sql`p.seq = ${seq} and p.field = ${field}`;
  return {
    async fields(scope, seq) {
      const isKnown = sql`select 1 from large_records k
        where k.stream_id = ${scope.stream.streamId} and k.seq = ${seq}`;
      const { rows } = await sql<LargeField>`
        select l.field, l.type, l.value, l.hash, l.json_chars, l.chars, l.lines, l.escapes
        from json_each(${JSON.stringify(scope.fieldNames)}) n
          join large_fields l on l.seq = ${seq} and l.field = n.value
        where exists (${isKnown}) order by n.id`.execute(db);
      if (rows.length > 0) return rows;
      return (await isKnown.execute(db)).rows.length > 0 ? [] : undefined;
    },
    async beginning(seq, field, characters) {
      const { rows } = await sql<{ text: string }>`select p.text as text from large_pieces p
        where ${whereField(seq, field)} and p.start < ${characters} order by p.start`.execute(db);
      return rows.map(({ text }) => text);
    },
    async shown(seq, field, from, to, indent) {
      const shownStart = sql`p.shown_start + ${indent} * p.lines`;
      const { rows } = await sql<TextPiece>`
        select p.start as start, p.shown_start as shownStart, p.lines as lines, p.text as text from large_pieces p
        where ${whereField(seq, field)} and ${shownStart} < ${to} and p.start >= (
          select coalesce(max(p.start), 0) from large_pieces p where ${whereField(seq, field)} and ${shownStart} <= ${from})
        order by p.start`.execute(db);
      return rows;
    },
    async items(seq, field) {
      const { rows } = await sql<{ items: string | null }>`
        select p.items as items from large_fields p where ${whereField(seq, field)}`.execute(db);
      return rows[0]?.items ?? null;
    },
  };
}
