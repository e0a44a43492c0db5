/** How many columns of a terminal a text takes: Chinese and emoji take two each, marks none. */
export type CellWidth = (cell: string) => number;

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

/** What measures these cells. The package that knows all writing takes its time to load, and is not needed for plain letters. */
export async function chooseWidth(rows: readonly (readonly string[])[]): Promise<CellWidth> {
  const isPlain = rows.every((row) => row.every((cell) => PLAIN.test(cell)));
  if (isPlain) return (cell) => findPlainWidth(cell) ?? cell.length;
  const { default: stringWidth } = await import('string-width');
  return (cell) => findPlainWidth(cell) ?? stringWidth(cell);
}

/** Spaces after it up to a width. */
export function padCell(cell: string, width: number, widthOf: CellWidth): string {
  return cell + ' '.repeat(Math.max(0, width - widthOf(cell)));
}

/** Cut to a width, the sign that it was cut included, and never inside of what is seen as one character. */
export function cutCell(cell: string, most: number, widthOf: CellWidth): string {
  if (widthOf(cell) <= most) return cell;
  if (findPlainWidth(cell) === cell.length) return `${cell.slice(0, most - 1)}…`;
  let cut = '';
  for (const { segment } of new Intl.Segmenter().segment(cell)) {
    if (widthOf(cut + segment) > most - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}
