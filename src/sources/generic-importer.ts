import { ColumnProfile, type ColumnReading } from '../import/guess/column-profile.ts';
import { createConverter } from '../import/guess/convert-value.ts';
import type { Importer, ImportOptions, InputFile, Recognised, Yielded } from '../import/importer.ts';
import type { StreamDeclaration } from '../schema-index/declaration.ts';
import { type AnyTable, findShape, openTables } from './generic/generic-rows.ts';
import { declareGeneric, type GuessedFile, nameStreams } from './generic-declaration.ts';

/** What was guessed is asked for twice, by who declares and by who reads. */
const guesses = new WeakMap<Recognised, Promise<GuessedFile>>();

export const genericImporter: Importer = {
  format: 'generic',
  title: 'CSV, JSON or SQLite file',
  guide: {
    steps: ['Export or save the data as CSV, TSV, JSON, JSON Lines or as an SQLite database.'],
    waiting: 'none',
    choose: 'A file with a column for the id and one for the time is best.',
  },
  async recognise(files) {
    const found: Recognised[] = [];
    for (const file of files) {
      // What has an ending of its own kind is not looked into: a folder may hold a hundred thousand photos.
      const isOther = /\.(jpe?g|png|gif|heic|mp4|mov|mp3|m4a|opus|ogg|webp|pdf|html?|xml|js|md)$/i.test(
        file.path,
      );
      if (!isOther && (await findShape(file)) !== undefined)
        found.push({ files: [file], certainty: 'fallback' });
    }
    return found;
  },
  async declare(recognised, options) {
    return (await guess(recognised, options)).declaration;
  },
  async *read(recognised, options) {
    const file = recognised.files[0] as InputFile;
    const shape = await findShape(file);
    if (shape === undefined) return;
    const given = options.declaration;
    const guessed = given === undefined ? await guess(recognised, options) : undefined;
    const declaration = guessed?.declaration ?? given;
    for (const note of guessed?.notes ?? []) yield { kind: 'note', file, note };
    for (const [table, name] of nameStreams(await openTables(file, shape))) {
      const stream = declaration?.streams.find((one) => one.name === name);
      if (stream !== undefined) yield* readTable(file, table, stream, options, guessed?.readings.get(name));
    }
  },
};

function guess(recognised: Recognised, options: ImportOptions): Promise<GuessedFile> {
  let known = guesses.get(recognised);
  if (known === undefined) {
    known = declareGeneric(recognised.files[0] as InputFile, options);
    guesses.set(recognised, known);
  }
  return known;
}

async function* readTable(
  file: InputFile,
  table: AnyTable,
  stream: StreamDeclaration,
  options: ImportOptions,
  known: ReadonlyMap<string, ColumnReading> | undefined,
): AsyncGenerator<Yielded> {
  const properties = stream.schema.properties as Record<string, Record<string, unknown>>;
  // A field finds its column by the title; an edited declaration may have renamed the field.
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    column: typeof schema.title === 'string' ? schema.title : name,
  }));
  const readings = known ?? (await findReadings(table, fields, options));
  const { timeZone } = options;
  const converters = fields.map(({ name, schema, column }) => ({
    name,
    column,
    convert: createConverter(schema, { ...readings.get(column), timeZone }),
  }));
  for await (const piece of table.pieces()) {
    for (const item of piece) {
      if (item.kind === 'problem') {
        yield { ...item, file };
        continue;
      }
      const { place } = item;
      const data: Record<string, unknown> = {};
      for (const { name, column, convert } of converters) {
        const value = convert(item.row[column]);
        if (value === null)
          yield { kind: 'problem', file, place, reason: `has a ${column} that is not what the others are` };
        else if (value !== undefined) data[name] = value;
      }
      yield { kind: 'record', stream: stream.name, data, place, file };
    }
  }
}

/** For a declaration that was given: it names the kinds of columns, but not how their days and numbers are written. */
async function findReadings(
  table: AnyTable,
  fields: readonly { readonly column: string; readonly schema: Record<string, unknown> }[],
  options: ImportOptions,
): Promise<Map<string, ColumnReading>> {
  const isWritten = (schema: Record<string, unknown>) =>
    schema.format !== undefined || [schema.type].flat().includes('number');
  const profiles = new Map(
    fields.filter(({ schema }) => isWritten(schema)).map(({ column }) => [column, new ColumnProfile(false)]),
  );
  if (profiles.size === 0) return new Map();
  for await (const piece of table.pieces())
    for (const item of piece)
      if (item.kind === 'row') for (const [column, profile] of profiles) profile.see(item.row[column]);
  return new Map([...profiles].map(([column, profile]) => [column, profile.reading(options)]));
}
