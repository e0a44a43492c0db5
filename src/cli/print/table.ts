/** Returns the width of a text in terminal columns: two for a Chinese character or an emoji, none for a combining mark. */
type CellWidth = (cell: string) => number;

/** Latin, Greek and Cyrillic letters and punctuation: one column each. */
const NARROW =
  ' -~\\u00a1-\\u00ac\\u00ae-\\u024f\\u0370-\\u0377\\u037a-\\u037f\\u0384-\\u038a\\u038c\\u038e-\\u03a1\\u03a3-\\u0482\\u048a-\\u052f\\u2010-\\u2027\\u2030-\\u205e\\u20ac';
/** Most Chinese, Japanese and Korean characters: two columns each. */
const WIDE =
  '\\u3001-\\u3029\\u3041-\\u3096\\u30a1-\\u30fa\\u30fc-\\u30fe\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60';
const PLAIN = new RegExp(`^[${NARROW}${WIDE}]*$`);
const WIDE_CHARACTERS = new RegExp(`[${WIDE}]`, 'g');

/** Returns the width of a text in columns, or undefined if it has characters outside NARROW and WIDE. */
export function findPlainWidth(cell: string): number | undefined {
  return PLAIN.test(cell) ? cell.length + (cell.match(WIDE_CHARACTERS)?.length ?? 0) : undefined;
}

/** Returns a function that measures these cells. Loads string-width, which takes 57 ms, only if they need it. */
async function chooseWidth(rows: readonly (readonly string[])[]): Promise<CellWidth> {
  const isPlain = rows.every((row) => row.every((cell) => PLAIN.test(cell)));
  if (isPlain) return (cell) => findPlainWidth(cell) ?? cell.length;
  const { default: stringWidth } = await import('string-width');
  return (cell) => findPlainWidth(cell) ?? stringWidth(cell);
}

function padCell(cell: string, width: number, widthOf: CellWidth): string {
  return cell + ' '.repeat(Math.max(0, width - widthOf(cell)));
}

/** Cuts a cell to a width that includes the ellipsis, and never inside a grapheme. */
function cutCell(cell: string, max: number, widthOf: CellWidth): string {
  if (widthOf(cell) <= max) return cell;
  if (findPlainWidth(cell) === cell.length) return `${cell.slice(0, max - 1)}…`;
  let cut = '';
  for (const { segment } of new Intl.Segmenter().segment(cell)) {
    if (widthOf(cut + segment) > max - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

type Rows = readonly (readonly string[])[];

/** Formats a table whose columns are as wide as their widest cell. */
export async function table(rows: Rows): Promise<string> {
  return drawTable(rows, await chooseWidth(rows));
}

/** Returns the width of a column. Uses `reduce`, because `Math.max` accepts fewer arguments than a table can have rows. */
function widestCell(rows: Rows, column: number, widthOf: CellWidth): number {
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

const MAX_CELL_COLUMNS = 80;
const MIN_CELL_COLUMNS = 12;
const GAP = 2;
/** Used if the output is not a terminal. */
const DEFAULT_COLUMNS = 200;

/**
 * Formats a table that fits the terminal: cuts the longest cells first, then drops columns. The last column, an id for the
 * next command, is never cut.
 */
export async function fitTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<string> {
  const maxColumns = process.stdout.columns ?? DEFAULT_COLUMNS;
  let cells = [header, ...rows].map((row) => row.map((cell) => cell.replaceAll(/\s+/g, ' ').trim()));
  const widthOf = await chooseWidth(cells);
  let widths = header.map((_, column) => widestCell(cells, column, widthOf));
  let max = MAX_CELL_COLUMNS;
  while (max > MIN_CELL_COLUMNS && lineWidth(widths, max) > maxColumns) max -= 1;
  let dropped = 0;
  while (lineWidth(widths, max) > maxColumns && widths.length > 2) {
    dropped += 1;
    widths = widths.toSpliced(-2, 1);
    cells = cells.map((row) => row.toSpliced(-2, 1));
  }
  const text = drawTable(
    cells.map((row) => cutRow(row, max, widthOf)),
    widthOf,
  );
  return dropped === 0 ? text : `${text}\n${dropped} more fields. To see them, add --fields A,B or --json.`;
}

function lineWidth(widths: readonly number[], max: number): number {
  const cut = widths.map((width, column) => (column < widths.length - 1 ? Math.min(width, max) : width));
  return cut.reduce((sum, width) => sum + width + GAP, -GAP);
}

function cutRow(row: readonly string[], max: number, widthOf: CellWidth): string[] {
  return row.map((cell, column) => (column < row.length - 1 ? cutCell(cell, max, widthOf) : cell));
}
