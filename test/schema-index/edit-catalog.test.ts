import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installSource } from '../../src/ingest/install-source.ts';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import type { StreamDeclaration } from '../../src/schema-index/declaration.ts';
import { addConnection, setTimeZone } from '../../src/schema-index/edit-catalog.ts';
import { planSlots } from '../../src/schema-index/slot-plan.ts';
import { SLOT_COUNT } from '../../src/store/scope.ts';
import { diarySource, entry } from '../support/diary-source.ts';
import { countTables } from '../support/fill-store.ts';
import { createWorld, NOW, type World } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
  await world.addSource(diarySource, { mine: 'My diary', other: 'Other diary' });
});
afterEach(() => world.close());

// biome-ignore lint/suspicious/noExplicitAny: tests change copies at will
type Change = (source: any) => void;
const changed = (change: Change) => {
  const copy = structuredClone(diarySource);
  change(copy);
  return copy;
};
const add = async (source: unknown) =>
  (await installSource(world.store.write, checkDeclaration(source), NOW)).outcome;
const planOf = async (connection = 'mine') =>
  (await loadCatalog(world.store.read)).streams.find(
    (one) => one.name === 'entries' && one.connection.connection_id === connection,
  )?.plan;

describe('a newer declaration', () => {
  it('may add streams and fields; no field ever moves', async () => {
    await world.ingest('mine', 'entries', [entry('a', { title: 'old', stars: 3 })]);
    const before = await planOf();
    const newer = changed((source) => {
      const { properties } = source.streams[0].schema;
      // In front of the others, and of the kind that is placed first.
      source.streams[0].schema.properties = {
        aaa_id: { type: 'string' },
        status: { enum: ['x'] },
        ...properties,
      };
      source.streams.push({ ...source.streams[1], name: 'more' });
    });
    expect(await add(newer)).toBe('changed');
    for (const connection of ['mine', 'other']) {
      const after = await planOf(connection);
      expect(after?.slots).toMatchObject(before?.slots ?? {});
      expect(after?.texts).toMatchObject(before?.texts ?? {});
      const places = Object.values(after?.slots ?? {});
      expect(new Set(places).size).toBe(places.length);
      expect(Object.keys(after?.slots ?? {})).toEqual(expect.arrayContaining(['aaa_id', 'status']));
    }
    await world.ingest('mine', 'entries', [entry('b', { title: 'new', stars: 4, aaa_id: 'q' })]);
    const { token } = await world.grant([{ connection_id: 'mine' }]);
    for (const filter of [{ stars: 3 }, { title: 'old' }]) {
      const { structuredContent } = await world.call(token, 'query_records', { stream: 'entries', filter });
      expect(structuredContent.data.map((row: { id: string }) => row.id)).toEqual(['mine/entries/a']);
    }
    expect((await world.call(token, 'query_records', { stream: 'more' })).isError).toBeUndefined();
  });

  it('that declares a field of stored records makes it searchable in them', async () => {
    await world.ingest('mine', 'entries', [
      entry('a', { mood: 'sunny', stars: 1 }),
      entry('b', { mood: 'grey' }),
    ]);
    const newer = changed((source) => {
      source.streams[0].schema.properties.mood = { type: 'string' };
    });
    expect(await add(newer)).toBe('changed');
    const { token } = await world.grant([{ connection_id: 'mine' }]);
    const found = await world.call(token, 'query_records', { stream: 'entries', filter: { mood: 'sunny' } });
    expect(found.structuredContent.data.map((row: { id: string }) => row.id)).toEqual(['mine/entries/a']);
    const hits = await world.call(token, 'search', { query: 'sunny' });
    expect(hits.structuredContent.results.map((hit: { id: string }) => hit.id)).toEqual(['mine/entries/a']);
    expect(countTables(world.store)).toMatchObject({
      records: 2,
      facets: 2,
      days: 2,
      strayTexts: 0,
      strayFacets: 0,
    });
  });

  const refused: [string, string, Change][] = [
    ['a stream is gone', 'streams.members: is gone', (source) => source.streams.pop()],
    [
      'a field is gone',
      'streams.entries.schema.properties.stars: is gone or has another type',
      (source) => delete source.streams[0].schema.properties.stars,
    ],
    [
      'a field has another type',
      'streams.entries.schema.properties.stars: is gone or has another type',
      (source) => Object.assign(source.streams[0].schema.properties.stars, { type: 'string' }),
    ],
    [
      'a field has another format',
      'streams.entries.schema.properties.day: is gone or has another type',
      (source) => Object.assign(source.streams[0].schema.properties.day, { format: 'date-time' }),
    ],
    [
      'the key is another',
      'streams.entries.primary_key: has changed',
      (source) => Object.assign(source.streams[0], { primary_key: ['title'] }),
    ],
    [
      'the time field is another',
      'streams.entries.consent_time_field: has changed',
      (source) => Object.assign(source.streams[0], { consent_time_field: 'day' }),
    ],
  ];
  it.each(refused)('is refused when %s', async (_, problem, change) => {
    const before = (await loadCatalog(world.store.read)).version;
    await expect(add(changed(change))).rejects.toThrow(
      expect.objectContaining({ code: 'conflict', details: { problems: [problem] } }),
    );
    expect((await loadCatalog(world.store.read)).version).toBe(before);
  });

  it('that says the same is the same', async () => {
    expect(await add(diarySource)).toBe('same');
    expect(await add(changed((source) => Object.assign(source, { declaration_version: '2' })))).toBe(
      'changed',
    );
  });
});

