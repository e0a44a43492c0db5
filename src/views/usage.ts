import { sql } from 'kysely';
import { readsWithin, toStretches } from '../audit/reads.ts';
import type { AuditStore } from '../store/open-store.ts';
import { bucketName, lastEdges } from '../time/time-buckets.ts';

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

interface Row {
  day: number;
  grant_id: string;
  calls: number;
  records: number;
  tokens: number;
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
  const { rows } = await sql<Row>`
    select stretch as day, grant_id, sum(calls) as calls, sum(records) as records, sum(tokens_out) as tokens
    from ${readsWithin(toStretches(edges))}
    where ${grantId === undefined ? sql`grant_id is not null` : sql`grant_id = ${grantId}`}
    group by stretch, grant_id`.execute(audit.db);
  return (id) => {
    const own = new Map(rows.filter((row) => row.grant_id === id).map((row) => [row.day, row]));
    const used = names.map((day, index): DayOfUse => {
      const { calls = 0, records = 0, tokens = 0 } = own.get(index) ?? {};
      return { day, calls, records, tokens };
    });
    return {
      calls: used.reduce((sum, day) => sum + day.calls, 0),
      records: used.reduce((sum, day) => sum + day.records, 0),
      tokens: used.reduce((sum, day) => sum + day.tokens, 0),
      days: used,
    };
  };
}

/** When each grant was last used, if ever. */
export async function readLastUse(
  audit: AuditStore,
  grantIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; at: string | null }>`
    select g.value as id, coalesce(
      (select a.at from audit a where a.grant_id = g.value order by a.id desc limit 1),
      (select max(u.last_at) from usage_days u where u.grant_id = g.value)
    ) as at
    from json_each(${JSON.stringify(grantIds)}) g`.execute(audit.db);
  return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at] as const])));
}

/** When a grant was first used, if ever. */
export async function readFirstUse(audit: AuditStore, grantId: string): Promise<string | undefined> {
  const { rows } = await sql<{ at: string | null }>`
    select coalesce(
      (select min(u.first_at) from usage_days u where u.grant_id = ${grantId}),
      (select a.at from audit a where a.grant_id = ${grantId} order by a.id limit 1)
    ) as at`.execute(audit.db);
  return rows[0]?.at ?? undefined;
}
