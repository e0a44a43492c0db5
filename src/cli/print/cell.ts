import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter();

/** How many columns of a terminal a text takes: Chinese and emoji take two each, marks none. */
export function cellWidth(cell: string): number {
  return stringWidth(cell);
}

/** Spaces after it up to a width. */
export function padCell(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - cellWidth(cell)));
}

/** Cut to a width, the sign that it was cut included, and never inside of what is seen as one character. */
export function cutCell(cell: string, most: number): string {
  if (cellWidth(cell) <= most) return cell;
  let cut = '';
  for (const { segment } of segmenter.segment(cell)) {
    if (cellWidth(cut + segment) > most - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}
