import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAnswer, readRefusal } from '../support/answers.ts';
import { createNotesWorld, note } from '../support/notes-source.ts';
import { usesFiles } from '../support/stores/engines.ts';
import { queryTables } from '../support/stores/tables.ts';
import { NOW } from '../support/world.ts';

let world: Awaited<ReturnType<typeof createNotesWorld>>;
let berlin: Awaited<ReturnType<typeof createNotesWorld>>;
beforeAll(async () => {
  world = await createNotesWorld();
  berlin = await createNotesWorld({ timeZone: 'Europe/Berlin' });
});
afterAll(() => {
  world.close();
  berlin.close();
});

async function findKeys(filter: object, where = world): Promise<string[]> {
  const { data } = readAnswer(
    await where.call(where.token, 'query_records', { stream: 'notes', filter, fields: ['id'] }),
  );
  return data.map((row: { record: { id: string } }) => row.record.id).sort();
}

describe('a filter', () => {
  it.each<[string, object, string[]]>([
    ['equals text', { author: 'ana' }, ['n1', 'n3']],
    ['is exact about case', { author: 'Ana' }, []],
    ['equals any of a list', { author: ['ana', 'bo'] }, ['n1', 'n2', 'n3']],
    ['equals the one of a list', { author: ['cy'] }, ['n4']],
    ['is not, which what is missing is not either', { stars: { ne: 2 } }, ['n1', 'n4']],
    ['is more', { stars: { gt: 2 } }, ['n1']],
    ['is at least', { stars: { gte: 2 } }, ['n1', 'n2', 'n3']],
    ['is less', { price: { lt: 12.5 } }, ['n2']],
    ['is at most', { price: { lte: 12.5 } }, ['n1', 'n2']],
    ['lies between', { price: { gt: 3, lt: 250.75 } }, ['n1']],
    ['exists', { price: { exists: true } }, ['n1', 'n2', 'n4']],
    ['does not exist', { price: { exists: false } }, ['n3']],
    ['is null', { price: null }, ['n3']],
    ['is not null', { price: { ne: null } }, ['n1', 'n2', 'n4']],
    ['is true', { pinned: true }, ['n1']],
    ['is false', { pinned: false }, ['n2']],
    ['is not true', { pinned: { ne: true } }, ['n2', 'n3', 'n4']],
    ['contains', { tags: 'to do' }, ['n1', 'n2']],
    ['contains any of', { tags: ['travel', 'nothing'] }, ['n1']],
    ['does not contain', { tags: { ne: 'travel' } }, ['n2', 'n3', 'n4']],
    ['has a list', { tags: { exists: true } }, ['n1', 'n2']],
    ['has no list', { tags: { exists: false } }, ['n3', 'n4']],
    ['holds for all fields together', { author: 'ana', stars: 2 }, ['n3']],
    ['equals a day', { due: '2026-02-01' }, ['n1']],
    ['is after a day', { due: { gt: '2026-02-01' } }, []],
    ['is from a day on', { due: { gte: '2026-02-01' } }, ['n1']],
    ['is a time', { created_at: '2026-02-14T18:00:00Z' }, ['n2']],
    ['is a time in another zone', { created_at: '2026-02-14T19:00:00+01:00' }, ['n2']],
    ['is on a day', { created_at: '2026-02-14' }, ['n2']],
    ['is in a month', { created_at: '2026-02' }, ['n2']],
    ['is in a month of days', { due: '2026-02' }, ['n1']],
    ['is after the whole of a month', { created_at: { gt: '2026-02' } }, ['n3', 'n4']],
    ['is up to the end of a quarter', { created_at: { lte: '2026-Q1' } }, ['n1', 'n2', 'n3', 'n4']],
    ['is not on a day', { created_at: { ne: '2026-02-14' } }, ['n1', 'n3', 'n4']],
    ['is after the whole of a day', { created_at: { gt: '2026-02-14' } }, ['n3', 'n4']],
    ['is up to the evening of a day', { created_at: { lte: '2026-02-14' } }, ['n1', 'n2']],
    ['is before the morning of a day', { created_at: { lt: '2026-02-14' } }, ['n1']],
    [
      'is from the morning of a day on',
      { created_at: { gte: '2026-02-14', lt: '2026-03-28' } },
      ['n2', 'n3'],
    ],
    ['is within the last months', { created_at: { gte: 'last_8_months' } }, ['n4']],
    ['is within the last days', { created_at: { gte: 'last_270_days' } }, ['n3', 'n4']],
  ])('%s', async (_, filter, keys) => {
    expect(await findKeys(filter)).toEqual(keys);
  });

  it('says how it understood times', async () => {
    const { meta } = readAnswer(
      await berlin.call(berlin.token, 'query_records', {
        stream: 'notes',
        filter: { created_at: { gte: '2026-03-06', lt: '2026-03-29' } },
      }),
    );
    expect(meta.times_understood_as).toEqual({
      created_at: { gte: '2026-03-06T00:00:00+01:00', lt: '2026-03-29T00:00:00+01:00' },
    });
    expect(meta.time_zone).toBe('Europe/Berlin');
  });
});

