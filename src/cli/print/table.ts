import { type CellWidth, chooseWidth, padCell } from './cell.ts';

type Rows = readonly (readonly string[])[];

/** Columns as wide as their widest cell. */
export async function table(rows: Rows): Promise<string> {
  return drawTable(rows, await chooseWidth(rows));
}

export function drawTable(rows: Rows, widthOf: CellWidth): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => padCell(cell, widths[column] ?? 0, widthOf))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
