import { describe, expect, it } from 'vitest';
import { endConnection } from '../../src/grants/grant-store.ts';
import { createDiaryWorld } from '../support/diary-world.ts';

describe('a grant over several connections', () => {
  it('G-18 loses one of them without a trace, and keeps the others', async () => {
    const world = await createDiaryWorld();
    const { grantId, token } = await world.grant([{ connection_id: 'mine' }, { connection_id: 'theirs' }]);
    const ask = async () => {
      const schema = (await world.call(token, 'schema')).structuredContent;
      const found = (await world.call(token, 'search', { query: 'number' })).structuredContent;
      return JSON.stringify([schema.data, found.results]);
    };
    const before = await ask();
    expect(before).toContain('Their diary');
    expect(before).toContain('marker-theirs');
    await endConnection(world.store.write, grantId, 'theirs');
    const after = await ask();
    expect(after).not.toMatch(/their/i);
    expect(after).toContain('My diary');
    const named = await world.call(token, 'query_records', { stream: 'entries', connection_id: 'theirs' });
    const none = await world.call(token, 'query_records', { stream: 'entries', connection_id: 'nobodys' });
    const code = (answer: typeof named) => answer.structuredContent.error.code;
    expect([code(named), code(named)]).toEqual(['unknown_connection', code(none)]);
    world.close();
  });

  it('G-18 names the source of every result', async () => {
    const world = await createDiaryWorld();
    const { results } = (await world.call(world.both, 'search', { query: 'number' })).structuredContent;
    expect(new Set(results.map((hit: { connection_id: string }) => hit.connection_id))).toEqual(
      new Set(['mine', 'theirs']),
    );
    world.close();
  });
});
