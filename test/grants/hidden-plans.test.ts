import { describe, expect, it } from 'vitest';
import { declare, letters } from '../support/granted-sources.ts';
import { createWorld, type World } from '../support/world.ts';
import { normalise } from './compare-worlds.ts';

const line = {
  key: 'a',
  data: { id: 'a', sent_at: '2026-01-01T00:00:00Z', read: true, title: 'harbour', body: 'velvet' },
};
const visible = ['id', 'sent_at', 'read', 'title', 'body'];

async function createWith(hidden: Record<string, 'string'>, searchable: readonly string[] | undefined): Promise<{ world: World; token: string }> {
  const world = await createWorld();
  const declared = declare('post', [{ ...letters, relations: [], fields: { ...hidden, ...letters.fields }, searchable: searchable ?? [] }]);
  await world.addSource(declared, { post_home: 'Post' });
  await world.ingest('post_home', 'letters', [line]);
  const { token } = await world.grant([{ connection_id: 'post_home', streams: [{ stream: 'letters', fields: visible }] }]);
  return { world, token };
}

/** Fields that no grant names, declared before those that one does. */
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`hidden_${at}_id`, 'string' as const]));

describe('what can be done with a granted field does not depend on fields that are hidden', () => {
  it.each([
    ['a filter', 'query_records', { stream: 'letters', filter: { read: true } }],
    ['the schema', 'schema', { stream: 'letters' }],
    ['a search', 'search', { query: 'harbour' }],
  ])('for %s, with more declared than there are slots', async (_, tool, args) => {
    const few = await createWith({}, ['title', 'body']);
    const crowd = await createWith(many(16), ['title', 'body']);
    const [a, b] = [await few.world.call(few.token, tool, args), await crowd.world.call(crowd.token, tool, args)];
    few.world.close();
    crowd.world.close();
    expect(normalise(b)).toEqual(normalise(a));
  });

  it('for a search, with more free texts declared than there are columns', async () => {
    const texts = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`hidden_${at}`, 'string' as const]));
    const few = await createWith({}, undefined);
    const crowd = await createWith(texts, undefined);
    const args = { query: 'harbour' };
    const [a, b] = [await few.world.call(few.token, 'search', args), await crowd.world.call(crowd.token, 'search', args)];
    few.world.close();
    crowd.world.close();
    expect(normalise(b)).toEqual(normalise(a));
  });
});
