import { isValue, sniffTable, splitRows } from '../../import/read/sniff-table.ts';

/** Endings of tables: the name says what it is, so few rows are enough. */
const TABLE_NAME = /\.(?:csv|tsv|tab|psv|ssv)$/i;
/** Of a text that could be anything, so many rows must agree. */
const [MIN_ROWS, MIN_EVEN, MIN_TYPED] = [3, 0.9, 0.8];
const MAX_NAME_CHARACTERS = 60;
const SENTENCE_END = /[.!?…:,]$/;
const LOG_LINE = /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b/;

/**
 * Whether a text is a table. Commas stand in letters, poems and programs too: where the name does not say that it is a
 * table, the rows must be even, the first must name columns, and a column must hold values or all be free of prose.
 */
export function looksLikeTable(path: string, head: string): boolean {
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

/** A name is short, is no sentence and comes once. */
function namesColumns(header: readonly string[]): boolean {
  const names = header.map((cell) => cell.trim()).filter((name) => name !== '');
  const isName = (name: string) => name.length <= MAX_NAME_CHARACTERS && !SENTENCE_END.test(name);
  return names.length >= header.length - 1 && names.every(isName) && new Set(names).size === names.length;
}

/** In a sentence a blank follows the comma. */
function isProse(rows: readonly (readonly string[])[]): boolean {
  const cells = rows.flatMap((row) => row.slice(1)).filter((cell) => cell.trim() !== '');
  return cells.filter((cell) => cell.startsWith(' ')).length > cells.length / 3;
}