describe('a slot plan', () => {
  it('has a limited number of slots; fields without one can be read but not compared', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`f${i}`, { type: 'integer' }]),
    );
    const wide = changed((source) => {
      Object.assign(source, { connector_key: 'wide' });
      source.streams[0].schema.properties = {
        id: { type: 'string' },
        created_at: { type: 'string', format: 'date-time' },
        ...properties,
      };
    });
    const plan = planSlots(wide.streams[0] as unknown as StreamDeclaration);
    expect(Object.keys(plan.slots)).toHaveLength(SLOT_COUNT);
    await world.addSource(wide, { wide: 'Wide' });
    await world.ingest('wide', 'entries', [entry('a', { f0: 1, f39: 7 })]);
    const { token } = await world.grant([{ connection_id: 'wide' }]);
    const read = await world.call(token, 'query_records', { stream: 'entries', filter: { f0: 1 } });
    expect(read.structuredContent.data[0].record).toEqual({ id: 'a', f0: 1, f39: 7 });
    const refusal = await world.call(token, 'query_records', { stream: 'entries', filter: { f39: 7 } });
    expect(refusal.structuredContent.error.code).toBe('unsupported_field');
  });
});

describe('a connection', () => {
  const connect = (connection_id: string, connector_key = 'diary', display_name = 'Name') =>
    addConnection(world.store.write, { connection_id, connector_key, display_name }, NOW);

  it('is new once, renamed afterwards, and never moved to another source', async () => {
    expect(await connect('third')).toBe('new');
    expect(await connect('third', 'diary', 'Renamed')).toBe('same');
    const { connections } = await loadCatalog(world.store.read);
    expect(connections.find((one) => one.connection_id === 'third')?.display_name).toBe('Renamed');
    await world.addSource(
      changed((source) => Object.assign(source, { connector_key: 'second' })),
      {},
    );
    await expect(connect('third', 'second')).rejects.toThrow(expect.objectContaining({ code: 'conflict' }));
  });

  it.each(['', 'Mine', '1st', 'a/b', '__proto__', 'a b', 'x'.repeat(65), 'é'])(
    'is not called "%s"',
    async (id) => {
      await expect(connect(id)).rejects.toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    },
  );

  it('needs a source that exists', async () => {
    await expect(connect('fourth', 'nope')).rejects.toThrow(expect.objectContaining({ code: 'not_found' }));
  });
});

describe('the time zone', () => {
  it('is set once', async () => {
    await setTimeZone(world.store.write, 'Asia/Tokyo');
    expect((await loadCatalog(world.store.read)).timeZone).toBe('UTC');
  });
});
