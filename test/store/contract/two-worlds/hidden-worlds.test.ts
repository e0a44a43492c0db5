import { describe, it } from 'vitest';
import type { GrantedStreamTerms } from '../../../../src/grants/grant.ts';
import { letters, type Place } from '../../../support/granted-sources.ts';
import type { Data, Step } from '../../../support/story-step.ts';
import { openStory, plainSetting, type StoryWorld } from '../../../support/story-world.ts';
import { comparePages } from './compare-worlds.ts';

const home: Place = { connection: 'post_home', spec: letters };
const CUT = Date.parse('2026-06-01T00:00:00Z');
const HIDDEN_TIME = '2026-08-01T00:00:00Z';

const put = (key: string, data: Data): Step => ({ place: home, key, data: { id: key, ...data } });
const many = (count: number, make: (at: number) => Step) =>
  Array.from({ length: count }, (_, at) => make(at));
const keyOf = (at: number) => `n${String(at).padStart(5, '0')}`;

function terms(more: Partial<GrantedStreamTerms>): GrantedStreamTerms {
  return {
    connection_id: 'post_home',
    stream: 'letters',
    fields: ['id', 'sent_at', 'title', 'body'],
    time_field: 'sent_at',
    ...more,
  };
}

/** Two stores, and one reader of both who must not be able to tell them apart. */
async function withPair(
  grant: GrantedStreamTerms,
  use: (
    here: StoryWorld,
    there: StoryWorld,
    compare: (tool: string, args: object) => Promise<void>,
  ) => Promise<void>,
): Promise<void> {
  const here = await openStory(plainSetting('UTC'));
  const there = await openStory(plainSetting('UTC'));
  try {
    const pair = {
      here: { world: here, token: await here.issue([grant]) },
      there: { world: there, token: await there.issue([grant]) },
      disturb: async () => {},
    };
    await use(here, there, (tool, args) => comparePages(pair, tool, { ...args }));
  } finally {
    here.close();
    there.close();
  }
}

describe('what is hidden does not show in a search', () => {
  it('G-08 the size of a hidden field: a visible text is cut, or not, by its own length alone', async () => {
    const filler = 'word '.repeat(24_000);
    const bodies = [
      `${filler}needle and more`,
      `${filler}\u202eneedle`,
      `needle\0 ${filler}`,
      `needle ${'🙂'.repeat(60_000)} ${filler}`,
      `${' '.repeat(120_000)}needle`,
      'needle',
    ];
    await withPair(terms({}), async (here, there, compare) => {
      for (const [world, folder] of [
        [here, 'small'],
        [there, 'x'.repeat(300_000)],
      ] as const) {
        await world.apply(
          bodies.map((body, at) =>
            put(keyOf(at), { sent_at: '2026-01-01T00:00:00Z', title: `${body} title`, body, folder }),
          ),
        );
      }
      await compare('search', { query: 'needle', limit: 50 });
      await compare('search', { query: 'word title', limit: 2 });
      const place = { stream: 'letters', connection_id: 'post_home' };
      await compare('query_records', { ...place, limit: 1 });
      await compare('query_records', { ...place, limit: 1, changes_since: 'beginning' });
      await compare('schema', place);
      for (const [at] of bodies.entries()) await compare('fetch', { id: `post_home/letters/${keyOf(at)}` });
    });
  });

  it('G-08 a hidden word whose vowel signs differ from those of a visible one', async () => {
    await withPair(terms({ until: CUT }), async (here, there, compare) => {
      await compare('search', { query: 'harbuor' });
      const visible = [put('n1', { sent_at: '2026-01-01T00:00:00Z', body: 'कुतूबी' })];
      await here.apply(visible);
      await there.apply([...visible, put('h1', { sent_at: HIDDEN_TIME, body: 'किताब' })]);
      await compare('search', { query: 'किताप' });
      await compare('search', { query: 'किताब' });
    });
  });

  it('G-08 more than 5,000 hidden edits: typing errors are forgiven as without them', async () => {
    await withPair(terms({}), async (here, there, compare) => {
      const edit = (folder: string) =>
        many(5_100, (at) => put(`e${at}`, { sent_at: '2026-01-02T00:00:00Z', body: 'plain', folder }));
      const visible = [
        put('n1', { sent_at: '2026-01-01T00:00:00Z', body: 'किताब harbour' }),
        put('n2', { sent_at: '2026-01-01T00:00:00Z', body: 'other' }),
      ];
      await here.apply(edit('a'));
      await there.apply(edit('a'));
      await compare('search', { query: 'harbuor' });
      await here.apply(visible);
      await there.apply(visible);
      await compare('search', { query: 'किताप' });
      await there.apply(edit('b'));
      for (const query of ['किताप', 'harbuor', 'othre']) await compare('search', { query });
    });
  });

  it('G-08 8,189 hidden edits in one minute: the 300th hit is the same', async () => {
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
    const shared = [
      ...many(299, (i) => put(keyOf(i), { sent_at: at(60 + (i % 60)), body: 'harbour' })),
      ...many(3, (i) => put(`late${i}`, { sent_at: at(50), body: 'harbour' })),
    ];
    const after = many(10, (i) => put(`early${i}`, { sent_at: at(10), body: 'harbour' }));
    await withPair(terms({}), async (here, there, compare) => {
      // With the three late ones they take every row id of their minute.
      const busy = many(8_189, (i) =>
        put(`busy${i % 2}`, { sent_at: at(20), body: 'velvet', folder: `${i}` }),
      );
      await here.apply([...shared, ...busy.slice(-2), ...after]);
      await there.apply([...shared, ...busy, ...after]);
      await compare('search', { query: 'harbour', limit: 50 });
    });
  });

  it('G-08 a minute that thousands of hidden records have filled: the 300th hit is the same', async () => {
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
    const shared = [
      ...many(295, (i) => put(keyOf(i), { sent_at: at(60 + (i % 60)), body: 'harbour' })),
      ...many(10, (i) => put(`late${i}`, { sent_at: at(50), body: 'harbour' })),
    ];
    const after = many(10, (i) => put(`early${i}`, { sent_at: at(10), body: 'harbour' }));
    const hidden = many(8_190, (i) => put(`h${i}`, { sent_at: at(30), body: 'harbour' }));
    const keys = [...shared, ...after].map((step) => step.key);
    await withPair(terms({ keys }), async (here, there, compare) => {
      await here.apply([...shared, ...after]);
      await there.apply([...shared, ...hidden, ...after]);
      await compare('search', { query: 'harbour', limit: 50 });
    });
  });
});
