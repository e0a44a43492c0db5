import type { ImportItem, InputFile } from '../../import/importer.ts';
import { openTable } from '../../import/read/read-table.ts';
import { sniffTable } from '../../import/read/sniff-table.ts';
import type { JsonObject } from '../values/json.ts';
import { readEach } from './import-items.ts';
import type { FileProbe } from './recognise-files.ts';

export interface TableKind {
  /** Required columns, in lower case. */
  readonly columns: readonly string[];
  /** A pattern of the path, if the columns alone are not specific. */
  readonly path?: RegExp;
}

export type Row = Readonly<Record<string, string>>;

const isHeaderOf = (kind: TableKind, cells: readonly string[]) => {
  const names = new Set(cells.map((cell) => cell.trim().toLowerCase()));
  return kind.columns.every((column) => names.has(column));
};

/** Returns the kind with the most columns that are all present. */
export function detectTable<Kind extends string>(
  { text, path }: FileProbe,
  kinds: Readonly<Record<Kind, TableKind>>,
): Kind | undefined {
  if (/^\s*[[{<]/.test(text)) return undefined;
  const names = (Object.keys(kinds) as Kind[]).sort(
    (a, b) => kinds[b].columns.length - kinds[a].columns.length,
  );
  const fitting = names.filter((name) => kinds[name].path?.test(path) ?? true);
  const found = sniffTable(text, {
    isHeader: (cells) => fitting.some((name) => isHeaderOf(kinds[name], cells)),
  });
  return found === undefined ? undefined : fitting.find((name) => isHeaderOf(kinds[name], found.header));
}

/** Reads rows by lower-case column name, without empty cells. */
export async function* readTable(
  file: InputFile,
  kind: TableKind,
): AsyncGenerator<{ kind: 'row'; row: Row; place: string } | Extract<ImportItem, { kind: 'problem' }>> {
  const table = await openTable(file, {
    isHeader: (cells) => isHeaderOf(kind, cells),
    ...(kind.columns.length === 1 ? { delimiter: ',' } : {}),
  });
  if (table === undefined) return;
  yield* readEach(file, table.rows(), function* (row) {
    const cells = Object.entries(row.values).filter(([, value]) => value.trim() !== '');
    const named: JsonObject = Object.fromEntries(cells.map(([name, value]) => [name.toLowerCase(), value]));
    yield { kind: 'row', row: named as Row, place: `line ${row.line}` };
  });
}
