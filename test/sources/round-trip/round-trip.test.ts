import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { openInputs } from '../../../src/import/open/open-inputs.ts';
import { recogniseInputs } from '../../../src/import/recognise.ts';
import { runImport } from '../../../src/import/run-import.ts';
import { loadCatalog } from '../../../src/schema-index/catalog.ts';
import { importers } from '../../../src/sources/importers.ts';
import { readAnswer } from '../../support/answers.ts';
import { useWorld } from '../../support/use-world.ts';
import { createWorld, NOW } from '../../support/world.ts';
import { ledgerQuestions } from './ledger-questions.ts';
import { lifeQuestions } from './life-questions.ts';
import { listQuestions } from './list-questions.ts';
import { noteQuestions } from './note-questions.ts';
import { playQuestions } from './play-questions.ts';
import { socialQuestions } from './social-questions.ts';
import { talkQuestions } from './talk-questions.ts';

/** Every format brought in as a person brings it in, into one store, and asked through the five tools. */
const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));
const all = [
  ...talkQuestions,
  ...lifeQuestions,
  ...ledgerQuestions,
  ...listQuestions,
  ...playQuestions,
  ...socialQuestions,
  ...noteQuestions,
];
const world = await useWorld(createWorld({ timeZone: 'Europe/Berlin' }));
let token = '';

const nameConnection = (given: string) => given.replace('/', '-');
const ask = async (tool: string, args: object) => readAnswer(await world.call(token, tool, args));

/** What schema says of a stream; a field can do what its type can, but for what is said of itself. */
async function describeStream(stream: string, connection_id: string) {
  const { data } = await ask('schema', { stream, connection_id });
  const [{ fields, connections, description, unused_fields = [] }] = data.sources;
  const types = Object.entries(data.types as Record<string, object>);
  const field = (name: string) => {
    const own = fields.find((one: { name: string }) => one.name === name);
    return { ...types.find(([names]) => names.split(', ').includes(own?.type))?.[1], ...own };
  };
  return { field, description, records: connections[0].records, unused: unused_fields as string[] };
}

beforeAll(async () => {
  for (const { given } of all) {
    const opened = await openInputs([FIXTURES + given]);
    const { found } = await recogniseInputs(importers, opened.files);
    expect(found.map(({ importer }) => importer.format)).toEqual(found.map(() => given.split('/')[0]));
    const run = {
      options: { timeZone: 'Europe/Berlin' },
      connectionId: nameConnection(given),
      now: () => NOW,
    };
    for (const one of found) await runImport(world.store, one, run);
    opened.close();
  }
  const { streams } = await loadCatalog(world.store.read);
  ({ token } = await world.grant(
    streams.map(({ connection, name, declaration }) => ({
      connection_id: connection.connection_id,
      stream: name,
      fields: Object.keys(declaration.schema.properties as object),
    })),
  ));
});

it('asks every format', () => {
  const asked = new Set(all.map(({ given }) => given.split('/')[0]));
  expect(importers.map(({ format }) => format).filter((format) => !asked.has(format))).toEqual([]);
});

describe.each(all)('$given', ({ given, perMonth, last, phrase, total }) => {
  const connection_id = nameConnection(given);

  it('describes its fields in the schema', async () => {
    const counted = await describeStream(perMonth.stream, connection_id);
    expect(counted.records).toBeGreaterThan(0);
    expect(counted.description).toMatch(/\w/);
    if (Object.keys(perMonth.months).length === 0) expect(counted.unused).toContain(perMonth.by);
    else expect(counted.field(perMonth.by)).toMatchObject({ group: true });
    const asked = await describeStream(last.stream, connection_id);
    for (const name of Object.keys(last.of))
      expect(asked.field(name)).toMatchObject({ filter: expect.any(String) });
  });

  it('counts by month', async () => {
    const { stream, by, months } = perMonth;
    const answer = await ask('aggregate', { stream, connection_id, group_by: [by], interval: 'month' });
    const counted = answer.data.groups.map((one: Record<string, unknown>) => [
      String(one[by]).slice(0, 7),
      one.value,
    ]);
    expect(Object.fromEntries(counted)).toEqual(months);
  });

  it('returns the last item of a person', async () => {
    const answer = await ask('query_records', {
      stream: last.stream,
      connection_id,
      filter: last.of,
      limit: 1,
    });
    expect(answer.data[0]?.record).toMatchObject(last.shows);
  });

  it('finds a phrase and fetches its record', async () => {
    const found = await ask('search', { query: phrase.words, connection_id });
    const hit = found.results[0];
    expect(hit?.id.split('/')[1]).toBe(phrase.stream);
    const document = await ask('fetch', { id: hit.id });
    for (const words of phrase.document) expect(document.text).toContain(words);
  });

  it('aggregates all records', async () => {
    const { is, ...asked } = total;
    expect((await ask('aggregate', { ...asked, connection_id })).data.total).toBe(is);
  });
});
