import { describe, it } from 'vitest';
import type { GrantedStreamTerms } from '../../../../src/grants/grant.ts';
import { letters, type Place } from '../../../support/granted-sources.ts';
import type { Data, Step } from '../../../support/story-step.ts';
import { openStory, plainSetting, type StoryWorld } from '../../../support/story-world.ts';
import { comparePages } from './compare-worlds.ts';

const home: Place = { connection: 'post_home', spec: letters };
const put = (key: string, data: Data): Step => ({ place: home, key, data: { id: key, ...data } });

interface Worlds {
  readonly terms: GrantedStreamTerms;
  /** What both worlds hold before the first page. */
  readonly before: readonly Step[];
  /** What happens in each of them between the first page and the second. */
  readonly between: { readonly here: readonly Step[]; readonly there: readonly Step[] };
}

/** Reads every page in two worlds that change differently after the first page. */
async function comparePagesOf(
  { terms, before, between }: Worlds,
  tool: string,
  args: Record<string, unknown>,
): Promise<void> {
  const worlds: StoryWorld[] = [];
  try {
    for (const _ of [1, 2]) worlds.push(await openStory(plainSetting('UTC')));
    const [here, there] = worlds as [StoryWorld, StoryWorld];
    for (const world of worlds) await world.apply(before);
    let changed = false;
    await comparePages(
      {
        here: { world: here, token: await here.issue([terms]) },
        there: { world: there, token: await there.issue([terms]) },
        disturb: async () => {
          if (changed) return;
          changed = true;
          await here.apply(between.here);
          await there.apply(between.there);
        },
      },
      tool,
      args,
    );
  } finally {
    for (const world of worlds) world.close();
  }
}

/** On both sides of what a JavaScript number and what 64 bits hold; in another order as text than as numbers. */
const INTEGERS = [
  5n,
  -3n,
  2n ** 53n - 1n,
  2n ** 53n + 1n,
  9_007_199_254_740_995n,
  20_000_000_000_000_000n,
  100_000_000_000_000_000n,
  -100_000_000_000_000_000n,
  -20_000_000_000_000_000n,
  2n ** 63n - 1n,
  2n ** 63n + 5n,
  10n ** 20n,
];

describe('a hidden change between two pages does not show on the second', () => {
  it.each(['ref', '-ref'])('G-08 sorted by %s, with integers beyond 2^53', async (sort) => {
    const hold = (folder: string) =>
      INTEGERS.map((ref, at) => put(`n${at}`, { sent_at: '2026-01-01T00:00:00Z', ref, folder }));
    await comparePagesOf(
      {
        terms: {
          connection_id: 'post_home',
          stream: 'letters',
          fields: ['id', 'sent_at', 'ref'],
          time_field: 'sent_at',
        },
        before: hold('a'),
        between: { here: [], there: hold('b') },
      },
      'query_records',
      { stream: 'letters', connection_id: 'post_home', sort, limit: 3 },
    );
  });

  it.each(['"harbour lights"', '"harbour lights" zebra', 'rare harbour'])(
    'G-08 thousands of records that arrive with hidden times: %s',
    async (query) => {
      const arrive = (timeOf: (at: number) => number) =>
        Array.from({ length: 9_000 }, (_, at) =>
          put(`m${String(at).padStart(5, '0')}`, {
            sent_at: new Date(timeOf(at)).toISOString(),
            title: at % 3 === 0 ? 'harbour lights lights lights' : 'harbour lights',
            body: at % 2 === 0 ? 'rare zebra' : 'rare harbour lights zebra',
          }),
        );
      const start = Date.UTC(2026, 0, 1);
      const minute = 60_000;
      await comparePagesOf(
        {
          terms: { connection_id: 'post_home', stream: 'letters', fields: ['id', 'title', 'body'] },
          before: Array.from({ length: 12 }, (_, at) =>
            put(`a${at}`, {
              sent_at: '2026-01-01T00:00:00Z',
              title: `harbour lights ${at}`,
              body: 'rare zebra',
            }),
          ),
          between: {
            here: arrive((at) => start + at * minute),
            there: arrive((at) => start - at * minute),
          },
        },
        'search',
        { query, limit: 5 },
      );
    },
  );
});
