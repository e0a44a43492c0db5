import type { ColumnReading } from '../import/guess/column-profile.ts';
import { type GuessedStream, guessStream, nameFields } from '../import/guess/guess-stream.ts';
import type { ImportOptions, InputFile } from '../import/importer.ts';
import type { SourceDeclaration } from '../schema-index/declaration.ts';
import { declareSource } from './declare.ts';
import { type AnyTable, findShape, openTables } from './generic/generic-rows.ts';

export interface GuessedFile {
  readonly declaration: SourceDeclaration;
  readonly notes: readonly string[];
  /** By stream, then by column. */
  readonly readings: ReadonlyMap<string, ReadonlyMap<string, ColumnReading>>;
}

/** What a file of any kind offers, guessed from all its rows. */
export async function declareGeneric(file: InputFile, options: ImportOptions): Promise<GuessedFile> {
  const shape = await findShape(file);
  const tables = shape === undefined ? [] : await openTables(file, shape);
  const title = file.path.split('/').at(-1) as string;
  const guessed: GuessedStream[] = [];
  for (const [table, name] of nameStreams(tables)) {
    const label = tables.length === 1 ? title : `${title}: ${table.name}`;
    const about = { ...options, ...(table.key === undefined ? {} : { key: table.key }) };
    guessed.push(await guessStream(name, label.slice(0, 200), takeRows(table), about));
  }
  const filled = guessed.filter(({ rows }) => rows > 0);
  const streams = (filled.length > 0 ? filled : guessed).map(({ stream }) => stream);
  return {
    declaration: declareSource(makeKey(title), title.slice(0, 200), streams),
    notes: filled.flatMap(({ notes }) => notes),
    readings: new Map(filled.map(({ stream, readings }) => [stream.name, readings])),
  };
}

/** Stream names as declarations allow them, each once. */
export function nameStreams(tables: readonly AnyTable[]): Map<AnyTable, string> {
  const names = nameFields(tables.map(({ name }) => name));
  return new Map(
    tables.slice(0, 200).map((table, index) => {
      const plain = (names.get(table.name) as string).replace(/[^a-z0-9_]/g, '');
      return [table, /^[a-z]/.test(plain) ? plain : `table_${index + 1}`];
    }),
  );
}

/** The same file name is the same source again. */
function makeKey(title: string): string {
  const plain = title
    .toLowerCase()
    .normalize('NFD')
    .replace(/\.(csv|tsv|txt|json|jsonl|ndjson|db|sqlite3?)$/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return `file-${plain || 'data'}`;
}

async function* takeRows(table: AnyTable) {
  for await (const piece of table.pieces())
    yield piece.flatMap((one) => (one.kind === 'row' ? [one.row] : []));
}
