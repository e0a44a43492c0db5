import type { GrantedReader, Page } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ToolContext } from '../../reads/granted-read.ts';
import type { Condition } from '../../schema-index/filter.ts';
import { toSlotValue } from '../../schema-index/slot-value.ts';
import type { PageRequest, Sort } from '../../store/record-reads.ts';

export type LeafRecord = Page['records'][number];

export interface Leaf {
  readonly records: readonly LeafRecord[];
  /** Handles of the leaves before and behind it. */
  readonly previous: string | null;
  readonly next: string | null;
  /** The handle of a leaf that begins after a record of this one. */
  after(record: LeafRecord): string;
}

export interface LeafRequest {
  readonly stream: GrantedStream;
  readonly conditions: readonly Condition[];
  readonly sort: Sort;
  readonly size: number;
  /** What the handles are bound to, beside the grant. */
  readonly query: unknown;
  /** Where to open: at a handle, at the end, at a value of what it is sorted by; else at the beginning. */
  readonly cursor?: string | undefined;
  readonly open?: { readonly at: 'end' } | { readonly at: number } | undefined;
}

type Way = 'on' | 'back';
type Place = [way: Way, horizon: number, value: string | number | null, key: string];
type After = NonNullable<PageRequest['after']>;

/** Some records of a stream in order, with the way to those before and behind them. All leaves show one moment. */
export async function readLeaf(request: LeafRequest, { reader, cursors }: ToolContext): Promise<Leaf> {
  const { stream, sort, size, cursor, open } = request;
  const query = ['leaf', stream.connection.connection_id, stream.name, request.query];
  const place = cursor === undefined ? undefined : await cursors.open<Place>('page', query, cursor);
  const way: Way = place?.[0] ?? (open?.at === 'end' ? 'back' : 'on');
  const after = place === undefined ? startAt(open) : toAfter(place, sort);
  const read = await reader.page(stream, {
    conditions: request.conditions,
    sort: way === 'on' ? sort : turnAround(sort),
    limit: size + 1,
    ...(after === undefined ? {} : { after }),
    ...(place === undefined ? {} : { horizon: place[1] }),
  });
  const more = read.records.length > size;
  const records = read.records.slice(0, size);
  if (way === 'back') records.reverse();
  const [first, last] = [records[0], records.at(-1)];
  const seal = (to: Way, from: LeafRecord) =>
    cursors.seal('page', query, [to, place?.[1] ?? read.horizon, sealable(from.value), from.key]);
  const before = way === 'back' ? more : place !== undefined || (await hasBefore(first, request, reader));
  const behind = way === 'on' ? more : place !== undefined;
  return {
    records,
    previous: first !== undefined && before ? seal('back', first) : null,
    next: last !== undefined && behind ? seal('on', last) : null,
    after: (record) => seal('on', record),
  };
}

/** Only a leaf that was opened in the middle has to ask. */
async function hasBefore(first: LeafRecord | undefined, request: LeafRequest, reader: GrantedReader) {
  if (first === undefined || typeof request.open?.at !== 'number') return false;
  const { stream, conditions, sort } = request;
  const after: After = { value: first.value, key: first.key, ties: 'after-key' };
  const { records } = await reader.page(stream, { conditions, sort: turnAround(sort), limit: 1, after });
  return records.length > 0;
}

function startAt(open: LeafRequest['open']): After | undefined {
  return typeof open?.at === 'number' ? { value: open.at, key: '', ties: 'all' } : undefined;
}

function toAfter([, , sent, key]: Place, sort: Sort): After {
  // Whole numbers beyond 2^53 travel as digits.
  const isBig = sort.field?.kind === 'integer' && typeof sent === 'string';
  return { value: isBig ? toSlotValue('integer', sent, 'UTC') : sent, key, ties: 'after-key' };
}

function sealable(value: LeafRecord['value']): string | number | null {
  return typeof value === 'bigint' ? String(value) : value;
}

function turnAround({ field, direction }: Sort): Sort {
  return { field, direction: direction === 'asc' ? 'desc' : 'asc' };
}
