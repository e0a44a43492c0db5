import type { ReadStore } from '../store/open-store.ts';
import { personalSources } from './personal.ts';

/** When the demo in this store ends, or undefined where there is none: its first connection is as old as that. */
export async function findDemoEnd(store: ReadStore): Promise<Date | undefined> {
  const first = personalSources[0]?.connections[0]?.connection_id as string;
  const row = await store.db
    .selectFrom('connections')
    .select('created_at')
    .where('connection_id', '=', first)
    .executeTakeFirst();
  return row === undefined ? undefined : new Date(row.created_at);
}
