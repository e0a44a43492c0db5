import type { ReadStore } from '../store/store.ts';
import { DEMO_CONNECTIONS } from './demo-connections.ts';

/**
 * The moment in the evening at which a demo until this day ends, or undefined where `text` is no day such as
 * 2026-10-31.
 */
export function findEndOfDay(text: string): Date | undefined {
  const evening = new Date(`${text}T22:00:00Z`);
  // A 31st of February is read as a day of March.
  const isDay = !Number.isNaN(evening.getTime()) && evening.toISOString().startsWith(`${text}T`);
  return isDay ? evening : undefined;
}

/** When the demo in this store ends, or undefined where there is none: its oldest connection is as old as that. */
export async function findDemoEnd(store: ReadStore): Promise<Date | undefined> {
  const ids = DEMO_CONNECTIONS.map(({ connection_id }) => connection_id);
  const rows = (await store.catalog.listConnections()).filter((row) => ids.includes(row.connection_id));
  // Each is as many milliseconds younger as there are before it in the list, of which some may have been removed.
  const ends = rows.map(
    ({ connection_id, created_at }) => new Date(created_at).getTime() - ids.indexOf(connection_id),
  );
  return ends.length === 0 ? undefined : new Date(Math.min(...ends));
}
