import type { AuditEntry } from '../../../src/audit/audit.ts';
import { createAudit } from '../../../src/audit/audit.ts';
import {
  createPruneStep,
  type ProtectedEntries,
  type RetentionLimits,
} from '../../../src/audit/retention.ts';
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
export async function pruneAll(
  { audit }: SqliteStore,
  limits: Partial<RetentionLimits>,
  spared: Partial<ProtectedEntries> = {},
  dayOf = (at: string) => `${at.slice(0, 10)}T00:00:00.000Z`,
): Promise<void> {
  const prune = createPruneStep(audit, dayOf);
  const all = { days: 10_000, bytes: Number.MAX_SAFE_INTEGER, ...limits };
  for (let step = 0; await prune(all, { alarmsSeen: 0, liveGrants: [], ...spared }, NOW); step += 1)
    if (step > 10_000) throw new Error('pruning does not end');
}

/** How many reads are stored, and how many were pruned and are only counted. */
export function countReads({ audit }: SqliteStore): { entries: number; counted: number } {
  const count = (sql: string) => audit.raw.prepare(sql).pluck().get() as number;
  return {
    entries: count('select count(*) from audit'),
    counted: count('select coalesce(sum(calls), 0) from usage_days'),
  };
}
