import type { AuditEntry } from '../../../src/audit/audit.ts';
import { createAudit } from '../../../src/audit/audit.ts';
import { type ChainReport, checkChain } from '../../../src/audit/check-chain.ts';
import { createPruner, type KeepRules, type Spared } from '../../../src/audit/prune.ts';
import type { ChainName } from '../../../src/store/sqlite/chain.ts';
import type { SqliteStore } from '../../../src/store/sqlite/open-store.ts';
import { NOW } from '../world.ts';

export const DAY = 86_400_000;

export function readEntry(change: Partial<AuditEntry> = {}): AuditEntry {
  return {
    requestId: 'req_1',
    client: 'Test app',
    grantId: 'grant_1',
    surface: 'mcp',
    tool: 'search',
    connectionIds: ['mine'],
    streams: ['entries'],
    fields: ['title', 'body'],
    records: 3,
    tokensOut: 100,
    ms: 1.25,
    outcome: 'ok',
    ...change,
  };
}

/** Writes reads, one every `stepMs`, the last one at NOW. */
export async function addReads(
  store: SqliteStore,
  count: number,
  stepMs: number,
  change: Partial<AuditEntry> = {},
): Promise<void> {
  const write = createAudit(store.audit);
  for (let i = 0; i < count; i += 1)
    await write(
      readEntry({ requestId: `req_${i}`, ...change }),
      new Date(NOW.getTime() - (count - 1 - i) * stepMs),
    );
}

/** Prunes until there is nothing left to do. */
export function pruneAll(
  store: SqliteStore,
  rules: Partial<KeepRules>,
  spared: Partial<Spared> = {},
  dayOf = (at: string) => `${at.slice(0, 10)}T00:00:00.000Z`,
): void {
  const pruner = createPruner(store.audit, dayOf);
  const all = { days: 10_000, bytes: Number.MAX_SAFE_INTEGER, ...rules };
  for (let step = 0; pruner.step(all, { alarmsSeen: 0, liveGrants: [], ...spared }, NOW); step += 1)
    if (step > 10_000) throw new Error('pruning does not end');
}

/** What walking along the chain says, without what is nought. */
export function walk(store: SqliteStore, chain: ChainName = 'audit', key = store.audit.chainKey) {
  const { end: _, changed, missing, lost, ...rest }: ChainReport = checkChain(store.audit.raw, key, chain);
  const told = { changed: changed.ids, missing: missing.count, lost: lost.count, ...rest };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== 0 && String(value) !== ''));
}
