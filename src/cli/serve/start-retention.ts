import { startRetention } from '../../audit/retention.ts';
import type { Config } from '../../config.ts';
import { isLive } from '../../grants/grant.ts';
import { listGrants } from '../../grants/grant-store.ts';
import type { Log } from '../../log.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import type { Store } from '../../store/store.ts';
import { bucketStart } from '../../time/time-buckets.ts';

/** Starts retention for the audit of a served store, with the owner's settings and calendar. */
export async function startAuditRetention(
  config: Config,
  store: Store,
  log: Log,
): Promise<{ stop(): Promise<void> }> {
  let catalog = await loadCatalog(store.read);
  const now = () => new Date();
  return startRetention({
    audit: store.audit,
    limits: { days: config.auditDays, bytes: config.auditBytes },
    async readProtected() {
      // Loaded again for each run, because the owner may have changed the time zone.
      catalog = await loadCatalog(store.read);
      const grants = await listGrants(store.read);
      const liveGrants = grants.filter((grant) => isLive(grant, now())).map(({ grantId }) => grantId);
      return { alarmsSeen: await store.read.owner.readSeenEvent(), liveGrants };
    },
    dayOf: (at) => new Date(bucketStart(Date.parse(at), 'day', catalog.timeZone)).toISOString(),
    now,
    exclusively: (work) => store.shared?.leases.tryRun('retention', work) ?? work(),
    onError: (error) =>
      log('warning', { message: 'Audit retention failed. It will run again.', cause: String(error) }),
  });
}
