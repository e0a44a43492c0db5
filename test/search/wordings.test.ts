import { describe, expect, it } from 'vitest';
import { readAnswer, readRefusal } from '../support/answers.ts';
import { createNotesWorld, note } from '../support/notes-source.ts';
import { useWorld } from '../support/use-world.ts';
import { readPages } from '../tools/read-pages.ts';

const world = await useWorld(
  createNotesWorld({
    connections: ['home', 'work'],
    notes: [
      note('dentist', {
        title: 'Dentist',
        body: 'Dental check-up at ten',
        created_at: '2026-01-05T08:00:00Z',
      }),
      note('zahnarzt', { body: 'Zahnarzt am Montag um zehn', created_at: '2026-02-05T08:00:00Z' }),
      note('shoes', { body: 'New shoes for winter, look after them', created_at: '2026-03-05T08:00:00Z' }),
      note('plumber', { body: 'The plumber comes on Friday', created_at: '2026-04-05T08:00:00Z' }),
      ...Array.from({ length: 12 }, (_, at) =>
        note(`trip${at}`, {
          body: at % 2 === 0 ? `Ferry to the island ${at}` : `Fähre zur Insel ${at}`,
          author: at % 3 === 0 ? 'ana' : 'bo',
          created_at: `2026-06-${10 + at}T08:00:00Z`,
        }),
      ),
    ],
  }),
);

const search = async (query: string, args: object = {}) =>
  readAnswer(await world.call(world.token, 'search', { query, ...args }));
const keyOf = (hit: { id: string }) => hit.id.split('/').at(-1) as string;
const findKeys = async (query: string, args: object = {}): Promise<string[]> =>
  (await search(query, args)).results.map(keyOf);

describe('search with other wordings', () => {
  it('finds records that share no word with the query', async () => {
    expect(await findKeys('teeth')).toEqual([]);
    expect((await findKeys('teeth', { also: ['dental', 'Zahnarzt'] })).sort()).toEqual([
      'dentist',
      'zahnarzt',
    ]);
  });

  it('ranks hits of several wordings before hits of one', async () => {
    const keys = await findKeys('ten o clock', { also: ['dental check-up', 'dentist', 'plumber'] });
    expect(keys[0]).toBe('dentist');
    expect(keys).toContain('plumber');
  });

  it('answers like a plain search if the other wording finds nothing more', async () => {
    const alone = await search('plumber');
    const both = await search('plumber', { also: ['xylophonist'] });
    expect(both.results).toEqual(alone.results);
  });

  it('marks the words of the matching wording', async () => {
    const { results } = await search('teeth', { also: ['Zahnarzt'] });
    expect(results[0].text).toContain('<mark>Zahnarzt</mark>');
  });

  it('applies one limit to all wordings', async () => {
    expect(await findKeys('ferry', { also: ['Fähre', 'plumber', 'shoes'], limit: 3 })).toHaveLength(3);
  });

  it('applies filter, since and until to every wording', async () => {
    const also = { also: ['Fähre'] };
    const ana = await findKeys('ferry', { ...also, filter: { author: 'ana' } });
    expect(ana.sort()).toEqual(['trip0', 'trip3', 'trip6', 'trip9']);
    const some = await findKeys('ferry', { ...also, since: '2026-06-12', until: '2026-06-14' });
    expect(some.sort()).toEqual(['trip2', 'trip3']);
  });

  it('accepts one wording as a string, and at most five', async () => {
    expect(await findKeys('teeth', { also: 'Zahnarzt' })).toEqual(['zahnarzt']);
    const six = ['a', 'b', 'c', 'd', 'e', 'f'];
    const refused = await world.call(world.token, 'search', { query: 'teeth', also: six });
    expect(readRefusal(refused)).toMatchObject({
      code: 'invalid_argument',
      message: 'also must be at most 5 items.',
    });
  });

  it('pages through all hits once, and rejects a cursor of other wordings', async () => {
    const args = { query: 'ferry', also: ['Fähre', 'Insel', 'island'] };
    const { rows, pages } = await readPages(world, world.token, 'search', args, { sizes: [5, 1, 3] });
    const whole = await search('ferry', { also: args.also, limit: 50 });
    expect(pages).toBeGreaterThan(3);
    expect(rows.map(keyOf)).toEqual(whole.results.map(keyOf));
    const { next_cursor: cursor } = await search('ferry', { also: args.also, limit: 2 });
    for (const also of [['Fähre'], [...args.also].reverse(), undefined]) {
      const refused = await world.call(world.token, 'search', { query: 'ferry', also, limit: 2, cursor });
      expect(readRefusal(refused).code).toBe('invalid_cursor');
    }
  });

  it('pages with wordings whose plan is too long for a cursor', async () => {
    const many = Array.from({ length: 12 }, (_, at) => `ferr${'abcdefghijkl'[at]} islan${at}`).join(' ');
    const args = { query: `ferry ${many}`, also: [many, `${many} Insel`, `Fähre ${many}`, `${many} x`] };
    const { rows } = await readPages(world, world.token, 'search', args, { sizes: [4] });
    const keys = rows.map(keyOf);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((key) => key.startsWith('trip'))).toHaveLength(12);
  });
});

