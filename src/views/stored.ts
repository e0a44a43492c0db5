import { readHorizon } from '../reader/read-horizon.ts';
import type { Catalog } from '../schema-index/catalog.ts';
import type { ReadStore } from '../store/open-store.ts';
import { countStretches, readSpans } from '../store/stored-counts.ts';
import { dayName } from '../time/day-name.ts';
import { bucketName, type Interval, lastEdges } from '../time/time-buckets.ts';
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
  /** Those with records, as everywhere. */
  readonly streams: number;
  /** The largest first. */
  readonly connections: readonly StoredConnection[];
  /** Days (UTC) of the oldest and the newest record that has a time and is not of the future. */
  readonly first: string | null;
  readonly last: string | null;
  /** Records per month, or per quarter or year where the span is long. */
  readonly plot: {
    readonly interval: Interval;
    readonly buckets: readonly string[];
    /** Records that are older than the first bucket. */
    readonly earlier: number;
    readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
  };
}

const DAY = 86_400_000;
const MOST_MONTHS = 36;
const MOST_QUARTERS = 40;
const MOST_YEARS = 40;

const known = new WeakMap<ReadStore, { state: string; stored: Stored }>();

/** Everything there is. It is counted again only when something has changed, or the day. */
export async function readStored(store: ReadStore, catalog: Catalog, now: Date): Promise<Stored> {
  const today = Math.floor(now.getTime() / DAY);
  const state = `${await readHorizon(store.db)} ${catalog.version} ${today}`;
  const atHand = known.get(store);
  if (atHand?.state === state) return atHand.stored;
  const stored = await countStored(store, catalog, today);
  known.set(store, { state, stored });
  return stored;
}

/** By the roll-up of days alone: no record is touched. */
async function countStored(store: ReadStore, catalog: Catalog, today: number): Promise<Stored> {
  const counts = await readSpans(store, today);
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
    plot: span
      ? await readPlot(store, catalog, largest, span)
      : { interval: 'month', buckets: [], earlier: 0, series: [] },
  };
}

interface Span {
  first: number;
  last: number;
}

async function readPlot(
  store: ReadStore,
  catalog: Catalog,
  connections: readonly StoredConnection[],
  span: Span,
): Promise<Stored['plot']> {
  const years = await countDays(
    store,
    lastEdges(span.first * DAY, span.last * DAY, 'year', 'UTC', MOST_YEARS),
  );
  const start = Math.max(span.first, dropFew(years)[0]?.day ?? span.first);
  const [interval, most] = chooseInterval((span.last - start) / 30.4);
  const edges = lastEdges(start * DAY, span.last * DAY, interval, 'UTC', most);
  const counted = dropFew(await countDays(store, edges));
  const owners = new Map(catalog.streams.map((one) => [one.streamId, one.connection.connection_id]));
  const valuesOf = (connectionId: string) =>
    counted.map(({ streams }) =>
      streams.reduce((sum, { stream_id, n }) => sum + (owners.get(stream_id) === connectionId ? n : 0), 0),
    );
  const total = (buckets: readonly Bucket[]) => buckets.reduce((sum, { n }) => sum + n, 0);
  return {
    interval,
    buckets: counted.map((bucket) => bucketName(bucket.day * DAY, interval, 'UTC')),
    earlier: total(years) - total(counted),
    series: connections
      .map(({ connection_id, name }) => ({ name, values: valuesOf(connection_id) }))
      .filter(({ values }) => values.some((value) => value > 0)),
  };
}

interface Bucket {
  /** Its first day. */
  readonly day: number;
  readonly n: number;
  readonly streams: readonly { readonly stream_id: number; readonly n: number }[];
}

/** Records per stretch between edges. */
async function countDays(store: ReadStore, edges: readonly number[]): Promise<Bucket[]> {
  const days = edges.map((edge) => edge / DAY);
  const rows = await countStretches(
    store,
    days.slice(0, -1).map((start, i) => [start, days[i + 1] as number]),
  );
  return days.slice(0, -1).map((day, i) => {
    const streams = rows.filter(({ stretch }) => stretch === i);
    return { day, streams, n: streams.reduce((sum, { n }) => sum + n, 0) };
  });
}

/** Without the oldest hundredth: a handful of old records must not flatten the rest. */
function dropFew(buckets: readonly Bucket[]): readonly Bucket[] {
  const few = buckets.reduce((sum, { n }) => sum + n, 0) / 100;
  let before = 0;
  const start = buckets.findIndex(({ n }) => {
    before += n;
    return before > few;
  });
  return buckets.slice(Math.max(start, 0));
}

function chooseInterval(months: number): [Interval, number] {
  if (months <= MOST_MONTHS) return ['month', MOST_MONTHS + 1];
  return months <= MOST_QUARTERS * 3 ? ['quarter', MOST_QUARTERS + 1] : ['year', MOST_YEARS];
}
