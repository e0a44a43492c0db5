import { exampleSources } from '../../../bench/generator/example-sources.ts';
import { createWorld, type World } from '../world.ts';

/** A world with the records of `examples/`, and a token that may read all of them. */
export async function createExampleWorld(): Promise<World & { token: string }> {
  const world = await createWorld();
  for (const source of exampleSources) {
    const names = source.connections.map(({ connection_id, display_name }) => [connection_id, display_name]);
    await world.addSource(source.declaration, Object.fromEntries(names));
    for (const { connection_id, stream, lines } of source.generate({
      records: 0,
      seed: 0,
      until: new Date(),
    }))
      await world.ingest(connection_id, stream, lines);
  }
  const connections = exampleSources.flatMap((source) => source.connections);
  const { token } = await world.grant(connections.map(({ connection_id }) => ({ connection_id })));
  return { ...world, token };
}
