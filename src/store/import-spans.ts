import type { SqliteStore } from './open-store.ts';

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
export function readTouched(
  { write: { raw } }: SqliteStore,
  span: Span & { readonly import_id: number },
): Touched[] {
  const isIn = (column: string) =>
    `exists (select 1 from import_spans s where s.import_id = @import_id and s.stream_id = @stream_id and ${column} between s.from_seq and s.to_seq)`;
  return raw
    .prepare(
      `select r.key, r.emitted_at, h.data as before from records r
       left join history h on h.stream_id = r.stream_id and h.key = r.key
         and ${isIn('h.to_seq')} and not ${isIn('h.from_seq')}
       where r.stream_id = @stream_id and r.seq between @from_seq and @to_seq
       order by r.seq, h.from_seq limit ${PIECE}`,
    )
    .all(span) as Touched[];
}

export function countKept({ write: { raw } }: SqliteStore, { stream_id, from_seq, to_seq }: Span): number {
  return raw
    .prepare(
      `select count(*) from history h join records r on r.stream_id = h.stream_id and r.key = h.key
       where h.stream_id = ? and h.from_seq between ? and ? and h.to_seq > ?`,
    )
    .pluck()
    .get(stream_id, from_seq, to_seq, to_seq) as number;
}

/** Whether nothing is stored in a connection. */
export function isEmptyConnection({ write: { raw } }: SqliteStore, connectionId: string): boolean {
  const found = raw
    .prepare('select 1 from records join streams using (stream_id) where connection_id = ? limit 1')
    .get(connectionId);
  return found === undefined;
}
