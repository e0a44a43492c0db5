import type { Condition } from '../../filter/filter.ts';
import {
  type GrantedReader,
  type ListedRecord,
  type Position,
  positionOf,
  readList,
} from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import type { Sort } from '../../store/record-reads.ts';

export interface ListPage {
  readonly records: readonly ListedRecord[];
  /** Cursors of the previous and next page. */
  readonly previous: string | null;
  readonly next: string | null;
  /** The cursor of a page that begins after this record. */
  after(record: ListedRecord): string;
}

export interface ListPageRequest {
  readonly stream: GrantedStream;
  readonly conditions: readonly Condition[];
  readonly sort: ReadonlyMap<GrantedStream, Sort>;
  readonly size: number;
  /** The query that cursors are bound to, beside the grant. */
  readonly query: unknown;
  /** Where the page starts: at a cursor, at the end, or at a sort value. */
  readonly cursor?: string | undefined;
  readonly open?: { readonly at: 'end' } | { readonly at: number } | undefined;
}

type Direction = 'on' | 'back';
type CursorPosition = [direction: Direction, horizon: number, value: string | number | null, key: string];

/** Reads a page of a sorted stream with cursors in both directions. All pages show one snapshot. */
export async function readListPage(
  request: ListPageRequest,
  { reader, cursors }: ReadContext,
): Promise<ListPage> {
  const { stream, size, cursor, open } = request;
  // The name is part of the binding of existing cursors.
  const query = ['leaf', stream.connection.connection_id, stream.name, request.query];
  const position =
    cursor === undefined ? undefined : await cursors.open<CursorPosition>('page', query, cursor);
  const direction: Direction = position?.[0] ?? (open?.at === 'end' ? 'back' : 'on');
  const read = await readList(reader, {
    ...toList(request, direction),
    limit: size + 1,
    horizon: position?.[1],
    after: position === undefined ? startAt(open) : { value: position[2], key: position[3], index: 0 },
  });
  const hasMore = read.records.length > size;
  const records = read.records.slice(0, size);
  if (direction === 'back') records.reverse();
  const [first, last] = [records[0], records.at(-1)];
  const writeCursor = (to: Direction, from: ListedRecord) => {
    const { value, key } = positionOf(from);
    return cursors.seal('page', query, [to, read.horizon, value, key]);
  };
  const hasPrevious =
    direction === 'back' ? hasMore : position !== undefined || (await hasBefore(first, request, reader));
  const hasNext = direction === 'on' ? hasMore : position !== undefined;
  return {
    records,
    previous: first !== undefined && hasPrevious ? writeCursor('back', first) : null,
    next: last !== undefined && hasNext ? writeCursor('on', last) : null,
    after: (record) => writeCursor('on', record),
  };
}

/** Only a page opened at a value needs the query. */
async function hasBefore(first: ListedRecord | undefined, request: ListPageRequest, reader: GrantedReader) {
  if (first === undefined || typeof request.open?.at !== 'number') return false;
  const list = { ...toList(request, 'back'), limit: 1, after: positionOf(first) };
  return (await readList(reader, list)).records.length > 0;
}

/** Returns a position before all records with that value. */
function startAt(open: ListPageRequest['open']): Position | undefined {
  return typeof open?.at === 'number' ? { value: open.at, key: '', index: -1 } : undefined;
}

function toList({ stream, conditions, sort }: ListPageRequest, to: Direction) {
  const { field, direction } = sort.get(stream) as Sort;
  const opposite = direction === 'asc' ? ('desc' as const) : ('asc' as const);
  return {
    streams: [stream],
    conditions: new Map([[stream, conditions]]),
    sorts: new Map([[stream, { field, direction: to === 'on' ? direction : opposite }]]),
  };
}
