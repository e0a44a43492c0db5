import { DEMO_END } from '../../../bench/demo-end.ts';
import { fillDemo } from '../../../src/demo/fill-demo.ts';
import { loadCatalog } from '../../../src/schema-index/catalog.ts';
import { createWorld, NOW, type World } from '../world.ts';

/** A world with the demo in it, and a token that may read all of it. */
export async function createDemoWorld(until = DEMO_END): Promise<World & { token: string }> {
  const world = await createWorld({ timeZone: 'Europe/Berlin' });
  await fillDemo(world.store.write, until, NOW);
  const { connections } = await loadCatalog(world.store.read);
  const { token } = await world.grant(connections.map(({ connection_id }) => ({ connection_id })));
  return { ...world, token };
}

/** Calls tools on the demo. */
export async function connectToDemo() {
  const world = await createDemoWorld();
  return (name: string, args: object) => world.call(world.token, name, args);
}
