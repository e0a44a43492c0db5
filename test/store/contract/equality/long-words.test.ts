import { afterAll, expect, it } from 'vitest';
import { diarySource } from '../../../support/diary-source.ts';
import { type Engine, engines, useEngine } from '../../../support/stores/engines.ts';
import { createWorld } from '../../../support/world.ts';

/** The bytes that the index of PostgreSQL compares; see docs/decisions/postgres-word-index.md. */
const COMPARED_BYTES = 1_900;
const word = (same: number, rest: string) => 'q'.repeat(same) + rest;
const titles = {
  longer: word(COMPARED_BYTES + 50, 'r'.repeat(100)),
  other: word(COMPARED_BYTES, 's'.repeat(150)),
  short: word(100, 't'),
};

afterAll(() => useEngine(engines[0] as Engine));

/** Returns the records that each query finds. */
async function findOn(engine: Engine, queries: readonly string[]): Promise<string[][]> {
  useEngine(engine);
  const world = await createWorld();
  try {
    await world.addSource(diarySource, { mine: 'My diary' });
    const { token } = await world.grant([{ connection_id: 'mine' }]);
    const lines = Object.entries(titles).map(([id, title]) => ({ key: id, data: { id, title } }));
    await world.ingest(
      'mine',
      'entries',
      lines.map((line) => JSON.stringify({ ...line, emitted_at: '2026-11-01' })),
    );
    const found: string[][] = [];
    for (const query of queries) {
      const { structuredContent } = await world.call(token, 'search', { query });
      found.push(structuredContent.results.map(({ id }: { id: string }) => id.split('/').at(-1)).sort());
    }
    return found;
  } finally {
    world.close();
  }
}

it('more than 1,900 bytes find every word with the same first 1,900 on PostgreSQL; shorter ones find the same', async () => {
  const [sqlite, postgres] = engines as readonly [Engine, Engine];
  const short = [titles.short, word(50, ''), word(COMPARED_BYTES, '')];
  const found = [['short'], ['longer', 'other', 'short'], ['longer', 'other']];
  expect(await findOn(sqlite, short)).toEqual(found);
  expect(await findOn(postgres, short)).toEqual(found);
  const long = [titles.longer, titles.other, word(COMPARED_BYTES + 50, '')];
  expect(await findOn(sqlite, long)).toEqual([['longer'], ['other'], ['longer']]);
  const both = ['longer', 'other'];
  expect(await findOn(postgres, long)).toEqual([both, both, both]);
});
