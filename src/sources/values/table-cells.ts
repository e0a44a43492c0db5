import type { ImportItem, InputFile } from '../../import/importer.ts';
import { openTable, type Table } from '../../import/read/read-table.ts';
import { makeProblem, makeRecord, readEach } from '../files/import-items.ts';
import { dropEmpty } from './json.ts';

export type Cells = Readonly<Record<string, string>>;

/** Opens the table of a file that has all columns of one of the sets, ignoring case. */
export async function openTableWith(
  file: InputFile,
  ...sets: readonly (readonly string[])[]
): Promise<Table | undefined> {
  for (const names of sets) {
    const isHeader = (cells: readonly string[]) => {
      const given = new Set(cells.map((cell) => cell.trim().toLowerCase()));
      return names.every((name) => given.has(name.toLowerCase()));
    };
    const table = await openTable(file, { isHeader });
    if (table !== undefined) return table;
  }
  return undefined;
}

/** Returns the cell of a row under the first of these column names that has a value. */
export type Get = (...names: readonly string[]) => string | undefined;

/** Reads the rows that are not blank. */
export function readRows(
  file: InputFile,
  table: Pick<Table, 'columns' | 'rows'>,
  read: (get: Get, place: string, cells: Cells) => Iterable<ImportItem>,
): AsyncGenerator<ImportItem> {
  const find = createCellFinder(table.columns);
  return readEach(file, table.rows(), ({ values, line }) =>
    isBlank(values) ? undefined : read((...names) => find(values, ...names), `line ${line}`, values),
  );
}

/** Converts each row that is not blank. `read` returns a reason if there is no record. */
export const readRecords = (
  file: InputFile,
  table: Pick<Table, 'columns' | 'rows'>,
  stream: string,
  read: (get: Get, cells: Cells) => Record<string, unknown> | string,
) =>
  readRows(file, table, function* (get, place, cells) {
    const data = read(get, cells);
    if (typeof data === 'string') yield makeProblem(file, data, place);
    else yield makeRecord(file, stream, dropEmpty(data), place);
  });

/** Finds cells by any of several column names, ignoring case. */
export function createCellFinder(columns: readonly string[]) {
  const own = new Map(columns.map((name) => [name.toLowerCase(), name]));
  return (cells: Cells, ...names: readonly string[]): string | undefined => {
    for (const name of names) {
      const cell = cells[own.get(name.toLowerCase()) ?? '']?.trim();
      if (cell !== undefined && cell !== '') return cell;
    }
    return undefined;
  };
}

/** Parses a number as exports write it: `1,234.5`, `12,5`. */
export function cellNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^[-+]?[\d.,\s]*\d[\d.,]*$/.test(text)) return undefined;
  const plain =
    /,\d{1,2}$/.test(text) && !text.includes('.') ? text.replace(',', '.') : text.replaceAll(',', '');
  const number = Number(plain.replace(/\s/g, ''));
  return Number.isFinite(number) ? number : undefined;
}

export function cellInteger(text: string | undefined): number | undefined {
  const number = cellNumber(text);
  return number === undefined ? undefined : Math.round(number);
}

/** Returns the columns without a field, unchanged. */
export function restOf(cells: Cells, known: ReadonlySet<string>): Record<string, string> | undefined {
  const rest = Object.entries(cells).filter(
    ([name, cell]) => !known.has(name.toLowerCase()) && cell.trim() !== '',
  );
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

export const isBlank = (cells: Cells): boolean => Object.values(cells).every((cell) => cell.trim() === '');