describe('a filter, for an owner in Berlin', () => {
  it.each<[string, object, string[]]>([
    ['a day begins at midnight there', { created_at: '2026-03-06' }, ['n3']],
    ['and ends at midnight there', { created_at: '2026-03-05' }, []],
    ['a time without a zone is theirs', { created_at: '2026-03-06T00:30:00' }, ['n3']],
    ['a time with one is not', { created_at: '2026-03-05T23:30:00Z' }, ['n3']],
    ['a calendar day does not move', { due: '2026-02-01' }, ['n1']],
    ['nor does the day before it', { due: '2026-01-31' }, []],
  ])('%s', async (_, filter, keys) => {
    expect(await findKeys(filter, berlin)).toEqual(keys);
  });

  it('counts the days of the relative words by their calendar', async () => {
    const own = await createNotesWorld({
      timeZone: 'Europe/Berlin',
      notes: [
        note('yesterday', { created_at: '2026-11-15T22:59:00Z' }),
        note('today', { created_at: '2026-11-15T23:01:00Z' }),
        note('now', { created_at: NOW.toISOString() }),
      ],
    });
    expect(await findKeys({ created_at: { gte: 'today' } }, own)).toEqual(['now', 'today']);
    expect(await findKeys({ created_at: { gte: 'yesterday', lt: 'today' } }, own)).toEqual(['yesterday']);
    expect(await findKeys({ created_at: 'today' }, own)).toEqual(['now', 'today']);
    expect(await findKeys({ created_at: 'yesterday' }, own)).toEqual(['yesterday']);
    expect(await findKeys({ created_at: { lte: 'yesterday' } }, own)).toContain('yesterday');
    expect(await findKeys({ created_at: 'last_2_days' }, own)).toEqual(
      expect.arrayContaining(['now', 'yesterday']),
    );
    expect(await findKeys({ created_at: { gte: 'last_1_hours' } }, own)).toEqual(['now']);
    own.close();
  });

  it('knows the day on which the clocks go forward has 23 hours', async () => {
    const own = await createNotesWorld({
      timeZone: 'Europe/Berlin',
      notes: [
        '2026-03-28T22:30:00Z',
        '2026-03-28T23:30:00Z',
        '2026-03-29T21:30:00Z',
        '2026-03-29T22:30:00Z',
      ].map((at) => note(at, { created_at: at })),
    });
    expect(await findKeys({ created_at: '2026-03-29' }, own)).toEqual([
      '2026-03-28T23:30:00Z',
      '2026-03-29T21:30:00Z',
    ]);
    own.close();
  });

  it('finds the beginning of a day whose midnight does not exist', async () => {
    const own = await createNotesWorld({
      timeZone: 'America/Havana',
      notes: ['2026-03-08T04:30:00Z', '2026-03-08T05:30:00Z', '2026-03-09T03:30:00Z'].map((at) =>
        note(at, { created_at: at }),
      ),
    });
    expect(await findKeys({ created_at: '2026-03-07' }, own)).toEqual(['2026-03-08T04:30:00Z']);
    expect(await findKeys({ created_at: '2026-03-08' }, own)).toEqual([
      '2026-03-08T05:30:00Z',
      '2026-03-09T03:30:00Z',
    ]);
    own.close();
  });
});

