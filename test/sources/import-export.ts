import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Importer, ImportItem, ImportOptions, InputFile } from '../../src/import/importer.ts';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import { compileSchema } from '../../src/schema-index/compile-schema.ts';
import { describeFields, isTime } from '../../src/schema-index/field.ts';
import { listInputPaths, makeInputFile } from '../support/input-file.ts';

const FIXTURES = fileURLToPath(new URL('fixtures/', import.meta.url));

/** A fixture as if its folder had been given, in pieces so small that every reader meets values that are cut in two. */
export function fixture(format: string): InputFile[] {
  const folder = join(FIXTURES, format, 'export');
  return listInputPaths(folder).map((path) => ({
    ...makeInputFile(path, readFileSync(join(folder, path)), 1_021),
    diskPath: async () => join(folder, path),
  }));
}

type Data = Record<string, unknown>;

export interface Imported {
  readonly accounts: (string | undefined)[];
  readonly claimed: string[];
  readonly counts: Record<string, number>;
  readonly records: Record<string, Data[]>;
  readonly problems: string[];
  readonly notes: string[];
  readonly self: string[];
}

/** Recognises and reads. Throws where a record does not fit its stream, or two records share a key of the source's. */
export async function importAll(
  importer: Importer,
  files: readonly InputFile[],
  options: ImportOptions = { timeZone: 'Europe/Berlin' },
): Promise<Imported> {
  const recognised = await importer.recognise(files);
  const all: { yielded: ImportItem; check: (yielded: ImportItem) => void }[] = [];
  for (const one of recognised) {
    const check = createCheck(checkDeclaration(await importer.declare(one, options)));
    for await (const yielded of importer.read(one, options)) all.push({ yielded, check });
  }
  const records: Record<string, Data[]> = {};
  for (const { yielded, check } of all) {
    if (yielded.kind !== 'record') continue;
    check(yielded);
    records[yielded.stream] ??= [];
    records[yielded.stream]?.push(JSON.parse(JSON.stringify(yielded.data)) as Data);
  }
  return {
    accounts: recognised.map(({ account }) => account),
    claimed: recognised.flatMap((one) => one.files.map(({ path }) => path)),
    counts: Object.fromEntries(Object.entries(records).map(([stream, list]) => [stream, list.length])),
    records,
    problems: all.flatMap(({ yielded }) =>
      yielded.kind === 'problem' ? [`${yielded.file.path} ${yielded.place ?? ''}: ${yielded.reason}`] : [],
    ),
    notes: all.flatMap(({ yielded }) => (yielded.kind === 'note' ? [yielded.note] : [])),
    self: all.flatMap(({ yielded }) => (yielded.kind === 'self' ? [yielded.value] : [])),
  };
}

function createCheck(declaration: ReturnType<typeof checkDeclaration>): (yielded: ImportItem) => void {
  const streams = new Map(
    declaration.streams.map((stream) => [
      stream.name,
      { stream, fits: compileSchema(stream), fields: describeFields(stream), keys: new Set<string>() },
    ]),
  );
  return (yielded) => {
    if (yielded.kind !== 'record') return;
    const known = streams.get(yielded.stream);
    if (known === undefined) throw new Error(`There is no stream ${yielded.stream}.`);
    const data = JSON.parse(JSON.stringify(yielded.data)) as Data;
    const key = known.stream.primary_key.map((name) => data[name]);
    // The store makes a key where the source has none.
    const required = {
      ...data,
      ...Object.fromEntries(known.stream.primary_key.map((name) => [name, data[name] ?? 'made'])),
    };
    if (!known.fits(required))
      throw new Error(`${yielded.stream}: ${JSON.stringify(known.fits.errors)} ${JSON.stringify(data)}`);
    const undeclared = Object.keys(data).filter((name) => !known.fields.some((field) => field.name === name));
    if (undeclared.length > 0) throw new Error(`${yielded.stream}: ${undeclared} are not declared.`);
    for (const field of known.fields) {
      const value = data[field.name];
      if (
        field.kind === 'date-time' &&
        isTime(field.kind) &&
        typeof value === 'string' &&
        !/Z$|[+-]\d\d:\d\d$/.test(value)
      )
        throw new Error(`${yielded.stream}.${field.name} has no zone.`);
    }
    if (key.every((part) => part !== undefined && part !== null)) {
      const text = JSON.stringify(key);
      if (known.keys.has(text)) throw new Error(`${yielded.stream}: ${text} comes twice.`);
      known.keys.add(text);
    }
  };
}
