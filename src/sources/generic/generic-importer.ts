import { ColumnProfile, type ColumnReading } from '../../import/guess/column-profile.ts';
import { createConverter } from '../../import/guess/convert-value.ts';
import type { AnyRow } from '../../import/guess/guess-stream.ts';
import type { Importer, ImportItem, ImportOptions, InputFile, Recognised } from '../../import/importer.ts';
import type { SourceDeclaration, StreamDeclaration } from '../../schema-index/declaration.ts';
import { makeNote, makeProblem, makeRecord } from '../files/import-items.ts';
import { declareGeneric, type GuessedFile, nameStreams } from './generic-declaration.ts';
import { type AnyTable, type AnyTables, findShape, openTables } from './generic-rows.ts';

/** Tables are found and guessed once per file, because declaring and reading both need them. */
const tablesOf = new WeakMap<Recognised, Promise<AnyTables>>();
const guesses = new WeakMap<Recognised, Promise<GuessedFile>>();

/**
 * Extensions of files without rows: media, pages, programs and their settings. They are not opened: a folder may
 * hold a hundred thousand photos.
 */
const OTHER_KIND =
  /\.(?:jpe?g|png|gif|heic|heif|webp|svg|ico|bmp|tiff?|mp4|mov|avi|mkv|webm|3gp|mp3|m4a|aac|wav|flac|opus|ogg|amr|pdf|docx?|pptx?|epub|ttf|otf|woff2?|html?|xml|xsl|js|mjs|cjs|jsx|ts|tsx|vue|svelte|css|scss|less|map|md|rst|tex|bib|py|rb|go|rs|c|h|cc|cpp|hpp|cs|java|kt|swift|m|php|pl|lua|r|sh|bash|zsh|fish|ps1|bat|cmd|sql|ya?ml|toml|ini|cfg|conf|env|properties|lock|gradle|patch|diff|pem|crt|cer|key|pub|asc|srt|vtt|lrc|ass|log|exe|dll|so|dylib|class|jar|wasm|bin)$/i;

export const genericImporter: Importer = {
  format: 'generic',
  title: 'CSV, JSON or SQLite file',
  isGuessed: true,
  guide: {
    steps: ['Export or save the data as CSV, TSV, JSON, JSON Lines or as an SQLite database.'],
    waiting: 'Immediately.',
    choose: 'A file with a column for the id and one for the time is best.',
  },
  async recognise(files) {
    const found: Recognised[] = [];
    for (const file of files) {
      if (!OTHER_KIND.test(file.path) && (await findShape(file)) !== undefined)
        found.push({ files: [file], certainty: 'fallback' });
    }
    return found;
  },
  async declare(recognised, options) {
    return (await guess(recognised, options)).declaration;
  },
  async *read(recognised, options) {
    const file = recognised.files[0] as InputFile;
    const found = await open(recognised);
    const given = options.declaration;
    const guessed = given === undefined ? await guess(recognised, options) : undefined;
    const declaration = guessed?.declaration ?? given;
    for (const note of guessed?.notes ?? []) yield makeNote(file, note);
    const readers = new Map<AnyTable, RowReader>();
    const readings = guessed?.readings ?? (await findReadings(found, declaration, options));
    for (const [table, name] of nameStreams(found.tables)) {
      const stream = declaration?.streams.find((one) => one.name === name);
      if (stream !== undefined)
        readers.set(table, createRowReader(file, stream, options, readings.get(name) ?? new Map()));
    }
    for await (const piece of found.pieces())
      for (const item of piece) {
        if (item.kind === 'problem') yield { ...item, file };
        else yield* readers.get(item.table)?.(item.row, item.place) ?? [];
      }
  },
};

function open(recognised: Recognised): Promise<AnyTables> {
  const known = tablesOf.get(recognised);
  if (known !== undefined) return known;
  const file = recognised.files[0] as InputFile;
  const opened = findShape(file).then((shape) =>
    shape === undefined ? { tables: [], pieces: async function* () {} } : openTables(file, shape),
  );
  tablesOf.set(recognised, opened);
  return opened;
}

function guess(recognised: Recognised, options: ImportOptions): Promise<GuessedFile> {
  let known = guesses.get(recognised);
  if (known === undefined) {
    known = open(recognised).then((tables) =>
      declareGeneric(recognised.files[0] as InputFile, tables, options),
    );
    guesses.set(recognised, known);
  }
  return known;
}

type RowReader = (row: AnyRow, place: string) => Generator<ImportItem>;
type Readings = ReadonlyMap<string, ColumnReading>;

/** A field finds its column by title; an edited declaration may have renamed the field. */
function listFields({ schema }: StreamDeclaration) {
  const properties = schema.properties as Record<string, Record<string, unknown>>;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: property,
    column: typeof property.title === 'string' ? property.title : name,
  }));
}

function createRowReader(
  file: InputFile,
  stream: StreamDeclaration,
  { timeZone }: ImportOptions,
  readings: Readings,
): RowReader {
  const converters = listFields(stream).map(({ name, schema, column }) => ({
    name,
    column,
    convert: createConverter(schema, { ...readings.get(column), timeZone }),
  }));
  return function* (row, place) {
    const data: Record<string, unknown> = {};
    for (const { name, column, convert } of converters) {
      const value = convert(row[column]);
      if (value === null) yield makeProblem(file, `has a ${column} of another type`, place);
      else if (value !== undefined) data[name] = value;
    }
    yield makeRecord(file, stream.name, data, place);
  };
}

/** Detects the date order and decimal mark of columns. An edited declaration has their types only. */
async function findReadings(
  { tables, pieces }: AnyTables,
  declaration: SourceDeclaration | undefined,
  options: ImportOptions,
): Promise<ReadonlyMap<string, Readings>> {
  const isDateOrNumber = (schema: Record<string, unknown>) =>
    schema.format !== undefined || [schema.type].flat().includes('number');
  const names = nameStreams(tables);
  const profiles = new Map<AnyTable, Map<string, ColumnProfile>>();
  for (const [table, name] of names) {
    const stream = declaration?.streams.find((one) => one.name === name);
    const fields =
      stream === undefined ? [] : listFields(stream).filter(({ schema }) => isDateOrNumber(schema));
    if (fields.length > 0)
      profiles.set(table, new Map(fields.map(({ column }) => [column, new ColumnProfile(false)])));
  }
  if (profiles.size === 0) return new Map();
  for await (const piece of pieces())
    for (const item of piece)
      if (item.kind === 'row')
        for (const [column, profile] of profiles.get(item.table) ?? []) profile.add(item.row[column]);
  return new Map(
    [...profiles].map(([table, columns]) => [
      names.get(table) as string,
      new Map([...columns].map(([column, profile]) => [column, profile.reading(options)])),
    ]),
  );
}
