import { compareValues, type Value } from '../values.ts';
import type { Row, TableReader } from './move-stores.ts';
import { createMovedReader, keyOf, type MovedReader } from './read-moved.ts';
import { type MovedTable, movedTables, stateTables } from './tables.ts';
import { WordDigest } from './word-digest.ts';

/** The result of comparing one table on both sides. */
export interface Comparison {
  readonly table: string;
  /** The number of rows or, for the word index, of positions where words occur. */
  readonly source: number;
  readonly target: number;
  /** Rows that are on one side only, or have another value. */
  readonly different: number;
}

/** Compares every row of every table, and the word index. */
export async function compareStores(
  source: TableReader,
  target: TableReader,
  onRows: (count: number) => void,
): Promise<Comparison[]> {
  const readers = [await createMovedReader(source), await createMovedReader(target)] as const;
  const results: Comparison[] = [];
  for (const table of [...stateTables, ...movedTables])
    results.push(await compareTable(readers, table, onRows));
  results.push(await compareWords([source, target], readers, onRows));
  return results;
}

type Readers = readonly [source: MovedReader, target: MovedReader];

async function compareTable(
  readers: Readers,
  table: MovedTable,
  onRows: (count: number) => void,
): Promise<Comparison> {
  const [source, target] = readers.map((reader) => new RowStream(reader.readPages(table))) as [
    RowStream,
    RowStream,
  ];
  let different = 0;
  for (;;) {
    const [left, right] = [source.row ?? (await source.fill()), target.row ?? (await target.fill())];
    if (left === undefined && right === undefined) break;
    const order = compareKeys(table, left, right);
    if (order !== 0 || !isSameRow(left as Row, right as Row)) different += 1;
    if (order <= 0) {
      source.next();
      onRows(1);
    }
    if (order >= 0) target.next();
  }
  return { table: table.name, source: source.count, target: target.count, different };
}

/** The rows of a table, page by page. Awaiting every row would take longer than comparing them. */
class RowStream {
  count = 0;
  row: Row | undefined;
  readonly #pages: AsyncGenerator<Row[]>;
  #page: readonly Row[] = [];
  #at = 0;

  constructor(pages: AsyncGenerator<Row[]>) {
    this.#pages = pages;
  }

  /** Goes to the next row of the page. */
  next(): void {
    this.count += 1;
    this.#at += 1;
    this.row = this.#page[this.#at];
  }

  /** Returns the first row of the next page that has one. */
  async fill(): Promise<Row | undefined> {
    while (this.row === undefined) {
      const { value, done } = await this.#pages.next();
      if (done === true) return undefined;
      [this.#page, this.#at] = [value, 0];
      this.row = value[0];
    }
    return this.row;
  }
}

/** Orders rows as they are read. A missing row comes last. */
function compareKeys(table: MovedTable, left: Row | undefined, right: Row | undefined): number {
  if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
  const other = keyOf(table, right);
  for (const [at, value] of keyOf(table, left).entries()) {
    const order = compareValues(value, other[at] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

function isSameRow(left: Row, right: Row): boolean {
  return left.length === right.length && left.every((value, at) => isSame(value, right[at] ?? null));
}

/** A large integer may be stored as an integer or as a float: both engines compare them as numbers. */
function isSame(left: Value, right: Value): boolean {
  return left === right || (typeof left !== typeof right && compareValues(left, right) === 0);
}

async function compareWords(
  sides: readonly [TableReader, TableReader],
  readers: Readers,
  onRows: (count: number) => void,
): Promise<Comparison> {
  const [source, target] = [new WordDigest(), new WordDigest()];
  await sides[0].digestWords(source, readers[0].streamIds, () => onRows(1));
  await sides[1].digestWords(target, readers[1].streamIds, () => {});
  const isEqual = String(source) === String(target) && source.positions === target.positions;
  const missing = Math.abs(source.positions - target.positions);
  return {
    table: 'word index',
    source: source.positions,
    target: target.positions,
    different: isEqual ? 0 : Math.max(1, missing),
  };
}
