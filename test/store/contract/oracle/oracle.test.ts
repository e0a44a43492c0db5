import { describe, expect, it } from 'vitest';
import { diary, put } from '../../../support/canary-world.ts';
import { countCases } from '../../../support/stores/count-cases.ts';
import { openStory, plainSetting } from '../../../support/story-world.ts';
import { checkOracle } from './check-oracle.ts';

describe('G-17 the five tools under any grant', () => {
  it('answer what a plain in-memory oracle says, for thousands of requests', async () => {
    const runs = countCases(110);
    expect(await checkOracle({ runs, seed: 20261116 })).toBeGreaterThan(27 * runs);
  }, 300_000);

  it('have no `other` when every group is shown', async () => {
    const world = await openStory(plainSetting('UTC'));
    await world.apply([
      put(diary, 'a', { day: '2026-01-01', score: Number.MAX_SAFE_INTEGER }),
      put(diary, 'b', { day: '2026-01-02', score: 2 }),
      put(diary, 'c', { day: '2026-01-03', score: 1 }),
    ]);
    const token = await world.issue([
      { connection_id: 'log_main', stream: 'entries', fields: ['id', 'score'] },
    ]);
    const args = { stream: 'entries', metric: 'sum', field: 'score', group_by: ['id'] };
    const { data } = (await world.call(token, 'aggregate', args)).structuredContent;
    world.close();
    expect(data.groups).toHaveLength(3);
    expect(data).not.toHaveProperty('other');
  });
});
