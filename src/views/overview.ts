import { VersionCache } from '../limits/cache.ts';
import { type Catalog, loadCatalog } from '../schema-index/catalog.ts';
import type { ReadStore, Store } from '../store/store.ts';
import { dayName } from '../time/calendar.ts';
import { DAY_MS } from '../time/durations.ts';
import { bucketName, lastEdges } from '../time/time-buckets.ts';
import type { DescribedRead } from './activity/describe-read.ts';
import { listLatestReads } from './activity/latest-reads.ts';
import { type AppLine, USAGE_DAYS, viewApps } from './apps.ts';
import { nameConnection } from './describe-access.ts';

export interface Overview {
  readonly time_zone: string;
  readonly mcp_url: string;
  readonly stored: Stored;
  /** Apps with access, last used first. */
  readonly apps: readonly AppLine[];
  /** Reads per day and app in the last 30 days. */
  readonly reads: {
    readonly total: number;
    readonly days: readonly string[];
    readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
  };
  readonly last_reads: readonly DescribedRead[];
}

const MAX_LINES = 8;

/** Summarizes stored data, apps and recent reads. Contains no records. */
export async function viewOverview(store: Store, publicUrl: string, now: Date): Promise<Overview> {
  const catalog = await loadCatalog(store.read);
  const { live, ended } = await viewApps(store, now);
  return {
    time_zone: catalog.timeZone,
    mcp_url: `${publicUrl}/mcp`,
    stored: await readStored(store.read, catalog, now),
    apps: live,
    reads: sumReads([...live, ...ended], catalog.timeZone, now),
    last_reads: await listLatestReads(store.audit, { exceptSurface: 'dashboard' }, catalog, MAX_LINES),
  };
}

/** Counts reads by app and day. Several approvals of one app become one series. */
function sumReads(apps: readonly AppLine[], timeZone: string, now: Date): Overview['reads'] {
  const edges = lastEdges(0, now.getTime(), 'day', timeZone, USAGE_DAYS);
  const used = apps.filter(({ calls_30_days }) => calls_30_days > 0);
  const mostUsed = used.toSorted((a, b) => b.calls_30_days - a.calls_30_days);
  const names = [...new Set(mostUsed.map(({ client }) => client))];
  const series = names.map((name) => ({
    name,
    values: Array.from({ length: USAGE_DAYS }, (_, i) =>
      used.reduce((sum, app) => sum + (app.client === name ? (app.calls_per_day[i] ?? 0) : 0), 0),
    ),
  }));
  return {
    total: used.reduce((sum, { calls_30_days }) => sum + calls_30_days, 0),
    days: edges.slice(0, -1).map((start) => bucketName(start, 'day', timeZone)),
    series,
  };
}

/** The counts of one connection. */
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
  /** Days (UTC) of the oldest and the newest record, without records that have no time or are in the future. */
  readonly first: string | null;
  readonly last: string | null;
}

// Keyed by store, so that the cache of a closed store is released.
const caches = new WeakMap<ReadStore, VersionCache<string, Stored>>();

/** Counts stored data. Caches the counts until data or the day changes. */
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
