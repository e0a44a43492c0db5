import type { AnyRow } from '../../import/guess/guess-stream.ts';
import type { InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { parseExactJson } from '../../import/read/read-json.ts';
import { MAX_COLUMNS, openTable } from '../../import/read/read-table.ts';
import { isValue, sniffTable, splitRows } from '../../import/read/sniff-table.ts';
import { openDatabaseTables } from './generic-database.ts';
import { holdsJsonTable, openJsonLines, openJsonTables } from './generic-json.ts';

export type ReadRow =
  | { readonly kind: 'row'; readonly table: AnyTable; readonly place: string; readonly row: AnyRow }
  | { readonly kind: 'problem'; readonly place?: string; readonly reason: string };

export interface AnyTable {
  readonly name: string;
  /** Columns that the file declares as its key. */
  readonly key?: readonly string[];
  /** Columns that refer to another row; none of them is a key. */
  readonly references?: ReadonlySet<string>;
  /** Columns of mixed content: they are text. */
  readonly texts?: readonly string[];
}

export interface AnyTables {
  readonly tables: readonly AnyTable[];
  /** Reads the rows of all tables in batches, in file order. */
  pieces(): AsyncIterable<readonly ReadRow[]>;
}

type AnyShape = 'csv' | 'json' | 'jsonl' | 'sqlite';

export async function findShape(file: InputFile): Promise<AnyShape | undefined> {
  const head = await file.head();
  if (Buffer.from(head.subarray(0, 15)).toString('latin1') === 'SQLite format 3')
    return (await openTables(file, 'sqlite')).tables.length > 0 ? 'sqlite' : undefined;
  if (head.length === 0 || head.subarray(0, 512).includes(0)) {
    const text = head.length === 0 ? '' : await peekText(file);
    if (text === '' || text.includes('\0')) return undefined;
  }
  const text = (await peekText(file)).trimStart();
  const first = text.split('\n', 1)[0] ?? '';
  if (/^\{.*\}\s*$/.test(first) && parseExactJson(first).kind === 'value' && text.trim() !== first.trim())
    return 'jsonl';
  if (/^[[{]/.test(text)) return (await holdsJsonTable(file)) ? 'json' : undefined;
  if (/^</.test(text) || !looksLikeTable(file.path, await peekText(file))) return undefined;
  return (await openTable(file)) === undefined ? undefined : 'csv';
}

export async function openTables(file: InputFile, shape: AnyShape): Promise<AnyTables> {
  switch (shape) {
    case 'csv': {
      const table = { name: 'rows' };
      return { tables: [table], pieces: () => readTableRows(file, table) };
    }
    case 'jsonl':
      return openJsonLines(file);
    case 'json':
      return openJsonTables(file);
    case 'sqlite':
      return openDatabaseTables(await file.diskPath());
  }
}

async function* readTableRows(file: InputFile, own: AnyTable): AsyncGenerator<ReadRow[]> {
  const table = await openTable(file);
  if (table === undefined) return;
  if (table.isWider)
    yield [
      {
        kind: 'problem',
        place: 'all rows',
        reason: `have more than ${MAX_COLUMNS} columns; the others were skipped`,
      },
    ];
  for await (const piece of table.pieces())
    yield piece.map((row) =>
      row.kind === 'problem' ? row : { kind: 'row', table: own, place: `line ${row.line}`, row: row.values },
    );
}

/** Extensions of tables: with them, few rows are enough. */
const TABLE_NAME = /\.(?:csv|tsv|tab|psv|ssv)$/i;
/** Without such an extension, this many rows must agree. */
const [MIN_ROWS, MIN_EVEN, MIN_TYPED] = [3, 0.9, 0.8];
const MAX_NAME_CHARACTERS = 60;
const SENTENCE_END = /[.!?…:,]$/;
const LOG_LINE = /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b/;

/**
 * Returns whether a text is a table. Letters, poems and programs contain commas too. Without a table extension,
 * the rows must be even, the first must name columns, and a column must hold values or no prose.
 */
function looksLikeTable(path: string, head: string): boolean {
  const sniffed = sniffTable(head);
  if (sniffed === undefined) return false;
  if (TABLE_NAME.test(path)) return true;
  const rows = splitRows(head, sniffed.delimiter)
    .slice(sniffed.preamble)
    .filter((row) => row.some((cell) => cell.trim() !== ''));
  const width = sniffed.header.length;
  const even = rows.filter((row) => row.length === width);
  if (rows.length < MIN_ROWS || even.length < MIN_EVEN * rows.length) return false;
  if (rows.filter((row) => row.some((cell) => LOG_LINE.test(cell))).length > rows.length / 2) return false;
  if (!sniffed.isHeadless && !namesColumns(sniffed.header)) return false;
  const body = sniffed.isHeadless ? even : even.slice(1);
  const isTyped = sniffed.header.some((_, index) => {
    const filled = body.map((row) => row[index] ?? '').filter((cell) => cell.trim() !== '');
    return filled.length > body.length / 2 && filled.filter(isValue).length >= MIN_TYPED * filled.length;
  });
  return isTyped || (!sniffed.isHeadless && width > 2 && !isProse(body));
}

/** A column name is short, unique and not a sentence. */
function namesColumns(header: readonly string[]): boolean {
  const names = header.map((cell) => cell.trim()).filter((name) => name !== '');
  const isName = (name: string) => name.length <= MAX_NAME_CHARACTERS && !SENTENCE_END.test(name);
  return names.length >= header.length - 1 && names.every(isName) && new Set(names).size === names.length;
}

/** In a sentence a space follows the comma. */
function isProse(rows: readonly (readonly string[])[]): boolean {
  const cells = rows.flatMap((row) => row.slice(1)).filter((cell) => cell.trim() !== '');
  return cells.filter((cell) => cell.startsWith(' ')).length > cells.length / 3;
}
