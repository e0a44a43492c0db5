import type { Row, RowKey, TableReader } from './move-stores.ts';
import { getTable, isMovedSetting, type MovedTable, movedCounters } from './tables.ts';

/** Reads the rows to move: all except those of removed streams, which the target would have to erase again. */
export interface MovedReader {
  readPages(table: MovedTable, after?: RowKey): AsyncGenerator<Row[]>;
  /** The streams that have records. */
  readonly streamIds: ReadonlySet<number>;
}

export async function createMovedReader(reader: TableReader): Promise<MovedReader> {
  const readAll = async (name: string) => {
    const rows: Row[] = [];
    for await (const page of readRaw(reader, getTable(name))) rows.push(...page);
    return rows;
  };
  const removed = new Set((await readAll('removals')).map(([streamId]) => streamId));
  const removedParts = new Set(
    removed.size === 0
      ? []
      : (await readAll('large_records')).filter(([id]) => removed.has(id as number)).map(([, seq]) => seq),
  );
  const createFilter = (table: MovedTable): ((row: Row) => boolean) => {
    if (table.name === 'settings') return ([name]) => isMovedSetting(name as string);
    if (table.name === 'counters') return ([name]) => movedCounters.includes(name as string);
    if (removed.size === 0 || table.name === 'removals' || table.name === 'import_spans') return () => true;
    const stream = Object.keys(table.columns).indexOf('stream_id');
    if (stream >= 0) return (row) => !removed.has(row[stream] as number);
    return table.name.startsWith('large_') ? ([seq]) => !removedParts.has(seq as number) : () => true;
  };
  return {
    async *readPages(table, after) {
      const isMoved = createFilter(table);
      for await (const page of readRaw(reader, table, after)) yield page.filter(isMoved);
    },
    streamIds: new Set((await readAll('streams')).map(([streamId]) => streamId as number)),
  };
}

/** Reads pages. The next page is read while the caller processes the current one. */
async function* readRaw(reader: TableReader, table: MovedTable, after?: RowKey): AsyncGenerator<Row[]> {
  let next = reader.readPage(table, after);
  for (;;) {
    const page = await next;
    const last = page.at(-1);
    if (last === undefined) return;
    next = reader.readPage(table, keyOf(table, last));
    // The caller may stop before this is awaited.
    next.catch(() => {});
    yield page;
  }
}

export function keyOf({ key }: MovedTable, row: Row): RowKey {
  return row.slice(0, key.length);
}
