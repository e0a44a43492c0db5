import type { InputFile } from '../../import/importer.ts';
import { openTable, type Table } from '../../import/read/read-table.ts';

export type Cells = Readonly<Record<string, string>>;

/** The table of a file if all these columns are in it, however they are written. */
export async function openTableWith(file: InputFile, names: readonly string[]): Promise<Table | undefined> {
  const hasAll = (cells: readonly string[]) => {
    const given = new Set(cells.map((cell) => cell.trim().toLowerCase()));
    return names.every((name) => given.has(name.toLowerCase()));
  };
  return openTable(file, { isHeader: hasAll });
}

/** Looks columns up by any of several names, without regard to capitals. */
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

/** A number as exports write it: `1,234.5`, `12,5`. */
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

/** Columns that no field was made for, as they are. */
export function restOf(cells: Cells, known: ReadonlySet<string>): Record<string, string> | undefined {
  const rest = Object.entries(cells).filter(
    ([name, cell]) => !known.has(name.toLowerCase()) && cell.trim() !== '',
  );
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

export const isBlank = (cells: Cells): boolean => Object.values(cells).every((cell) => cell.trim() === '');
