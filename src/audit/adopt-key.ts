import { createEndFinder } from '../store/sqlite/append.ts';
import { addChainKey, fingerprintOf } from '../store/sqlite/chain.ts';
import type { AuditStore } from '../store/sqlite/open-store.ts';
import { resealCounts } from './count-reads.ts';
import { resealGaps } from './gaps.ts';

/**
 * Begins to seal with the key at hand, where the rows so far were sealed with another: the key file was lost or
 * replaced, or the audit is that of another folder. Returns whether it was so. What was counted is taken as it is.
 */
export async function adoptKey({ db, transactAtOnce, chainKey }: AuditStore, now: Date): Promise<boolean> {
  const last = await db
    .selectFrom('chain_keys')
    .select('fingerprint')
    .orderBy('key_id', 'desc')
    .executeTakeFirst();
  if (last?.fingerprint === fingerprintOf(chainKey)) return false;
  return transactAtOnce((raw) => {
    const known = raw.prepare('select fingerprint from chain_keys order by key_id desc limit 1').pluck();
    if (known.get() === fingerprintOf(chainKey)) return false;
    const after = { audit: createEndFinder(raw, 'audit')().id, events: createEndFinder(raw, 'events')().id };
    addChainKey(raw, chainKey, after, now.toISOString());
    resealGaps(raw, chainKey);
    resealCounts(raw, chainKey);
    return true;
  });
}
