import { yieldToEventLoop } from '../../limits/yield-to-event-loop.ts';
import type { InputFile } from '../importer.ts';
import { decodeText, type Encoding, peekText } from './decode-text.ts';
import { type Row, RowSplitter } from './row-splitter.ts';
import { sniffTable } from './sniff-table.ts';

export interface TableOptions {
  readonly delimiter?: string;
  /** Knows the row of column names, where other rows may stand before it. */
  readonly isHeader?: (cells: readonly string[]) => boolean;
  /** For files that name no columns: their names. */
  readonly columns?: readonly string[];
  readonly encoding?: string;
}

export type TableRow =
  | { readonly kind: 'row'; readonly line: number; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'problem'; readonly place: string; readonly reason: string };

export interface Table {
  readonly delimiter: string;
  /** Trimmed, each once: a second `Distance` is `Distance 2`, one without a name `Column 3`. */
  readonly columns: readonly string[];
  /** There are more columns than are read. */
  readonly isWider: boolean;
  encoding(): Encoding;
  rows(): AsyncGenerator<TableRow>;
  /** The same, as many together as end in a piece of the file: a promise for each would cost more than to read it. */
  pieces(): AsyncGenerator<readonly TableRow[]>;
}

/** Nobody reads wider tables by eye; wider rows cost more than they tell. */
export const MAX_COLUMNS = 2_000;

/** How JSON and pages begin. On one line they have commas enough to pass for a row of names. */
const OTHER_SYNTAX = /^\s*(?:[[{]\s*(?:["[{\]}\d-]|true|false|null)|<[!?a-z])/i;

/** Opens comma, semicolon, tab or bar separated rows. Undefined where the file's beginning is no table. */
export async function openTable(file: InputFile, options: TableOptions = {}): Promise<Table | undefined> {
  const head = await peekText(file, options.encoding);
  if (OTHER_SYNTAX.test(head)) return undefined;
  const given = options.columns;
  const sniffed = sniffTable(head, {
    ...(options.delimiter === undefined ? {} : { delimiter: options.delimiter }),
    ...(options.isHeader === undefined ? {} : { isHeader: options.isHeader }),
  });
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

/** Old programs end a line with a return alone. */
async function* replaceReturns(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) yield piece.replaceAll('\r', '\n');
}

/** Every column a name of its own. */
function nameColumns(header: readonly string[]): string[] {
  const taken = new Set<string>();
  /** The number that each name had last: counting from the beginning would take a square of the time. */
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
  // Files that were put together name their columns again.
  const isHeader = (cells: readonly string[]) =>
    cells.length === header.length && cells.every((cell, index) => cell === header[index]);
  const splitter = new RowSplitter(delimiter);
  let seen = 0;
  const read = (rows: readonly Row[]): TableRow[] => {
    const found: TableRow[] = [];
    for (const { line, cells, isTooLong } of rows) {
      seen += 1;
      if (isTooLong === true) {
        found.push({
          kind: 'problem',
          place: `line ${line}`,
          reason: 'is longer than 16 MB; the row was left out',
        });
        continue;
      }
      if (seen <= skip || (cells.length <= 1 && cells[0]?.trim() === '') || isHeader(cells)) continue;
      if (
        !isWider &&
        cells.length > columns.length &&
        cells.slice(columns.length).some((cell) => cell.trim() !== '')
      )
        found.push({
          kind: 'problem',
          place: `line ${line}`,
          reason: 'has more cells than there are columns',
        });
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
  const { rows, unclosed, isLost } = splitter.end();
  yield read(rows);
  if (unclosed === undefined) return;
  const reason = `has a quote that is not closed${isLost ? '; it and what follows were left out' : ', which is read as a character'}`;
  yield [{ kind: 'problem', place: `line ${unclosed}`, reason }];
}
