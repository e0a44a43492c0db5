/** How many columns of a terminal a text takes: Chinese and emoji take two each, marks none. */
export type CellWidth = (cell: string) => number;

const PLAIN = /^[ -~]*$/;

/** What measures these cells. The package that knows all writing takes its time to load, and is not needed for plain letters. */
export async function chooseWidth(rows: readonly (readonly string[])[]): Promise<CellWidth> {
  if (rows.every((row) => row.every((cell) => PLAIN.test(cell)))) return (cell) => cell.length;
  return (await import('string-width')).default;
}

/** Spaces after it up to a width. */
export function padCell(cell: string, width: number, widthOf: CellWidth): string {
  return cell + ' '.repeat(Math.max(0, width - widthOf(cell)));
}

/** Cut to a width, the sign that it was cut included, and never inside of what is seen as one character. */
export function cutCell(cell: string, most: number, widthOf: CellWidth): string {
  if (widthOf(cell) <= most) return cell;
  let cut = '';
  for (const { segment } of new Intl.Segmenter().segment(cell)) {
    if (widthOf(cut + segment) > most - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}
