/** How many columns of a terminal a text takes: Chinese and emoji take two each, marks none. */
type CellWidth = (cell: string) => number;

/** Letters of Latin, Greek and Cyrillic and the signs between them: each is seen as one character and takes one column. */
const NARROW =
  ' -~\\u00a1-\\u00ac\\u00ae-\\u024f\\u0370-\\u0377\\u037a-\\u037f\\u0384-\\u038a\\u038c\\u038e-\\u03a1\\u03a3-\\u0482\\u048a-\\u052f\\u2010-\\u2027\\u2030-\\u205e\\u20ac';
/** Most of what Chinese, Japanese and Korean is written in: each is one character too, of two columns. */
const WIDE =
  '\\u3001-\\u3029\\u3041-\\u3096\\u30a1-\\u30fa\\u30fc-\\u30fe\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60';
const PLAIN = new RegExp(`^[${NARROW}${WIDE}]*$`);
const WIDE_ONES = new RegExp(`[${WIDE}]`, 'g');

/** The columns of a text whose characters are all known here, and nothing for any other. */
export function findPlainWidth(cell: string): number | undefined {
  return PLAIN.test(cell) ? cell.length + (cell.match(WIDE_ONES)?.length ?? 0) : undefined;
}

/** What measures these cells. The package that knows all writing takes 57 ms to load, and is not needed for plain letters. */
async function chooseWidth(rows: readonly (readonly string[])[]): Promise<CellWidth> {
  const isPlain = rows.every((row) => row.every((cell) => PLAIN.test(cell)));
  if (isPlain) return (cell) => findPlainWidth(cell) ?? cell.length;
  const { default: stringWidth } = await import('string-width');
  return (cell) => findPlainWidth(cell) ?? stringWidth(cell);
}

/** Spaces after it up to a width. */
function padCell(cell: string, width: number, widthOf: CellWidth): string {
  return cell + ' '.repeat(Math.max(0, width - widthOf(cell)));
}

/** Cut to a width, the sign that it was cut included, and never inside of what is seen as one character. */
function cutCell(cell: string, most: number, widthOf: CellWidth): string {
  if (widthOf(cell) <= most) return cell;
  if (findPlainWidth(cell) === cell.length) return `${cell.slice(0, most - 1)}…`;
  let cut = '';
  for (const { segment } of new Intl.Segmenter().segment(cell)) {
    if (widthOf(cut + segment) > most - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

type Rows = readonly (readonly string[])[];

/** Columns as wide as their widest cell. */
export async function table(rows: Rows): Promise<string> {
  return drawTable(rows, await chooseWidth(rows));
}

/** The width of a column. In a loop: a table may have more rows than a call takes arguments. */
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
