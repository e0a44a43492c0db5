import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Importer, ImportItem, InputFile, Recognised } from '../../../src/import/importer.ts';
import { runImport } from '../../../src/import/run-import.ts';
import { type CheckedDeclaration, checkDeclaration } from '../../../src/schema-index/check-declaration.ts';
import { setTimeZone } from '../../../src/schema-index/edit-catalog.ts';
import { importers } from '../../../src/sources/importers.ts';
import { openStore } from '../../../src/store/sqlite/open-store.ts';
import { collect, listInputPaths, makeInputFile } from '../../support/input-file.ts';
import { makeFolder } from '../../support/temp-folder.ts';
import { changeObjects, createDice, flipBytes } from './damage.ts';

/**
 * What every importer keeps to, over its fixtures: `fixtures/<format>/<case>/` is one thing that is given. A new
 * importer needs a line in the list and a case; nothing here.
 */
const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));
const options = { timeZone: 'Europe/Berlin' };
const ROUNDS = 100;
const PARTS = 4;

const KINDS = ['record', 'problem', 'note', 'self'];
const LONGEST_REASON = 300;
const ZONED = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/;

type Contents = ReadonlyMap<string, Uint8Array>;

function readCases(format: string): [string, Contents][] {
  const folder = join(FIXTURES, format);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => {
    const root = join(folder, name);
    const files = listInputPaths(root).map(
      (path) => [`${name}/${path}`, readFileSync(join(root, path))] as const,
    );
    return [name, new Map(files)];
  });
}

const give = (contents: Contents): InputFile[] =>
  [...contents].map(([path, bytes]) => makeInputFile(path, bytes, 777));

/** Reads whatever is recognised to its end. What it yields must have the form, whatever the bytes are. */
async function survive(importer: Importer, contents: Contents): Promise<void> {
  const yielded: ImportItem[] = [];
  for (const recognised of await importer.recognise(give(contents))) {
    checkDeclaration(await importer.declare(recognised, options));
    for await (const item of importer.read(recognised, options)) yielded.push(item);
  }
  const strays = yielded.filter(
    (item) => !KINDS.includes(item.kind) || (item.kind === 'problem' && item.reason.length >= LONGEST_REASON),
  );
  expect(strays).toEqual([]);
}

/** Changes one file of a case, each round another way. */
async function damage(
  importer: Importer,
  cases: readonly [string, Contents][],
  change: (bytes: Uint8Array, dice: (sides: number) => number) => Uint8Array,
): Promise<void> {
  const dice = createDice(7);
  for (let round = 0; round < ROUNDS; round++) {
    const [name, contents] = cases[round % cases.length] as [string, Contents];
    const paths = [...contents.keys()];
    const path = paths[dice(paths.length)] as string;
    const changed = change(contents.get(path) as Uint8Array, dice);
    const failed = await survive(importer, new Map([...contents, [path, changed]])).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failed, `round ${round}: ${name}, ${path}`).toBeUndefined();
  }
}

/** Times that do not say at which clock, among all that is read. */
async function listUnzoned(
  importer: Importer,
  recognised: Recognised,
  { streams }: CheckedDeclaration,
): Promise<unknown[]> {
  const times = new Map(
    streams.map(({ name, schema }) => {
      const properties = schema.properties as Record<string, { format?: string }>;
      return [name, Object.keys(properties).filter((field) => properties[field]?.format === 'date-time')];
    }),
  );
  const found: unknown[] = [];
  for await (const item of importer.read(recognised, options)) {
    if (item.kind !== 'record') continue;
    const values = (times.get(item.stream) ?? []).map((field) => item.data[field] ?? undefined);
    found.push(...values.filter((value) => value !== undefined && !ZONED.test(String(value))));
  }
  return found;
}

/** Every fourth importer, from the given one on: together the parts are the whole list, and share the work. */
export function describePart(part: number): void {
  const mine = importers.filter((_, at) => at % PARTS === part);
  describe.each(mine.map((importer) => [importer.format, importer] as const))('%s', describeImporter);
}

