import type Database from 'better-sqlite3';
import type { Row, RowKey } from '../../move/move-stores.ts';
import { keyOf } from '../../move/read-moved.ts';
import { isMovedSetting, type MovedTable } from '../../move/tables.ts';
import { recordTexts } from '../../postings/record-texts.ts';
import { SLOT_COUNT, type SlotPlan, TEXT_COLUMNS } from '../../scope.ts';
import { slotColumns } from '../tables.ts';

/** Writes the tables of a store that is being filled. */
export interface TableWriter {
  findLastKey(table: MovedTable): RowKey | undefined;
  writeRows(table: MovedTable, rows: readonly Row[]): void;
  replaceRows(table: MovedTable, rows: readonly Row[]): void;
}

export function createTableWriter(store: Database.Database, audit: Database.Database): TableWriter {
  const fileOf = (table: MovedTable) => (table.isAudit ? audit : store);
  const add: (table: MovedTable) => (row: Row) => void = (table) => {
    if (table.name === 'records') return createRecordWriter(store, table);
    const columns = [...Object.keys(table.columns), ...(table.hasSlots ? slotColumns : [])];
    const statement = fileOf(table).prepare(insertInto(table.name, columns));
    return (row) => statement.run(...row);
  };
  return {
    findLastKey(table) {
      const key = table.key.join(', ');
      const order = table.key.map((column) => `${column} desc`).join(', ');
      const row = fileOf(table)
        .prepare(`select ${key} from ${table.name} order by ${order} limit 1`)
        .raw()
        .get() as Row | undefined;
      return row && keyOf(table, row);
    },
    writeRows(table, rows) {
      const addRow = add(table);
      const write = fileOf(table).transaction(() => {
        for (const row of rows) addRow(row);
      });
      write.immediate();
    },
    replaceRows(table, rows) {
      const replace = store.transaction(() =>
        table.name === 'settings' ? replaceSettings(store, rows) : replaceCounters(store, rows),
      );
      replace.immediate();
    },
  };
}

function insertInto(table: string, columns: readonly string[]): string {
  return `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
}

/** Returns a function that writes a record, its slots, and its words. */
function createRecordWriter(store: Database.Database, table: MovedTable): (row: Row) => void {
  const names = Object.keys(table.columns);
  const texts = Array.from({ length: TEXT_COLUMNS }, (_, column) => `c${column}`);
  const addRecord = store.prepare(insertInto('records', names));
  const addFacets = store.prepare(insertInto('facets', ['stream_id', 't', 'key', 'rid', ...slotColumns]));
  const addTexts = store.prepare(insertInto('texts', ['rowid', ...texts]));
  const plans = readPlans(store);
  const at = (name: string) => names.indexOf(name);
  const [streamAt, timeAt, keyAt, ridAt, dataAt] = ['stream_id', 't', 'key', 'rid', 'data'].map(at) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return (row) => {
    addRecord.run(...row.slice(0, names.length));
    addFacets.run(row[streamAt], row[timeAt], row[keyAt], row[ridAt], ...row.slice(-SLOT_COUNT));
    const words = recordTexts(plans.get(row[streamAt] as number) ?? {}, row[dataAt] as string);
    if (words.some((text) => text !== '')) addTexts.run(row[ridAt], ...words);
  };
}

function readPlans(store: Database.Database): Map<number, Partial<SlotPlan>> {
  const rows = store.prepare('select stream_id, plan from streams').raw().all() as [number, string][];
  return new Map(rows.map(([streamId, plan]) => [streamId, JSON.parse(plan) as Partial<SlotPlan>]));
}

function replaceSettings(store: Database.Database, rows: readonly Row[]): void {
  const names = store.prepare('select name from settings').pluck().all() as string[];
  const remove = store.prepare('delete from settings where name = ?');
  for (const name of names.filter(isMovedSetting)) remove.run(name);
  const add = store.prepare('insert into settings values (?, ?)');
  for (const row of rows) add.run(...row);
}

/** The number of the last import is kept by SQLite itself. */
function replaceCounters(store: Database.Database, rows: readonly Row[]): void {
  const add = store.prepare('insert or replace into counters values (?, ?)');
  const clear = store.prepare(`delete from sqlite_sequence where name = 'imports'`);
  const addSequence = store.prepare(`insert into sqlite_sequence (name, seq) values ('imports', ?)`);
  for (const [name, value] of rows) {
    if (name !== 'import') add.run(name, value);
    else {
      clear.run();
      addSequence.run(value);
    }
  }
}