describe('search with other wordings, while records arrive', () => {
  it('shows every unchanged record exactly once', async () => {
    const trips = Array.from({ length: 20 }, (_, at) =>
      note(`t${at}`, { body: `${at % 2 === 0 ? 'ferry' : 'Fähre'} ${'x'.repeat(at)} island` }),
    );
    const other = await createNotesWorld({ connections: ['home'], notes: trips });
    try {
      const args = { query: 'ferry', also: ['Fähre', 'island'] };
      const { rows } = await readPages(other, other.token, 'search', args, {
        sizes: [3],
        between: async (page) => {
          await other.ingest('home', 'notes', [
            note(`new${page}`, { title: 'ferry ferry', body: 'Fähre island' }),
            note(`late${page}`, { body: 'one island among many words that make it long' }),
          ]);
        },
      });
      const seen = rows.map(keyOf).filter((key) => key.startsWith('t'));
      expect(seen.toSorted()).toEqual(trips.map(({ key }) => key).toSorted());
    } finally {
      other.close();
    }
  });
});

describe('the hint to use other wordings', () => {
  it('appears if the best hits match little of the query', async () => {
    const { meta } = await search('when did somebody look after my teeth');
    expect(meta.warnings).toContain('also_may_help');
    expect(meta.warnings_mean.also_may_help).toMatch(/also.*languages/);
    expect((await search('xylophonist')).meta.warnings).toContain('also_may_help');
    // The query was corrected to a visible word, which may be the wrong one.
    expect((await search('plomber')).meta.warnings).toEqual(['also_may_help']);
  });

  it('does not appear if the words match or other wordings were given', async () => {
    expect((await search('dental check-up')).meta).not.toHaveProperty('warnings');
    const given = await search('when did somebody look after my teeth', { also: ['dental'] });
    expect(given.meta.warnings ?? []).not.toContain('also_may_help');
  });

  it('does not depend on hidden records', async () => {
    const { token } = await world.grant([{ connection_id: 'home', stream: 'notes', keys: ['plumber'] }]);
    const { results, meta } = readAnswer(await world.call(token, 'search', { query: 'dentist' }));
    expect(results).toEqual([]);
    expect(meta.warnings).toEqual(['also_may_help']);
  });
});

describe('a warning', () => {
  it.each([
    ['words_relaxed', 'ferry plumber'],
    ['also_may_help', 'xylophonist'],
  ])('%s carries one sentence', async (code, query) => {
    const { meta } = await search(query);
    expect(meta.warnings).toContain(code);
    expect(meta.warnings_mean[code]).toMatch(/^[A-Z][^.]+\.$/);
  });
});
