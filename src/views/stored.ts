import { VersionCache } from '../limits/cache.ts';
import type { Catalog } from '../schema-index/catalog.ts';
import type { ReadStore } from '../store/store.ts';
import { dayName } from '../time/calendar.ts';
import { DAY_MS } from '../time/durations.ts';
import { nameConnection } from './describe-access.ts';

/** What is stored in one connection. */
export interface StoredConnection {
  readonly connection_id: string;
  readonly name: string;
  readonly connector_key: string;
  readonly streams: number;
  readonly records: number;
}

export interface Stored {
  readonly records: number;
  /** Streams with records. */
  readonly streams: number;
  /** Largest first. */
  readonly connections: readonly StoredConnection[];
  /** Days (UTC) of the oldest and the newest record that has a time and is not of the future. */
  readonly first: string | null;
  readonly last: string | null;
}

// Keyed by store, so that the cache of a closed store is released.
const caches = new WeakMap<ReadStore, VersionCache<string, Stored>>();

/** Counts stored data. Counts again when data or the day changes. */
export async function readStored(store: ReadStore, catalog: Catalog, now: Date): Promise<Stored> {
  const today = Math.floor(now.getTime() / DAY_MS);
  const state = `${await store.records.horizon()} ${catalog.version} ${today}`;
  const cache = caches.get(store) ?? new VersionCache<string, Stored>(2);
  caches.set(store, cache);
  return cache.get(state, 'all', () => countStored(store, catalog, today));
}

/** Uses the daily counts; reads no record. */
async function countStored(store: ReadStore, catalog: Catalog, today: number): Promise<Stored> {
  const counts = await store.stored.spans(today);
  const connections = catalog.connections.map(({ connection_id, connector_key }) => {
    const streams = catalog.streams.filter((stream) => stream.connection.connection_id === connection_id);
    return {
      connection_id,
      name: nameConnection(catalog, connection_id),
      connector_key,
      streams: streams.filter(({ streamId }) => (counts.get(streamId)?.records ?? 0) > 0).length,
      records: streams.reduce((sum, { streamId }) => sum + (counts.get(streamId)?.records ?? 0), 0),
    };
  });
  const known = catalog.streams.flatMap(({ streamId }) => counts.get(streamId) ?? []);
  const firsts = known.flatMap(({ first }) => first ?? []);
  const lasts = known.flatMap(({ last }) => last ?? []);
  const span = firsts.length > 0 &&
    lasts.length > 0 && { first: Math.min(...firsts), last: Math.max(...lasts) };
  const largest = connections.toSorted((a, b) => b.records - a.records);
  return {
    records: connections.reduce((sum, { records }) => sum + records, 0),
    streams: connections.reduce((sum, { streams }) => sum + streams, 0),
    connections: largest,
    first: span ? dayName(span.first) : null,
    last: span ? dayName(span.last) : null,
  };
}