function describeImporter(format: string, importer: Importer): void {
  const cases = readCases(format);

  it('has fixtures, words for people and a guide', () => {
    expect(cases.length).toBeGreaterThan(0);
    expect(format).toMatch(/^[a-z][a-z0-9-]*$/);
    expect(importer.title.length).toBeGreaterThan(3);
    expect(importer.guide.steps.length).toBeGreaterThan(0);
  });

  it.each(cases)(
    'brings %s in once: declared, keyed, with zones, and the same again changes nothing',
    async (_, contents) => {
      const store = await openStore(makeFolder());
      try {
        await setTimeZone(store.write, options.timeZone);
        const recognised = await importer.recognise(give(contents));
        expect(recognised.length).toBeGreaterThan(0);
        for (const one of recognised) {
          const declaration = checkDeclaration(await importer.declare(one, options));
          const run = { options, now: () => new Date() };
          const foretold = await runImport(store, { importer, recognised: one }, { ...run, dryRun: true });
          const first = await runImport(store, { importer, recognised: one }, run);
          const totals = Object.values(first.report.streams);
          expect(totals.length).toBeGreaterThan(0);
          expect(foretold.report.streams).toEqual(first.report.streams);
          expect(
            totals.reduce((sum, { skipped }) => sum + skipped, 0),
            JSON.stringify(first.report.problems),
          ).toBe(0);
          // Keys are unique where the export names each item once; a key that comes again is told as same or changed.
          const second = await runImport(store, { importer, recognised: one }, run);
          for (const [name, counts] of Object.entries(second.report.streams)) {
            expect({ name, new: counts.new, changed: counts.changed }).toEqual({ name, new: 0, changed: 0 });
          }
          expect(await listUnzoned(importer, one, declaration)).toEqual([]);
        }
      } finally {
        store.close();
      }
    },
  );

  it('survives files truncated anywhere', { timeout: 120_000 }, async () => {
    await damage(importer, cases, (bytes, dice) => bytes.subarray(0, dice(bytes.length + 1)));
  });

  it('survives flipped bytes', { timeout: 120_000 }, async () => {
    await damage(importer, cases, flipBytes);
  });

  it('reads JSON with keys in another order, and ignores unknown fields', async () => {
    for (const [, contents] of cases) {
      const before = await collect(importer, give(contents), options);
      const reversed = mapJson(contents, (object) => Object.fromEntries(Object.entries(object).reverse()));
      const after = await collect(importer, give(reversed), options);
      expect(Object.keys(after.records).sort()).toEqual(Object.keys(before.records).sort());
      for (const [stream, records] of Object.entries(before.records))
        expect(after.records[stream]).toHaveLength(records.length);
      const extended = mapJson(contents, (object) => ({ ...object, zz_unknown: { a: [1] } }));
      const more = await collect(importer, give(extended), options);
      for (const [stream, records] of Object.entries(before.records))
        expect(more.records[stream]?.length ?? 0).toBeGreaterThanOrEqual(records.length);
    }
  });

  it('ignores other content under its file names', async () => {
    const others = [
      '',
      '[]',
      '{}',
      'null',
      '<html><body>hello</body></html>',
      'a,b\n1,2\n',
      '\u0000\u0001\u0002',
    ];
    for (const [, contents] of cases) {
      for (const other of others) {
        const swapped = new Map([...contents.keys()].map((path) => [path, Buffer.from(other)]));
        const recognised = await importer.recognise(give(swapped));
        expect(recognised.filter(({ certainty }) => certainty === 'certain')).toEqual([]);
        await survive(importer, swapped);
      }
    }
  });
}

/** The JSON files of a case with all their objects changed. Files with numbers that would be rounded stay. */
function mapJson(
  contents: Contents,
  change: (object: Record<string, unknown>) => Record<string, unknown>,
): Contents {
  return new Map(
    [...contents].map(([path, bytes]) => {
      const text = Buffer.from(bytes).toString('utf8');
      try {
        if (/\d{16}/.test(text)) return [path, bytes];
        return [path, Buffer.from(JSON.stringify(changeObjects(JSON.parse(text), change)))];
      } catch {
        return [path, bytes];
      }
    }),
  );
}
