import { randomUUID } from 'node:crypto';
import type { LeaseStore } from '../../shared-state.ts';
import type { PostgresDatabase } from '../database.ts';
import { sql } from '../sql.ts';

/** After this time without renewal another process may take over. */
export const LEASE_MS = 10_000;
const RENEWAL_MS = LEASE_MS / 4;

/**
 * Leases are rows that expire by the clock of the database. Unlike advisory locks they work behind a pooler in transaction
 * mode, need no connection of their own, and outlive a restart of the database.
 */
export function createLeaseStore(db: PostgresDatabase): LeaseStore {
  const owner = db.ownerId;
  const until = sql`now() + ${LEASE_MS}::int4 * interval '1 millisecond'`;
  const claim = async (name: string, holder: string) =>
    (await db.run(sql`insert into leases as l values (${owner}, ${name}, ${holder}, ${until})
      on conflict (owner_id, name) do update set holder = excluded.holder, expires_at = excluded.expires_at
        where l.expires_at < now()`)) > 0;
  const renew = async (name: string, holder: string) =>
    (await db.run(sql`update leases set expires_at = ${until}
      where owner_id = ${owner} and name = ${name} and holder = ${holder}`)) > 0;
  const release = (name: string, holder: string) =>
    db.run(sql`delete from leases where owner_id = ${owner} and name = ${name} and holder = ${holder}`);
  return {
    async tryRun(name, work) {
      const holder = randomUUID();
      if (!(await claim(name, holder))) return;
      const renewal = startRenewal(() => renew(name, holder));
      try {
        return { result: await work(renewal.signal) };
      } finally {
        renewal.stop();
        // A lease that cannot be released now expires.
        await release(name, holder).catch(() => {});
      }
    },
  };
}

/** Renews a lease until it is stopped. The signal is aborted when the lease is lost. */
function startRenewal(renew: () => Promise<boolean>): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  let renewedAt = performance.now();
  const timer = setInterval(async () => {
    const startedAt = performance.now();
    const outcome = await renew().then(
      (isRenewed) => (isRenewed ? 'renewed' : 'lost'),
      () => (performance.now() - renewedAt < LEASE_MS ? 'unknown' : 'lost'),
    );
    if (outcome === 'renewed') renewedAt = startedAt;
    if (outcome === 'lost') controller.abort(new Error('The lease was lost.'));
  }, RENEWAL_MS);
  timer.unref();
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}
