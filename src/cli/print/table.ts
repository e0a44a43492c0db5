import { type CellWidth, chooseWidth, padCell } from './cell.ts';

type Rows = readonly (readonly string[])[];

/** Columns as wide as their widest cell. */
export async function table(rows: Rows): Promise<string> {
  return drawTable(rows, await chooseWidth(rows));
}

/** The width of a column. In a loop: a table may have more rows than a call takes arguments. */
export function widestCell(rows: Rows, column: number, widthOf: CellWidth): number {
  return rows.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? '')), 0);
}

export function drawTable(rows: Rows, widthOf: CellWidth): string {
  const widths = (rows[0] ?? []).map((_, column) => widestCell(rows, column, widthOf));
  return rows
    .map((row) =>
      row
        .map((cell, column) => padCell(cell, widths[column] ?? 0, widthOf))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
