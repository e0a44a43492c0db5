import type { TableOptions } from './read-table.ts';
import { RowSplitter } from './row-splitter.ts';

interface SniffedTable {
  readonly delimiter: string;
  /** The number of rows before the header row. */
  readonly preamble: number;
  readonly header: readonly string[];
  /** There is no header row. `header` is the first data row. */
  readonly isHeadless: boolean;
}

const DELIMITERS = [',', ';', '\t', '|'];
const MAX_SNIFFED_ROWS = 200;

/**
 * Finds the delimiter and the header row from the start of a file. Rows above the header, such as notes of a bank or of
 * LinkedIn, have fewer cells than the table.
 */
export function sniffTable(
  head: string,
  options: Pick<TableOptions, 'delimiter' | 'isHeader'> = {},
): SniffedTable | undefined {
  const tried = (options.delimiter === undefined ? DELIMITERS : [options.delimiter]).flatMap((delimiter) => {
    const rows = splitRows(head, delimiter);
    if (options.isHeader !== undefined) {
      const at = rows.findIndex((row) => options.isHeader?.(row.map((cell) => cell.trim())));
      return at === -1 ? [] : [{ delimiter, rows, at, score: (rows[at] as string[]).length }];
    }
    const width = findUsualWidth(rows);
    const at = findHeader(rows, width);
    const even = rows.filter((row) => row.length === width).length / rows.length;
    // A single column is a table only if the caller names the delimiter.
    return at === -1 || (width < 2 && options.delimiter === undefined)
      ? []
      : [{ delimiter, rows, at, score: even + Math.min(width, 20) / 100 }];
  });
  const best = tried.sort((a, b) => b.score - a.score)[0];
  if (best === undefined) return undefined;
  const { delimiter, rows, at } = best;
  const isHeadless = options.isHeader === undefined && isData(rows, at);
  return { delimiter, preamble: at, header: rows[at] as string[], isHeadless };
}

/** An amount, a count or a date. Years are excluded, because they are often column names. */
const VALUE =
  /^(?!(?:19|20)\d\d$)[-+(]?\p{Sc}?\s?\d[\d.,'’ ]*(?:[)%]|\s?\p{Sc})?$|^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:\b|T\d)|^\d{1,2}[ -]\p{L}{3,9}[ -]\d{4}\b/u;
export const isValue = (cell: string | undefined): boolean => VALUE.test(cell?.trim() ?? '');
const countFilled = (row: readonly string[]) => row.filter((cell) => cell.trim() !== '').length;

/**
 * Finds the header row: the first row of the usual width, unless it holds values or is nearly empty. Some banks add a
 * comma to the header or pad the rows above it. In that case, the header is a row of about that width with a word in
 * every cell and only narrower rows above it.
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

/** Whether the row is Excel's `sep=;`. */
const isSeparatorLine = ([first, ...rest]: readonly string[]) =>
  /^sep=/i.test(first ?? '') && rest.every((cell) => cell === '');

/** Whether a row is data: it has values in the same columns as the rows below. */
function isData(rows: readonly (readonly string[])[], at: number): boolean {
  const below = rows.slice(at + 1, at + 11).filter((row) => countFilled(row) > 1);
  return (rows[at] ?? []).some(
    (cell, index) => isValue(cell) && 2 * below.filter((row) => isValue(row[index])).length > below.length,
  );
}

/** Splits the start of a file into rows, including empty ones. A last row that may be cut off is dropped. */
export function splitRows(head: string, delimiter: string): string[][] {
  const splitter = new RowSplitter(delimiter);
  // Old programs end a line with a carriage return alone.
  const rows = splitter.push(head.includes('\n') ? head : head.replaceAll('\r', '\n'));
  if (rows.length < 3) {
    const last = splitter.end();
    if (last.unclosed === undefined) rows.push(...last.rows);
  }
  return rows.slice(0, MAX_SNIFFED_ROWS).map(({ cells }) => cells);
}

function findUsualWidth(rows: readonly (readonly string[])[]): number {
  const widths = new Map<number, number>();
  for (const row of rows) if (row.length > 1) widths.set(row.length, (widths.get(row.length) ?? 0) + 1);
  return [...widths].sort(([a, n], [b, m]) => m - n || b - a)[0]?.[0] ?? 1;
}
