import { EndlessRow, RowSplitter } from './row-splitter.ts';

export interface SniffedTable {
  readonly delimiter: string;
  /** How many rows stand before the one that names the columns. */
  readonly preamble: number;
  readonly header: readonly string[];
}

const DELIMITERS = [',', ';', '\t', '|'];
const MOST_ROWS = 200;

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
    const at = rows.findIndex((row) => row.length === width && row.some((cell) => cell.trim() !== ''));
    const even = rows.filter((row) => row.length === width).length / rows.length;
    // One column is a table only when it was asked for.
    return at === -1 || (width < 2 && options.delimiter === undefined)
      ? []
      : [{ delimiter, rows, at, worth: even + Math.min(width, 20) / 100 }];
  });
  const best = tried.sort((a, b) => b.worth - a.worth)[0];
  if (best === undefined) return undefined;
  return { delimiter: best.delimiter, preamble: best.at, header: best.rows[best.at] as string[] };
}

/** Rows at the beginning, empty ones included; the last may be cut off and is left out where there are more. */
export function splitRows(head: string, delimiter: string): string[][] {
  const splitter = new RowSplitter(delimiter);
  try {
    const rows = splitter.push(head);
    if (rows.length < 3) rows.push(...splitter.end().rows);
    return rows.slice(0, MOST_ROWS).map(({ cells }) => cells);
  } catch (error) {
    if (!(error instanceof EndlessRow)) throw error;
    return [];
  }
}

function findUsualWidth(rows: readonly (readonly string[])[]): number {
  const widths = new Map<number, number>();
  for (const row of rows) if (row.length > 1) widths.set(row.length, (widths.get(row.length) ?? 0) + 1);
  return [...widths].sort(([a, n], [b, m]) => m - n || b - a)[0]?.[0] ?? 1;
}
