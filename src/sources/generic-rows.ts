import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import type { AnyRow } from '../import/guess/guess-stream.ts';
import type { InputFile } from '../import/importer.ts';
import { peekText } from '../import/read/decode-text.ts';
import { parseExactJson } from '../import/read/exact-json.ts';
import { readJsonElements } from '../import/read/read-json.ts';
import { readTextLines } from '../import/read/read-lines.ts';
import { openTable } from '../import/read/read-table.ts';

export type ReadRow =
  | { readonly kind: 'row'; readonly place: string; readonly row: AnyRow }
  | { readonly kind: 'problem'; readonly place: string; readonly reason: string };

/** One table of a file, under a name. */
export interface AnyTable {
  readonly name: string;
  /** Columns that the file itself says are the key. */
  readonly key?: readonly string[];
  rows(): AsyncIterable<ReadRow>;
}

export type AnyShape = 'csv' | 'json' | 'jsonl' | 'sqlite';

/** What kind of file it is, by its first bytes. */
export async function findShape(file: InputFile): Promise<AnyShape | undefined> {
  const head = await file.head();
  if (Buffer.from(head.subarray(0, 15)).toString('latin1') === 'SQLite format 3')
    return (await openTables(file, 'sqlite')).length > 0 ? 'sqlite' : undefined;
  if (head.length === 0 || head.subarray(0, 512).includes(0)) {
    const text = head.length === 0 ? '' : await peekText(file);
    if (text === '' || text.includes('\0')) return undefined;
  }
  const text = (await peekText(file)).trimStart();
  const first = text.split('\n', 1)[0] ?? '';
  if (/^\{.*\}\s*$/.test(first) && parseExactJson(first).kind === 'value' && text.trim() !== first.trim())
    return 'jsonl';
  if (/^[[{]/.test(text)) return (await findList(file)) === undefined ? undefined : 'json';
  if (/^</.test(text)) return undefined;
  return (await openTable(file)) === undefined ? undefined : 'csv';
}

export async function openTables(file: InputFile, shape: AnyShape): Promise<AnyTable[]> {
  switch (shape) {
    case 'csv':
      return [{ name: 'rows', rows: () => readTableRows(file) }];
    case 'jsonl':
      return [{ name: 'rows', rows: () => readJsonLines(file) }];
    case 'json': {
      const path = await findList(file);
      return path === undefined ? [] : [{ name: 'rows', rows: () => readJsonRows(file, path) }];
    }
    case 'sqlite':
      return openDatabaseTables(await file.onDisk());
  }
}

async function* readTableRows(file: InputFile): AsyncGenerator<ReadRow> {
  const table = await openTable(file);
  if (table === undefined) return;
  for await (const row of table.rows()) {
    if (row.kind === 'problem') yield row;
    else yield { kind: 'row', place: `line ${row.line}`, row: row.values };
  }
}

async function* readJsonLines(file: InputFile): AsyncGenerator<ReadRow> {
  for await (const { number, text, cut } of readTextLines(file)) {
    if (text.trim() === '') continue;
    const parsed = cut ? undefined : parseExactJson(text);
    if (parsed?.kind === 'value') yield asRow(`line ${number}`, parsed.value);
    else yield { kind: 'problem', place: `line ${number}`, reason: parsed?.reason ?? 'is longer than 16 MB' };
  }
}

async function* readJsonRows(file: InputFile, path: string): AsyncGenerator<ReadRow> {
  let count = 0;
  for await (const element of readJsonElements(file, [path])) {
    count += 1;
    if (element.kind === 'problem') yield element;
    else yield asRow(`item ${count}`, element.value);
  }
}

function asRow(place: string, value: unknown): ReadRow {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject
    ? { kind: 'row', place, row: value as AnyRow }
    : { kind: 'problem', place, reason: 'is not an object with fields' };
}

/** Where the list of objects is: at the top, or under one of the first keys. */
async function findList(file: InputFile): Promise<string | undefined> {
  const text = (await peekText(file)).trimStart();
  if (text.startsWith('[')) return '*';
  const head = await file.head();
  // The beginning must do: nobody has asked yet to go through all of it.
  const beginning = {
    ...file,
    head: async () => head,
    open: () => Readable.from([head]) as AsyncIterable<Uint8Array>,
  };
  for (const depth of ['*.*', '*.*.*', '*.*.*.*']) {
    for await (const element of readJsonElements(beginning, [depth])) {
      if (element.kind === 'problem') continue;
      const { path, value } = element;
      if (typeof path.at(-1) === 'number' && typeof value === 'object' && value !== null)
        return `${path.slice(0, -1).join('.')}.*`;
    }
  }
  return undefined;
}

function openDatabaseTables(location: string): AnyTable[] {
  const names = lookIntoDatabase(location, (database) =>
    (
      database
        .prepare(
          `select name from sqlite_schema where type = 'table' and sql not like 'create virtual%' and name not like 'sqlite\\_%' escape '\\' order by name`,
        )
        .pluck()
        .all() as string[]
    ).map((name) => ({
      name,
      key: (
        database
          .prepare('select name from pragma_table_info(?) where pk > 0 order by pk')
          .pluck()
          .all(name) as string[]
      ).slice(0, 8),
    })),
  );
  return names.map(({ name, key }) => ({
    name,
    ...(key.length === 0 ? {} : { key }),
    rows: () => readDatabaseRows(location, name),
  }));
}

async function* readDatabaseRows(location: string, table: string): AsyncGenerator<ReadRow> {
  const database = openDatabase(location);
  try {
    const statement = database.prepare(`select * from "${table.replaceAll('"', '""')}"`).safeIntegers();
    let count = 0;
    for (const row of statement.iterate() as Iterable<Record<string, unknown>>) {
      count += 1;
      yield { kind: 'row', place: `${table} row ${count}`, row: withoutBytes(row) };
    }
  } catch {
    yield { kind: 'problem', place: table, reason: 'is damaged; what stands after the damage was left out' };
  } finally {
    database.close();
  }
}

/** Whole numbers exact, and no bytes: pictures and the like are not for reading. */
function withoutBytes(row: Record<string, unknown>): AnyRow {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => !(value instanceof Uint8Array))
      .map(([name, value]) => [
        name,
        typeof value === 'bigint'
          ? Number.isSafeInteger(Number(value))
            ? Number(value)
            : String(value)
          : value,
      ]),
  );
}

/** What the work finds, or nothing where the file is no sound database. */
function lookIntoDatabase<T>(location: string, work: (database: Database.Database) => T[]): T[] {
  let database: Database.Database | undefined;
  try {
    database = openDatabase(location);
    return work(database);
  } catch {
    return [];
  } finally {
    database?.close();
  }
}

/** A stranger's database: nothing in it runs, and it is only read. */
function openDatabase(location: string): Database.Database {
  const database = new Database(location, { readonly: true, fileMustExist: true });
  database.pragma('trusted_schema = off');
  database.pragma('cell_size_check = on');
  return database;
}
