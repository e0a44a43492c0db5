import { declaration, plan, streams } from './draw-mirror.ts';
import type { Side } from './mirror-stores.ts';

const AT = '2026-11-18T00:00:00Z';

/** Adds the streams that are drawn to an empty store. */
export async function addStreams({ catalog, transact }: Side): Promise<void> {
  await transact(async () => {
    await catalog.putSource('source', declaration, '1', AT);
    await catalog.putConnection({
      connection_id: 'main',
      connector_key: 'source',
      display_name: 'Main',
      created_at: AT,
    });
    for (const [at, { streamId }] of streams.entries())
      await catalog.addStream({
        stream_id: streamId,
        connection_id: 'main',
        stream: at === 0 ? 'one' : 'two',
        plan: JSON.stringify(plan),
      });
  });
}

/** Texts that show every difference, also between kinds of numbers. */
export const write = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? 'undefined';
