import { describe, expect, it } from 'vitest';
import { declare, letters } from '../../../support/granted-sources.ts';
import { createWorld } from '../../../support/world.ts';
import { normalise } from './compare-worlds.ts';

const RECORD = { id: 'a', sent_at: '2026-01-01T00:00:00Z', read: true, title: 'harbour', body: 'velvet' };
const GRANTED = ['id', 'sent_at', 'read', 'title', 'body'];

/** Fields that the grant does not name, declared before those that it does. */
function hide(count: number, suffix: string) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`hidden_${at}${suffix}`, 'string' as const]),
  );
}

async function ask(
  hidden: Record<string, 'string'>,
  searchable: readonly string[],
  tool: string,
  args: Record<string, unknown>,
): Promise<string[]> {
  const world = await createWorld();
  const spec = { ...letters, relations: [], fields: { ...hidden, ...letters.fields }, searchable };
  await world.addSource(declare('post', [spec]), { post_home: 'Post' });
  await world.ingest('post_home', 'letters', [{ key: 'a', data: RECORD }]);
  const { token } = await world.grant([{ connection_id: 'post_home', stream: 'letters', fields: GRANTED }]);
  const answer = await world.call(token, tool, args);
  world.close();
  return normalise(answer);
}

/**
 * A stream has room for sixteen comparable fields and eight searched ones (slots-in-facets.md), and what is declared
 * first has them. Within that room, nothing that a grant hides has a say.
 */
describe('what a granted field can do does not depend on which others the source declares', () => {
  const searchable = ['title', 'body'];

  it.each([
    ['query_records', { stream: 'letters', filter: { read: true } }],
    ['schema', { stream: 'letters' }],
  ])('in %s, as long as all of them have room', async (tool, args) => {
    const hidden = hide(6, '_id');
    expect(await ask(hidden, searchable, tool, args)).toEqual(await ask({}, searchable, tool, args));
  });

  it('in search, with the searched fields named', async () => {
    const args = { query: 'harbour' };
    const hidden = hide(16, '_id');
    expect(await ask(hidden, searchable, 'search', args)).toEqual(await ask({}, searchable, 'search', args));
  });
});
