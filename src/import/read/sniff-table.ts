import { RowSplitter } from './row-splitter.ts';

export interface SniffedTable {
  readonly delimiter: string;
  /** How many rows stand before the one that names the columns. */
  readonly preamble: number;
  readonly header: readonly string[];
  /** No row names the columns: what stands as the header is the first row of the data. */
  readonly isHeadless: boolean;
}

const DELIMITERS = [',', ';', '\t', '|'];
const MAX_ROWS = 200;

/**
 * Finds how a table is written from its beginning: what separates the cells, and which row names the columns. Rows
 * above it, such as the notes of a bank or of LinkedIn, are fewer cells wide than the table.
 */
export function sniffTable(
  head: string,
  options: { delimiter?: string; isHeader?: (cells: readonly string[]) => boolean } = {},
): SniffedTable | undefined {
  const tried = (options.delimiter === undefined ? DELIMITERS : [options.delimiter]).flatMap((delimiter) => {
    const rows = splitRows(head, delimiter);
    if (options.isHeader !== undefined) {
      const at = rows.findIndex((row) => options.isHeader?.(row.map((cell) => cell.trim())));
      return at === -1 ? [] : [{ delimiter, rows, at, worth: (rows[at] as string[]).length }];
    }
    const width = findUsualWidth(rows);
    const at = findHeader(rows, width);
    const even = rows.filter((row) => row.length === width).length / rows.length;
    // One column is a table only when it was asked for.
    return at === -1 || (width < 2 && options.delimiter === undefined)
      ? []
      : [{ delimiter, rows, at, worth: even + Math.min(width, 20) / 100 }];
  });
  const best = tried.sort((a, b) => b.worth - a.worth)[0];
  if (best === undefined) return undefined;
  const { delimiter, rows, at } = best;
  const isHeadless = options.isHeader === undefined && isData(rows, at);
  return { delimiter, preamble: at, header: rows[at] as string[], isHeadless };
}

/** An amount, a count, a date. Years are none: they name columns as often. */
const VALUE =
  /^(?!(?:19|20)\d\d$)[-+(]?\p{Sc}?\s?\d[\d.,'’ ]*(?:[)%]|\s?\p{Sc})?$|^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:\b|T\d)|^\d{1,2}[ -]\p{L}{3,9}[ -]\d{4}\b/u;
export const isValue = (cell: string | undefined): boolean => VALUE.test(cell?.trim() ?? '');
const countFilled = (row: readonly string[]) => row.filter((cell) => cell.trim() !== '').length;

/**
 * The row that names the columns: the first of the usual width, unless it holds values or next to nothing. Banks write
 * a comma more or less after their columns, or fill what stands above them with empty cells, so then any row of about
 * that width that has a word in every cell, and has only narrower ones above it.
 */
function findHeader(rows: readonly (readonly string[])[], width: number): number {
  const first = rows.findIndex(
    (row) => row.length === width && countFilled(row) > 0 && !isSeparatorLine(row),
  );
  const found = rows[first];
  if (found === undefined || (countFilled(found) >= 0.5 * width && !found.some(isValue))) return first;
  const at = rows.findIndex((row) => {
    const filled = countFilled(row);
    const isFull = row.slice(0, filled).every((cell) => cell.trim() !== '' && !isValue(cell));
    return isFull && filled > 1 && Math.abs(filled - width) <= Math.max(1, width / 5);
  });
  const names = countFilled(rows[at] ?? []);
  return at >= 0 && rows.slice(0, at).every((row) => countFilled(row) <= 0.6 * names) ? at : first;
}

/** Excel's `sep=;`. */
const isSeparatorLine = ([first, ...rest]: readonly string[]) =>
  /^sep=/i.test(first ?? '') && rest.every((cell) => cell === '');

/** Whether a row is one of the data: it has values where those below have them too. */
function isData(rows: readonly (readonly string[])[], at: number): boolean {
  const below = rows.slice(at + 1, at + 11).filter((row) => countFilled(row) > 1);
  return (rows[at] ?? []).some(
    (cell, index) => isValue(cell) && 2 * below.filter((row) => isValue(row[index])).length > below.length,
  );
}

/** Rows at the beginning, empty ones included; the last may be cut off and is left out where there are more. */
export function splitRows(head: string, delimiter: string): string[][] {
  const splitter = new RowSplitter(delimiter);
  // Old programs end a line with a return alone.
  const rows = splitter.push(head.includes('\n') ? head : head.replaceAll('\r', '\n'));
  if (rows.length < 3) {
    const last = splitter.end();
    if (last.unclosed === undefined) rows.push(...last.rows);
  }
  return rows.slice(0, MAX_ROWS).map(({ cells }) => cells);
}

function findUsualWidth(rows: readonly (readonly string[])[]): number {
  const widths = new Map<number, number>();
  for (const row of rows) if (row.length > 1) widths.set(row.length, (widths.get(row.length) ?? 0) + 1);
  return [...widths].sort(([a, n], [b, m]) => m - n || b - a)[0]?.[0] ?? 1;
}
