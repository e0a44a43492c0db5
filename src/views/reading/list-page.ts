import type { Condition } from '../../filter/filter.ts';
import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import { type ListedRecord, type Position, positionOf, readList } from '../../reader/pager.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import type { Sort } from '../../store/record-reads.ts';

export interface Leaf {
  readonly records: readonly ListedRecord[];
  /** Cursors of the previous and next page. */
  readonly previous: string | null;
  readonly next: string | null;
  /** The cursor of a page that begins after this record. */
  after(record: ListedRecord): string;
}

export interface LeafRequest {
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

type Way = 'on' | 'back';
type Place = [way: Way, horizon: number, value: string | number | null, key: string];

/** Reads a page of a sorted stream with cursors in both directions. All pages show one snapshot. */
export async function readLeaf(request: LeafRequest, { reader, cursors }: ReadContext): Promise<Leaf> {
  const { stream, size, cursor, open } = request;
  const query = ['leaf', stream.connection.connection_id, stream.name, request.query];
  const place = cursor === undefined ? undefined : await cursors.open<Place>('page', query, cursor);
  const way: Way = place?.[0] ?? (open?.at === 'end' ? 'back' : 'on');
  const read = await readList(reader, {
    ...toList(request, way),
    limit: size + 1,
    horizon: place?.[1],
    after: place === undefined ? startAt(open) : { value: place[2], key: place[3], index: 0 },
  });
  const more = read.records.length > size;
  const records = read.records.slice(0, size);
  if (way === 'back') records.reverse();
  const [first, last] = [records[0], records.at(-1)];
  const seal = (to: Way, from: ListedRecord) => {
    const { value, key } = positionOf(from);
    return cursors.seal('page', query, [to, read.horizon, value, key]);
  };
  const before = way === 'back' ? more : place !== undefined || (await hasBefore(first, request, reader));
  const behind = way === 'on' ? more : place !== undefined;
  return {
    records,
    previous: first !== undefined && before ? seal('back', first) : null,
    next: last !== undefined && behind ? seal('on', last) : null,
    after: (record) => seal('on', record),
  };
}

/** Only a page opened at a value needs the query. */
async function hasBefore(first: ListedRecord | undefined, request: LeafRequest, reader: GrantedReader) {
  if (first === undefined || typeof request.open?.at !== 'number') return false;
  const list = { ...toList(request, 'back'), limit: 1, after: positionOf(first) };
  return (await readList(reader, list)).records.length > 0;
}

/** Returns a position before all records with that value. */
function startAt(open: LeafRequest['open']): Position | undefined {
  return typeof open?.at === 'number' ? { value: open.at, key: '', index: -1 } : undefined;
}

function toList({ stream, conditions, sort }: LeafRequest, way: Way) {
  const { field, direction } = sort.get(stream) as Sort;
  const turned = direction === 'asc' ? ('desc' as const) : ('asc' as const);
  return {
    streams: [stream],
    conditions: new Map([[stream, conditions]]),
    sorts: new Map([[stream, { field, direction: way === 'on' ? direction : turned }]]),
  };
}
