import type { AuditStore } from '../store/sqlite/open-store.ts';
import { bucketName, lastEdges, toPeriods } from '../time/time-buckets.ts';

export const USAGE_DAYS = 30;

export interface DayOfUse {
  readonly day: string;
  readonly calls: number;
  readonly records: number;
  readonly tokens: number;
}

export interface Usage {
  readonly calls: number;
  readonly records: number;
  readonly tokens: number;
  readonly days: readonly DayOfUse[];
}

/** What each grant was used for in the last 30 days of the owner's calendar, today included. */
export async function readUsage(
  audit: AuditStore,
  now: Date,
  timeZone: string,
  grantId?: string,
): Promise<(grantId: string) => Usage> {
  const edges = lastEdges(0, now.getTime(), 'day', timeZone, USAGE_DAYS);
  const names = edges.slice(0, -1).map((start) => bucketName(start, 'day', timeZone));
  const counts = await audit.countReads(toPeriods(edges), grantId === undefined ? {} : { grantId });
  return (id) => {
    const used = names.map((day) => ({ day, calls: 0, records: 0, tokens: 0 }));
    for (const { period, grant_id, calls, records, tokens } of counts) {
      const day = used[period];
      if (grant_id !== id || day === undefined) continue;
      day.calls += calls;
      day.records += records;
      day.tokens += tokens;
    }
    return {
      calls: used.reduce((sum, day) => sum + day.calls, 0),
      records: used.reduce((sum, day) => sum + day.records, 0),
      tokens: used.reduce((sum, day) => sum + day.tokens, 0),
      days: used,
    };
  };
}
