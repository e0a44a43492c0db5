import { afterAll, expect, it } from 'vitest';
import { normalise } from '../../support/answers.ts';
import { diarySource } from '../../support/diary-source.ts';
import { type Engine, engines, useEngine } from '../../support/stores/engines.ts';
import { createWorld } from '../../support/world.ts';

/** Half of a character, which JSON can spell. PostgreSQL would take it for U+FFFD. */
const HALF = '\ud800';
const filters = [
  { title: HALF },
  { title: [HALF, `x${HALF}`] },
  { title: { contains: HALF } },
  { title: { starts_with: HALF } },
  { tags: { contains: HALF } },
  { id: `k${HALF}` },
  { [HALF]: 1 },
];
const calls: readonly (readonly [tool: string, args: object])[] = [
  ...filters.flatMap((filter) => [
    ['query_records', { stream: 'entries', filter }] as const,
    ['aggregate', { stream: 'entries', metric: 'count', filter }] as const,
    ['search', { query: 'harbour', stream: 'entries', filter }] as const,
  ]),
  ['query_records', { stream: HALF }],
  ['query_records', { stream: 'entries', fields: [HALF] }],
  ['query_records', { stream: 'entries', cursor: HALF }],
  ['aggregate', { stream: 'entries', metric: 'count', group_by: HALF }],
  ['fetch', { id: `mine/entries/k${HALF}` }],
  ...[HALF, `har${HALF}bour`, `"har${HALF}bour"`, `harbour${HALF}`].map(
    (query) => ['search', { query }] as const,
  ),
  ['schema', { stream: HALF }],
];
const lines = [
  ['k\ufffd', '\ufffd'],
  ['k1', 'x\ufffd'],
  ['k2', 'har\ufffdbour'],
  ['k3', 'harbour'],
  ['k4', 'z\u{10000}'],
  ['k5', '\u0002\0\ufffd'],
].map(([id, title]) =>
  JSON.stringify({ key: id, emitted_at: '2026-11-01', data: { id, title, tags: [title] } }),
);

afterAll(() => useEngine(engines[0] as Engine));

async function answerOn(engine: Engine): Promise<string[]> {
  useEngine(engine);
  const world = await createWorld();
  try {
    await world.addSource(diarySource, { mine: 'My diary' });
    const { token } = await world.grant([{ connection_id: 'mine' }]);
    await world.ingest('mine', 'entries', lines);
    const answers: string[] = [];
    for (const [tool, args] of calls)
      answers.push(JSON.stringify(normalise((await world.call(token, tool, args)).structuredContent)));
    return answers;
  } finally {
    world.close();
  }
}

it('half a character in an argument matches what it matches on SQLite', async () => {
  const [first, second] = engines as readonly [Engine, Engine];
  const [expected, found] = [await answerOn(first), await answerOn(second)];
  for (const [at, call] of calls.entries())
    expect([call, found[at]?.replaceAll(/"now":"[^"]+"/g, '')]).toEqual([
      call,
      expected[at]?.replaceAll(/"now":"[^"]+"/g, ''),
    ]);
});
