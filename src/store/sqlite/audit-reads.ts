import { type Kysely, type RawBuilder, sql } from 'kysely';
import type {
  AuditStore,
  EntryPage,
  EventFilter,
  ReadCount,
  ReadFilter,
  SparedEvents,
  StoredEvent,
  StoredRead,
} from '../audit-store.ts';

type Condition = RawBuilder<boolean>;
type AuditReads = Pick<
  AuditStore,
  | 'listReads'
  | 'listEvents'
  | 'findLastEventId'
  | 'countReads'
  | 'findLastUse'
  | 'findFirstUse'
  | 'findCountedUntil'
  | 'listOldestReads'
  | 'listOldestEvents'
>;

const readColumns = sql.raw(
  'id, at, request_id, client, grant_id, surface, tool, connection_id, stream, fields, records, tokens_out, ms, outcome, touched, way',
);
const eventColumns = sql.raw('id, at, kind, client_id, client, grant_id, detail, n');

/** The queries over the audit. */
export function createAuditReads(db: Kysely<unknown>): AuditReads {
  const list = async <T>(query: RawBuilder<T>) => (await query.execute(db)).rows;
  return {
    listReads: (filter, page) =>
      list(sql<StoredRead>`select ${readColumns} from audit ${pageOf(whereRead(filter), page)}`),
    listEvents: (filter, page) =>
      list(sql<StoredEvent>`select ${eventColumns} from events ${pageOf(whereEvent(filter), page)}`),
    async findLastEventId() {
      const [row] = await list(sql<{ id: number | null }>`select max(id) as id from events`);
      return row?.id ?? 0;
    },
    // Cross joins and the index by name: each period is one range of time, which by grant would be one scan each.
    countReads: (periods, filter) => {
      const each = sql`json_each(${JSON.stringify(periods)}) p`;
      return list(sql<ReadCount>`
        select period, client, grant_id, sum(calls) as calls, sum(iif(outcome <> 'ok', calls, 0)) as refused,
          sum(records) as records, sum(tokens_out) as tokens
        from (
          select p.key as period, client, grant_id, surface, tool, connection_id, at, outcome, records, tokens_out,
            1 as calls
          from ${each} cross join audit indexed by audit_at on at >= p.value ->> 0 and at < p.value ->> 1
          union all
          select p.key, client, nullif(grant_id, ''), surface, tool, null, day, outcome, records, tokens_out, calls
          from ${each} cross join usage_days on day >= p.value ->> 0 and day < p.value ->> 1
        )
        where ${and(whereRead(filter))}
        group by period, client, grant_id`);
    },
    async findLastUse(grantIds) {
      const rows = await list(sql<{ id: string; at: string | null }>`
        select g.value as id, coalesce(
          (select a.at from audit a where a.grant_id = g.value order by a.id desc limit 1),
          (select max(u.last_at) from usage_days u where u.grant_id = g.value)
        ) as at
        from json_each(${JSON.stringify(grantIds)}) g`);
      return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at] as const])));
    },
    async findFirstUse(grantId) {
      const [row] = await list(sql<{ at: string | null }>`
        select coalesce(
          (select min(u.first_at) from usage_days u where u.grant_id = ${grantId}),
          (select a.at from audit a where a.grant_id = ${grantId} order by a.id limit 1)
        ) as at`);
      return row?.at ?? undefined;
    },
    async findCountedUntil() {
      const [row] = await list(sql<{ at: string | null }>`select max(last_at) as at from usage_days`);
      return row?.at ?? undefined;
    },
    listOldestReads: (limit) =>
      list(sql<StoredRead>`
        select ${readColumns} from audit where id < (select max(id) from audit) order by id limit ${limit}`),
    listOldestEvents: (spared, limit, kinds) =>
      list(sql<StoredEvent>`
        select ${eventColumns} from events
        where id < (select max(id) from events) and ${and(wherePrunable(spared, kinds))}
        order by id limit ${limit}`),
  };
}

function pageOf(
  parts: readonly Condition[],
  { order, beforeId, limit = -1 }: EntryPage,
): RawBuilder<unknown> {
  const all = beforeId === undefined ? parts : [...parts, sql<boolean>`id < ${beforeId}`];
  return sql`where ${and(all)} order by id ${sql.raw(order === 'newest' ? 'desc' : 'asc')} limit ${limit}`;
}

function whereRead({
  grantId,
  from,
  to,
  exceptSurface,
  tool,
  connectionId,
  outcome,
}: ReadFilter): Condition[] {
  const parts = whereEntry({ grantId, from, to });
  if (exceptSurface !== undefined) parts.push(sql`surface <> ${exceptSurface}`);
  if (tool !== undefined) parts.push(sql`tool = ${tool}`);
  if (connectionId !== undefined)
    parts.push(sql`instr(',' || connection_id || ',', ${`,${connectionId},`}) > 0`);
  if (outcome !== undefined) parts.push(outcome === 'ok' ? sql`outcome = 'ok'` : sql`outcome <> 'ok'`);
  return parts;
}

function whereEvent({ grantId, from, to, clientId, kinds, exceptKinds, afterId }: EventFilter): Condition[] {
  const parts = whereEntry({ grantId, from, to });
  if (clientId === null) parts.push(sql`client_id is null`);
  if (kinds !== undefined) parts.push(sql`kind in (${sql.join(kinds)})`);
  if (exceptKinds !== undefined) parts.push(sql`kind not in (${sql.join(exceptKinds)})`);
  if (afterId !== undefined) parts.push(sql`id > ${afterId}`);
  return parts;
}

function whereEntry({ grantId, from, to }: { [K in 'grantId' | 'from' | 'to']: ReadFilter[K] | undefined }) {
  const parts: Condition[] = [];
  if (grantId !== undefined)
    parts.push(grantId === null ? sql`grant_id is null` : sql`grant_id = ${grantId}`);
  if (from !== undefined) parts.push(sql`at >= ${from}`);
  if (to !== undefined) parts.push(sql`at < ${to}`);
  return parts;
}

function wherePrunable({ kinds, unseen, ofGrants }: SparedEvents, only?: readonly string[]): Condition[] {
  return [
    sql`kind not in (${sql.join(kinds)})`,
    sql`not (kind in (${sql.join(unseen.kinds)}) and id > ${unseen.seenId})`,
    sql`not (kind in (${sql.join(ofGrants.kinds)})
      and grant_id in (select value from json_each(${JSON.stringify(ofGrants.grantIds)})))`,
    ...(only === undefined ? [] : [sql<boolean>`kind in (${sql.join(only)})`]),
  ];
}

function and(parts: readonly Condition[]): Condition {
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
}
