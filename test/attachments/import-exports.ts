import { expect, onTestFinished } from 'vitest';
import type { Importer, InputFile } from '../../src/import/importer.ts';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { type RunOptions, runImport } from '../../src/import/run-import.ts';
import { makeInputFile } from '../support/input-file.ts';
import { createWorld, NOW, type World } from '../support/world.ts';
import { readCorpus } from './make-mail.ts';

const corpus = readCorpus();

/** The bytes of a file of the corpus. */
export const readSample = (name: string): Buffer =>
  corpus.find((sample) => sample.name === name)?.bytes as Buffer;

export const letter = readSample('letter-german.pdf');

/** A word that only the German letter has. */
const WORD = 'Grundstücksverkehrsgenehmigung';

/** Contents by path. */
export type Files = Readonly<Record<string, string | Buffer | InputFile>>;

export interface Attachment extends Record<string, unknown> {
  readonly id: string;
  readonly name: string;
  readonly text?: string;
  readonly text_status: string;
}

export async function setUp(): Promise<World> {
  const world = await createWorld();
  onTestFinished(() => world.close());
  return world;
}

let clock = NOW.getTime();

export async function importFiles(
  world: World,
  importer: Importer,
  files: Files,
  run: Partial<RunOptions> = {},
) {
  const inputs = Object.entries(files).map(([path, content]) =>
    typeof content === 'string' || Buffer.isBuffer(content) ? makeInputFile(path, content) : content,
  );
  const { found } = await recogniseInputs([importer], inputs);
  clock += 1_000;
  const at = new Date(clock);
  const { report } = await runImport(world.store, found[0] as (typeof found)[0], {
    ...{ options: { timeZone: 'UTC' }, now: () => at },
    ...run,
  });
  return report;
}

export function listRecords(world: World, stream: string): Attachment[] {
  const rows = world.store.read.raw
    .prepare('select data from records join streams using (stream_id) where stream = ? order by key')
    .all(stream) as { data: string }[];
  return rows.map(({ data }) => JSON.parse(data) as Attachment);
}

/** Imports files and returns the records of attached files. Checks that a dry run and a second import agree. */
export async function importAttachments(importer: Importer, files: Files): Promise<Attachment[]> {
  const world = await setUp();
  const foretold = await importFiles(world, importer, files, { dryRun: true });
  const report = await importFiles(world, importer, files);
  expect(report.problems).toEqual([]);
  expect(foretold.streams).toEqual(report.streams);
  const records = listRecords(world, 'attachments');
  const again = await importFiles(world, importer, files);
  for (const counts of Object.values(again.streams)) expect(counts).toMatchObject({ new: 0, changed: 0 });
  expect(listRecords(world, 'attachments')).toEqual(records);
  return records;
}

/** Imports files that include the German letter, and checks that an app finds it by its text and reaches its parent. */
export async function checkLetter(importer: Importer, files: Files, stream: string, name = 'Brief.pdf') {
  const world = await setUp();
  const { connection_id, streams } = await importFiles(world, importer, files);
  expect(streams.attachments).toEqual({ new: 1, changed: 0, same: 0, skipped: 0 });
  const { token } = await world.grant([
    { connection_id, stream: 'attachments' },
    { connection_id, stream },
  ]);
  const found = await world.call(token, 'search', { query: WORD });
  expect(JSON.stringify(found.structuredContent)).toContain(name);
  const read = await world.call(token, 'query_records', {
    stream,
    connection_id,
    expand: ['attached_files'],
  });
  expect(JSON.stringify(read.structuredContent)).toContain(`"name":"${name}"`);
}
