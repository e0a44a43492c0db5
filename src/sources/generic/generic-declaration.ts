import type { ColumnReading } from '../../import/guess/column-profile.ts';
import { nameFields, openGuessScratch, StreamGuess } from '../../import/guess/guess-stream.ts';
import type { ImportOptions, InputFile } from '../../import/importer.ts';
import type { SourceDeclaration } from '../../schema-index/declaration.ts';
import { declareSource } from '../declare.ts';
import type { AnyTable, AnyTables } from './generic-rows.ts';

export interface GuessedFile {
  readonly declaration: SourceDeclaration;
  readonly notes: readonly string[];
  /** By stream, then by column. */
  readonly readings: ReadonlyMap<string, ReadonlyMap<string, ColumnReading>>;
}

const MAX_STREAMS = 200;

export async function declareGeneric(
  file: InputFile,
  { tables, pieces }: AnyTables,
  options: ImportOptions,
): Promise<GuessedFile> {
  const title = file.path.split('/').at(-1) as string;
  const names = nameStreams(tables);
  const scratch = openGuessScratch();
  try {
    const guesses = new Map([...names.keys()].map((table, at) => [table, new StreamGuess(scratch, at)]));
    const skippedRows = new Map<AnyTable, number>();
    for await (const piece of pieces()) {
      for (const one of piece) {
        if (one.kind !== 'row') continue;
        const guess = guesses.get(one.table);
        if (guess === undefined) skippedRows.set(one.table, (skippedRows.get(one.table) ?? 0) + 1);
        else guess.add(one.row);
      }
    }
    const filled = [...guesses].filter(([, { rows }]) => rows > 0);
    const shown = filled.length > 0 ? filled : [...guesses].slice(0, 1);
    const guessed = shown.map(([table, guess]) => {
      const label = tables.length === 1 ? title : `${title}: ${table.name}`;
      return guess.describe(names.get(table) as string, label.slice(0, 200), options, table);
    });
    const skippedNotes = [...skippedRows].map(
      ([{ name }, rows]) =>
        `${title}: ${name.slice(0, 100)}: ${rows} rows skipped; a file can have at most ${MAX_STREAMS} lists`,
    );
    return {
      declaration: declareSource(
        makeKey(title),
        title.slice(0, 200),
        guessed.map(({ stream }) => stream),
      ),
      notes: [...skippedNotes, ...guessed.flatMap(({ notes, rows }) => (rows > 0 ? notes : []))],
      readings: new Map(guessed.map(({ stream, readings }) => [stream.name, readings])),
    };
  } finally {
    scratch.close();
  }
}

/** Makes unique stream names that declarations allow. */
export function nameStreams(tables: readonly AnyTable[]): Map<AnyTable, string> {
  const names = nameFields(tables.map(({ name }) => name));
  return new Map(
    tables.slice(0, MAX_STREAMS).map((table, index) => {
      const plain = (names.get(table.name) as string).replace(/[^a-z0-9_]/g, '');
      return [table, /^[a-z]/.test(plain) ? plain : `table_${index + 1}`];
    }),
  );
}

/** A file with the same name is the same source. */
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
