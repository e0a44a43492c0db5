import { type CellWidth, chooseWidth, cutCell } from './cell.ts';
import { drawTable, widestCell } from './table.ts';

/** Wider cells are for `pdpp fetch`; narrower ones say nothing. */
const WIDEST = 80;
const NARROWEST = 12;
const GAP = 2;
const NOT_A_TERMINAL = 200;

/**
 * A table no wider than the terminal: the longest cells are cut first, and columns left out if that is not
 * enough. The last column is a handle for the next command, and always whole.
 */
export async function fitTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<string> {
  const room = process.stdout.columns ?? NOT_A_TERMINAL;
  let cells = [header, ...rows].map((row) => row.map((cell) => cell.replaceAll(/\s+/g, ' ').trim()));
  const widthOf = await chooseWidth(cells);
  let widths = header.map((_, column) => widestCell(cells, column, widthOf));
  let most = WIDEST;
  while (most > NARROWEST && lineWidth(widths, most) > room) most -= 1;
  let left = 0;
  while (lineWidth(widths, most) > room && widths.length > 2) {
    left += 1;
    widths = widths.toSpliced(-2, 1);
    cells = cells.map((row) => row.toSpliced(-2, 1));
  }
  const text = drawTable(
    cells.map((row) => cutRow(row, most, widthOf)),
    widthOf,
  );
  return left === 0 ? text : `${text}\n${left} more fields: name them with --fields, or use --json.`;
}

/** Of the widest cells of all columns, once they are cut. */
function lineWidth(widths: readonly number[], most: number): number {
  const cut = widths.map((width, column) => (column < widths.length - 1 ? Math.min(width, most) : width));
  return cut.reduce((sum, width) => sum + width + GAP, -GAP);
}

function cutRow(row: readonly string[], most: number, widthOf: CellWidth): string[] {
  return row.map((cell, column) => (column < row.length - 1 ? cutCell(cell, most, widthOf) : cell));
}
