import type { Condition } from '../filter/filter.ts';
import { getFieldFor } from '../schema-index/find-field.ts';
import { toValue } from '../store/field-value.ts';
import type { PageRequest, Sort } from '../store/record-reads.ts';
import { mergeRows } from '../store/values.ts';
import type { GrantedReader, Page } from './granted-reader.ts';
import type { GrantedStream } from './granted-stream.ts';

/** A record of a list, with its sort value and the index of its stream. */
export type ListedRecord = Page['records'][number] & { readonly index: number };

/** A position in a list: the sort value, key and stream index of a record. */
export interface Position {
  readonly value: string | number | null;
  readonly key: string;
  readonly index: number;
}

export interface ListRequest {
  readonly streams: readonly GrantedStream[];
  readonly conditions: ReadonlyMap<GrantedStream, readonly Condition[]>;
  readonly sorts: ReadonlyMap<GrantedStream, Sort>;
  readonly limit: number;
  /** The change number of the snapshot that all pages show; absent on the first page. */
  readonly horizon?: number | undefined;
  readonly after?: Position | undefined;
}

/** Reads a page of a sorted list over one or several streams. */
export async function readList(
  reader: GrantedReader,
  { streams, conditions, sorts, limit, horizon, after }: ListRequest,
): Promise<{ records: ListedRecord[]; horizon: number }> {
  const sortOf = (stream: GrantedStream) => sorts.get(stream) as Sort;
  const [first] = streams as [GrantedStream];
  const pages: ListedRecord[][] = [];
  let readAt = horizon ?? 0;
  for (const [index, stream] of streams.entries()) {
    const page = await reader.page(stream, {
      conditions: conditions.get(stream) ?? [],
      sort: sortOf(stream),
      limit,
      ...(horizon === undefined ? {} : { horizon }),
      ...(after === undefined ? {} : { after: startAfter(after, index, sortOf(first)) }),
    });
    if (horizon === undefined) readAt = Math.max(readAt, page.horizon);
    pages.push(page.records.map((record) => ({ ...record, index })));
  }
  const [only, ...others] = pages as [ListedRecord[], ...ListedRecord[][]];
  return { records: others.length === 0 ? only : mergeRows(pages, sortOf(first)), horizon: readAt };
}

/** Returns the position of a record. Integers beyond 2^53 are encoded as strings. */
export function positionOf({ value, key, index }: ListedRecord): Position {
  return { value: typeof value === 'bigint' ? String(value) : value, key, index };
}

/** Returns where a stream continues: streams before the page's last one skip its sort value, later ones include it. */
function startAfter({ value, key, index: at }: Position, index: number, sort: Sort): PageRequest['after'] {
  const isDigits = sort.field?.kind === 'integer' && typeof value === 'string';
  return {
    value: isDigits ? toValue('integer', value, 'UTC') : value,
    key,
    ties: index < at ? 'none' : index === at ? 'after-key' : 'all',
  };
}

/** Returns the sort of each stream. The default is newest first if every time field is granted, otherwise by key. */
export function parseSort(
  sort: string | undefined,
  streams: readonly GrantedStream[],
): Map<GrantedStream, Sort> {
  const isTimed = streams.every((stream) => stream.timeField !== undefined);
  return new Map(
    streams.map((stream) => {
      if (sort === undefined || sort === '')
        return [
          stream,
          { field: isTimed ? stream.timeField : undefined, direction: isTimed ? 'desc' : 'asc' },
        ];
      const isDescending = sort.startsWith('-');
      const name = isDescending ? sort.slice(1) : sort;
      const field = getFieldFor(stream.fields, name, 'sort', 'sort', (one) => one.sort);
      return [stream, { field, direction: isDescending ? 'desc' : 'asc' }];
    }),
  );
}
