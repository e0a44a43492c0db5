import { loadCatalog } from '../schema-index/catalog.ts';
import type { Store } from '../store/open-store.ts';
import { whereRead } from './activity-filter.ts';
import { type ActivityPlot, readActivityPlot } from './activity-plot.ts';
import { type AppLine, viewApps } from './apps.ts';
import { type ReadLine, toReadLine } from './audit-rows.ts';
import { readStored, type Stored } from './stored.ts';

export interface Overview {
  readonly time_zone: string;
  readonly mcp_url: string;
  readonly stored: Stored;
  /** Apps that may read now, the last used first. */
  readonly apps: readonly AppLine[];
  /** Reads per day and app in the last 30 days. */
  readonly reads: ActivityPlot;
  readonly last_reads: readonly ReadLine[];
}

const LAST_READS = 8;

/** What is stored, who may read it, and what was read lately. Never a record. */
export async function viewOverview(store: Store, publicUrl: string, now: Date): Promise<Overview> {
  const catalog = await loadCatalog(store.read);
  const { live } = await viewApps(store, now);
  const lastReads = await store.audit.db
    .selectFrom('audit')
    .selectAll()
    .where(whereRead({}, catalog.timeZone))
    .orderBy('id', 'desc')
    .limit(LAST_READS)
    .execute();
  return {
    time_zone: catalog.timeZone,
    mcp_url: `${publicUrl}/mcp`,
    stored: await readStored(store.read, catalog, now),
    apps: live,
    reads: await readActivityPlot(store.audit, {}, catalog.timeZone, now),
    last_reads: lastReads.map(toReadLine),
  };
}
