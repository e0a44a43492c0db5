import { loadCatalog } from '../schema-index/catalog.ts';
import type { Store } from '../store/store.ts';
import { bucketName, lastEdges } from '../time/time-buckets.ts';
import type { DescribedRead } from './activity/describe-read.ts';
import { listLatestReads } from './activity/latest-reads.ts';
import { type AppLine, USAGE_DAYS, viewApps } from './apps.ts';
import { readStored, type Stored } from './stored.ts';

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

/** Joins several approvals of one app into one series. */
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
