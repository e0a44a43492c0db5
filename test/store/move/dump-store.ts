import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Tables that SQLite keeps for itself, and what each run of a server writes. */
const LEFT_OUT = /^(sqlite_stat|texts|words$)/;
const queries: Readonly<Record<string, string>> = {
  // Words of the same text in the same order, whatever their numbers.
  lexicon: 'select word from lexicon order by word',
  large_pieces:
    'select seq, field, start, shown_start, lines, text from large_pieces order by seq, field, start',
  places: 'select term, doc, col, offset from places order by term, doc, col, offset',
  settings: `select name, value from settings where name not in ('folder_mark') order by name`,
};

/** Every row of every table of a folder, read without any code of the move. */
export function dumpStore(directory: string): Record<string, unknown[]> {
  const dump: Record<string, unknown[]> = {};
  for (const file of ['store.sqlite', 'audit.sqlite']) {
    const database = new Database(join(directory, file), { readonly: true });
    const names = database.prepare(`select name from sqlite_master where type = 'table'`).pluck().all();
    for (const name of (names as string[]).filter((one) => !LEFT_OUT.test(one))) {
      const rows = database
        .prepare(queries[name] ?? `select * from ${name}`)
        .safeIntegers()
        .raw()
        .all() as unknown[][];
      dump[`${file} ${name}`] = rows.map((row) => row.map(toNumber));
    }
    database.close();
  }
  return dump;
}

/** An integer and a float of the same value are the same to SQLite, and so are both zeros. */
function toNumber(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value !== 'number' || !Number.isInteger(value)) return value;
  return Number.isSafeInteger(value) ? value + 0 : BigInt(value);
}