describe('a filter that names what cannot be filtered', () => {
  it('refuses prose and objects, and says what to do instead', async () => {
    const refuse = async (filter: object) =>
      readRefusal(await world.call(world.token, 'query_records', { stream: 'notes', filter }));
    expect(await refuse({ body: 'x' })).toMatchObject({
      code: 'unsupported_field',
      hint: expect.stringContaining('search'),
    });
    expect(await refuse({ place: 'x' })).toMatchObject({
      code: 'unsupported_field',
      available: expect.arrayContaining(['author']),
    });
    expect(await refuse({ titel: 'x' })).toMatchObject({
      code: 'unknown_field',
      hint: 'Did you mean title?',
    });
  });
});

describe('an answer that is empty', () => {
  it('names values that hold what was asked for, among visible records only', async () => {
    const own = await createNotesWorld({
      notes: [
        note('a', { author: 'Ana Reis', created_at: '2026-01-01T00:00:00Z' }),
        note('b', { author: 'Ana Secret', created_at: '2026-06-01T00:00:00Z' }),
      ],
    });
    const ask = async (token: string, tool: string, filter: object) =>
      readAnswer(await own.call(token, tool, { stream: 'notes', filter }));
    const { token } = await own.grant([{ connection_id: 'home', stream: 'notes' }], {
      until: Date.parse('2026-03-01T00:00:00Z'),
    });
    expect((await ask(token, 'query_records', { author: 'ana' })).similar_values).toEqual({
      author: ['Ana Reis'],
    });
    const { data, meta } = await ask(token, 'aggregate', { author: 'ana' });
    expect(meta).toHaveProperty('notice');
    expect(data).toMatchObject({ total: 0, similar_values: { author: ['Ana Reis'] } });
    // What occurs is not what made it empty.
    const both = await ask(token, 'query_records', { author: 'Ana Reis', id: 'nosuch' });
    expect(both).not.toHaveProperty('similar_values');
    own.close();
  });

  it('looks for them in the newest 50,000 visible records, whatever is hidden', async () => {
    const crowded = await createNotesWorld({
      notes: [note('a', { author: 'Ana Reis', created_at: '2026-01-01T00:00:00Z' })],
    });
    // Where fields lie that are compared; by the door they would take longer than all other tests here.
    await queryTables(crowded.store, usesFiles() ? CROWD_SQLITE : CROWD_POSTGRES);
    const ask = async (token: string) => {
      const call = { stream: 'notes', filter: { author: 'ana' } };
      return readAnswer(await crowded.call(token, 'query_records', call)).similar_values;
    };
    const notes = [{ connection_id: 'home', stream: 'notes' }];
    const { token } = await crowded.grant(notes, { until: Date.parse('2026-07-01T00:00:00Z') });
    expect(await ask(token)).toEqual({ author: ['Ana Reis'] });
    expect(await ask((await crowded.grant(notes)).token)).toBeUndefined();
    crowded.close();
  });
});

/** Adds 50,000 records of August that have no values in the slots. */
const CROWD_SQLITE = `insert into facets (stream_id, t, rid, key)
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 50000)
  select stream_id, unixepoch('2026-08-01') * 1000 + i, i, 'later' || i from facets, n where key = 'a'`;
const CROWD_POSTGRES = `insert into records
    (owner_id, stream_id, t, rid, key, emitted_at, seq, size, word_counts, data)
  select owner_id, stream_id, extract(epoch from timestamptz '2026-08-01Z')::int8 * 1000 + i, i, 'later' || i,
    emitted_at, seq, size, word_counts, '{}'
  from records, generate_series(1, 50000) i where key = 'a'`;
