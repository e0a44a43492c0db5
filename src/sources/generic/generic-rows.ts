import type { AnyRow } from '../../import/guess/guess-stream.ts';
import type { InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { parseExactJson } from '../../import/read/exact-json.ts';
import { MAX_COLUMNS, openTable } from '../../import/read/read-table.ts';
import { openDatabaseTables } from './generic-database.ts';
import { holdsJsonTable, openJsonLines, openJsonTables } from './generic-json.ts';
import { looksLikeTable } from './looks-like-table.ts';

export type ReadRow =
  | { readonly kind: 'row'; readonly table: AnyTable; readonly place: string; readonly row: AnyRow }
  | { readonly kind: 'problem'; readonly place: string; readonly reason: string };

/** One table of a file, under a name. */
export interface AnyTable {
  readonly name: string;
  /** Columns that the file itself says are the key. */
  readonly key?: readonly string[];
  /** Columns that name another row, to which several of these may belong: none of them is a key. */
  readonly outer?: ReadonlySet<string>;
  /** Columns that hold anything: they are text, whatever they hold this time. */
  readonly texts?: readonly string[];
}

/** All tables of a file. */
export interface AnyTables {
  readonly tables: readonly AnyTable[];
  /** The rows of all of them, some at a time, in the order of the file. */
  pieces(): AsyncIterable<readonly ReadRow[]>;
}

export type AnyShape = 'csv' | 'json' | 'jsonl' | 'sqlite';

/** What kind of file it is, by its first bytes. */
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
      return openDatabaseTables(await file.onDisk());
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
        reason: `have more than ${MAX_COLUMNS} columns; the others were left out`,
      },
    ];
  for await (const piece of table.pieces())
    yield piece.map((row) =>
      row.kind === 'problem' ? row : { kind: 'row', table: own, place: `line ${row.line}`, row: row.values },
    );
}
