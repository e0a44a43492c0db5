import { DEMO_END } from '../../../bench/demo-end.ts';
import { fillGenerated } from '../../../bench/generator/fill-generated.ts';
import { loadCatalog } from '../../../src/schema-index/catalog.ts';
import { createWorld, NOW, type World } from '../world.ts';

/** A world with generated records of a life and of the example systems, hostile texts among them, and a token that may read all of it. */
export async function createGeneratedWorld(records: number): Promise<World & { token: string }> {
  const world = await createWorld({ timeZone: 'Europe/Berlin' });
  await fillGenerated(world.store.write, { records, seed: 1, until: DEMO_END }, NOW);
  const { connections } = await loadCatalog(world.store.read);
  const { token } = await world.grant(connections.map(({ connection_id }) => ({ connection_id })));
  return { ...world, token };
}
