import type Database from 'better-sqlite3';
import type { Row, TableReader } from '../../move/move-stores.ts';
import type { MovedTable } from '../../move/tables.ts';
import { positionOf } from '../../postings/posting-list.ts';
import { streamOf } from '../../records/rid.ts';
import type { Value } from '../../values.ts';
import { slotColumns } from '../tables.ts';

/** A page ends with the row that reaches this size. */
const MAX_PAGE_BYTES = 8 * 2 ** 20;

/** Returns a reader of a store's two files. */
export function createTableReader(store: Database.Database, audit: Database.Database): TableReader {
  const fileOf = (table: MovedTable) => (table.isAudit ? audit : store);
  return {
    count: async (table) =>
      fileOf(table).prepare(`select count(*) from ${table.name}`).pluck().get() as number,
    async readPage(table, after) {
      const statement = fileOf(table)
        .prepare(selectPage(table, after !== undefined))
        .raw()
        // Slots hold floats and integers, which are the same numbers to JavaScript.
        .safeIntegers(table.hasSlots);
      const rows: Row[] = [];
      let bytes = 0;
      for (const row of statement.iterate(...(after ?? []), table.pageRows) as Iterable<Value[]>) {
        rows.push(table.hasSlots ? row.map(toNumber) : row);
        bytes += sizeOf(row);
        if (bytes >= MAX_PAGE_BYTES) break;
      }
      return rows;
    },
    async digestWords(digest, streamIds, onWord) {
      const positions = store.prepare('select term, doc, col, offset from places').raw();
      let last: string | undefined;
      for (const [term, rid, column, offset] of positions.iterate() as Iterable<
        [string, number, string, number]
      >) {
        if (!streamIds.has(streamOf(rid))) continue;
        if (term !== last) {
          digest.startWord(term);
          onWord();
          last = term;
        }
        digest.add(rid, positionOf(Number(column.slice(1)), offset));
      }
    },
  };
}

/** Tables that are stored in another form. */
const sources: Readonly<Record<string, string>> = {
  records: 'records join facets using (stream_id, t, key, rid)',
  counters: `(select name, value from counters union all
    select 'import', coalesce((select seq from sqlite_sequence where name = 'imports'), 0))`,
};

function selectPage(table: MovedTable, isNext: boolean): string {
  const columns = [...Object.keys(table.columns), ...(table.hasSlots ? slotColumns : [])];
  const key = table.key.join(', ');
  const where = isNext ? `where (${key}) > (${table.key.map(() => '?').join(', ')})` : '';
  return `select ${columns.join(', ')} from ${sources[table.name] ?? table.name} ${where} order by ${key} limit ?`;
}

function toNumber(value: Value): Value {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function sizeOf(row: readonly Value[]): number {
  let size = 0;
  for (const value of row) if (typeof value === 'string') size += value.length;
  return size;
}
