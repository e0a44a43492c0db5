import { yieldToEventLoop } from '../../limits/yield-to-event-loop.ts';
import type { InputFile } from '../importer.ts';
import { decodeText, type Encoding, peekText } from './decode-text.ts';
import { type Row, RowSplitter } from './row-splitter.ts';
import { sniffTable } from './sniff-table.ts';

export interface TableOptions {
  readonly delimiter?: string;
  /** Recognises the header row, if other rows may come before it. */
  readonly isHeader?: (cells: readonly string[]) => boolean;
  /** Column names for files without a header row. */
  readonly columns?: readonly string[];
  /** An encoding that the format names. */
  readonly encoding?: string;
}

export type TableRow =
  | { readonly kind: 'row'; readonly line: number; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'problem'; readonly place: string; readonly reason: string };

export interface Table {
  readonly delimiter: string;
  /** Trimmed and unique: a second `Distance` is `Distance 2`, an unnamed column is `Column 3`. */
  readonly columns: readonly string[];
  /** Whether there are more columns than are read. */
  readonly isWider: boolean;
  encoding(): Encoding;
  rows(): AsyncGenerator<TableRow>;
  /** Yields the rows of each chunk together, which is faster than a promise per row. */
  pieces(): AsyncGenerator<readonly TableRow[]>;
}

export const MAX_COLUMNS = 2_000;

/** The start of JSON or HTML. In one line, their commas would look like a header row. */
const OTHER_SYNTAX = /^\s*(?:[[{]\s*(?:["[{\]}\d-]|true|false|null)|<[!?a-z])/i;

/** Opens a table separated by commas, semicolons, tabs or bars. Returns undefined if the file does not start like one. */
export async function openTable(file: InputFile, options: TableOptions = {}): Promise<Table | undefined> {
  const head = await peekText(file, options.encoding);
  if (OTHER_SYNTAX.test(head)) return undefined;
  const given = options.columns;
  const sniffed = sniffTable(head, options);
  if (sniffed === undefined) return undefined;
  const isHeadless = given !== undefined || sniffed.isHeadless;
  const isWider = given === undefined && sniffed.header.length > MAX_COLUMNS;
  const header = sniffed.header.slice(0, MAX_COLUMNS);
  const columns = given ?? nameColumns(sniffed.isHeadless ? header.map(() => '') : header);
  const skip = sniffed.preamble + (isHeadless ? 0 : 1);
  let encoding = (): Encoding => 'utf-8';
  const pieces = async function* () {
    const text = await decodeText(file, options.encoding);
    encoding = text.encoding;
    const whole = head.includes('\n') ? text.pieces : replaceReturns(text.pieces);
    yield* readRows(whole, sniffed.delimiter, { columns, isWider }, skip, isHeadless ? [] : sniffed.header);
  };
  return {
    delimiter: sniffed.delimiter,
    columns,
    isWider,
    encoding: () => encoding(),
    pieces,
    async *rows() {
      for await (const piece of pieces()) yield* piece;
    },
  };
}

/** Old programs end a line with a carriage return alone. */
async function* replaceReturns(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) yield piece.replaceAll('\r', '\n');
}

/** Gives every column a unique name. */
function nameColumns(header: readonly string[]): string[] {
  const taken = new Set<string>();
  /** The last number of each name, so that many equal names do not take quadratic time. */
  const last = new Map<string, number>();
  return header.map((cell, index) => {
    const name = cell.replace(/\s+/g, ' ').trim() || `Column ${index + 1}`;
    let own = name;
    for (let n = (last.get(name) ?? 1) + 1; taken.has(own); n++) {
      own = `${name} ${n}`;
      last.set(name, n);
    }
    taken.add(own);
    return own;
  });
}

async function* readRows(
  pieces: AsyncIterable<string>,
  delimiter: string,
  { columns, isWider }: Pick<Table, 'columns' | 'isWider'>,
  skip: number,
  header: readonly string[],
): AsyncGenerator<TableRow[]> {
  // Concatenated files repeat the header row.
  const isHeader = (cells: readonly string[]) =>
    cells.length === header.length && cells.every((cell, index) => cell === header[index]);
  const splitter = new RowSplitter(delimiter);
  let seen = 0;
  const read = (rows: readonly Row[]): TableRow[] => {
    const found: TableRow[] = [];
    for (const { line, cells, isTooLong } of rows) {
      seen += 1;
      if (isTooLong === true) {
        found.push(problem(line, 'is longer than 16 MB and was skipped'));
        continue;
      }
      if (seen <= skip || (cells.length <= 1 && cells[0]?.trim() === '') || isHeader(cells)) continue;
      if (
        !isWider &&
        cells.length > columns.length &&
        cells.slice(columns.length).some((cell) => cell.trim() !== '')
      )
        found.push(problem(line, 'has more cells than columns'));
      const values: Record<string, string> = {};
      for (let i = 0; i < columns.length; i++) values[columns[i] as string] = cells[i] ?? '';
      found.push({ kind: 'row', line, values });
    }
    return found;
  };
  for await (const piece of pieces) {
    yield read(splitter.push(piece));
    await yieldToEventLoop();
  }
  const { rows, unclosed, isUnread } = splitter.end();
  yield read(rows);
  if (unclosed === undefined) return;
  const rest = isUnread ? '. The rest of the file was skipped.' : ', which was read as text';
  yield [problem(unclosed, `has an unclosed quote${rest}`)];
}

const problem = (line: number, reason: string): TableRow => ({
  kind: 'problem',
  place: `line ${line}`,
  reason,
});
