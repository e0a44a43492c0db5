import { sql } from 'kysely';
import type { ReadStore } from './open-store.ts';

/** A record that an import has written last. */
export interface Touched {
  readonly key: string;
  readonly emitted_at: number;
  /** What it was before the import; null where it was not there. */
  readonly before: string | null;
}

/** The change numbers that an import took in one go. */
export type Span = { readonly stream_id: number; readonly from_seq: number; readonly to_seq: number };

const PIECE = 500;

/** The import may have changed a record more than once: what counts is what was there before the first time. */
export async function readTouched(
  { db }: ReadStore,
  { import_id, stream_id, from_seq, to_seq }: Span & { readonly import_id: number },
): Promise<Touched[]> {
  const isIn = (column: 'h.to_seq' | 'h.from_seq') =>
    sql`exists (select 1 from import_spans s where s.import_id = ${import_id} and s.stream_id = ${stream_id}
      and ${sql.ref(column)} between s.from_seq and s.to_seq)`;
  const { rows } = await sql<Touched>`
    select r.key, r.emitted_at, coalesce(l.data, h.data) as before from records r
    left join history h on h.stream_id = r.stream_id and h.key = r.key
      and ${isIn('h.to_seq')} and not ${isIn('h.from_seq')}
    left join large_past l on h.data like '#%' and l.seq = h.from_seq
    where r.stream_id = ${stream_id} and r.seq between ${from_seq} and ${to_seq}
    order by r.seq, h.from_seq limit ${PIECE}`.execute(db);
  return rows;
}

export async function countKept({ db }: ReadStore, { stream_id, from_seq, to_seq }: Span): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from history h join records r on r.stream_id = h.stream_id and r.key = h.key
    where h.stream_id = ${stream_id} and h.from_seq between ${from_seq} and ${to_seq} and h.to_seq > ${to_seq}`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/** Whether nothing is stored in a connection. */
export async function isEmptyConnection({ db }: ReadStore, connectionId: string): Promise<boolean> {
  const found = await db
    .selectFrom('records')
    .innerJoin('streams', 'streams.stream_id', 'records.stream_id')
    .select('records.rid')
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
  return found === undefined;
}
