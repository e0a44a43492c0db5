import type {
  AuditStore,
  DayCount,
  EntryPage,
  EventFilter,
  ReadCount,
  ReadFilter,
  SparedEvents,
  StoredEvent,
  StoredRead,
} from '../../audit-store.ts';
import type { PostgresDatabase } from '../database.ts';
import { type Sql, type SqlValue, sql } from '../sql.ts';
import { createAppend, type LogColumns } from './append-entries.ts';

type ReadName = keyof AuditStore & (`list${string}` | `find${string}` | 'countReads');

const texts = (...names: readonly string[]): LogColumns =>
  Object.fromEntries(names.map((name) => [name, 'text' as const]));

const readTypes: LogColumns = {
  ...texts('at', 'request_id', 'client', 'grant_id', 'surface', 'tool', 'connection_id', 'stream', 'fields'),
  ...{ records: 'int8', tokens_out: 'int8', ms: 'float8', outcome: 'text', touched: 'int8', way: 'text' },
};
const eventTypes: LogColumns = {
  ...texts('at', 'kind', 'client_id', 'client', 'grant_id', 'detail'),
  n: 'int8',
};
const countTypes: LogColumns = {
  ...texts('day', 'grant_id', 'client', 'surface', 'tool', 'outcome'),
  ...{ calls: 'int8', records: 'int8', tokens_out: 'int8', first_at: 'text', last_at: 'text' },
};
const readColumns = sql.raw(['id', ...Object.keys(readTypes)].join(', '));
const eventColumns = sql.raw(['id', ...Object.keys(eventTypes)].join(', '));
/** The newest entries by whose size the size of all is estimated. */
const SAMPLE_ENTRIES = 200;
/** What PostgreSQL stores with a row: its header, and its entries in indexes. */
const ROW_OVERHEAD_BYTES = 180;

/** The logs of one owner. `db` must not be part of a transaction: an entry stays when the transaction is rolled back. */
export function createAuditStore(db: PostgresDatabase): AuditStore {
  return { ...createAuditReads(db), ...createAuditWrites(db) };
}

function createAuditReads(db: PostgresDatabase): Pick<AuditStore, ReadName> {
  const mine = sql`owner_id = ${db.ownerId}`;
  return {
    listReads: (filter, page) =>
      db.query<StoredRead>(
        sql`select ${readColumns} from audit where ${mine} ${pageOf(whereRead(filter), page)}`,
      ),
    listEvents: (filter, page) =>
      db.query<StoredEvent>(
        sql`select ${eventColumns} from events where ${mine} ${pageOf(whereEvent(filter), page)}`,
      ),
    async findLastEventId() {
      const [row] = await db.query<{ id: number | null }>(
        sql`select max(id) as id from events where ${mine}`,
      );
      return row?.id ?? 0;
    },
    countReads(periods, filter) {
      const [from, to] = [periods.map(([start]) => start), periods.map(([, end]) => end)];
      const each = sql`unnest(${from}::text[], ${to}::text[]) with ordinality p (start, until, number)`;
      return db.query<ReadCount>(sql`
        select period, client, grant_id, sum(calls)::int8 as calls,
          sum(case when outcome <> 'ok' then calls else 0 end)::int8 as refused, sum(records)::int8 as records,
          sum(tokens_out)::int8 as tokens
        from (
          select p.number - 1 as period, client, grant_id, surface, tool, connection_id, at, outcome, records,
            tokens_out, 1 as calls
          from ${each} join audit on ${mine} and at >= p.start and at < p.until
          union all
          select p.number - 1, client, nullif(grant_id, ''), surface, tool, null, day, outcome, records, tokens_out,
            calls
          from ${each} join usage_days on ${mine} and day >= p.start and day < p.until
        ) counted
        where true ${and(whereRead(filter))}
        group by period, client, grant_id order by period, client, grant_id nulls first`);
    },
    async findLastUse(grantIds) {
      const rows = await db.query<{ id: string; at: string | null }>(sql`
        select g.id, coalesce(
          (select a.at from audit a where ${mine} and a.grant_id = g.id order by a.id desc limit 1),
          (select max(u.last_at) from usage_days u where ${mine} and u.grant_id = g.id)
        ) as at
        from unnest(${grantIds}::text[]) g (id)`);
      return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at] as const])));
    },
    async findFirstUse(grantId) {
      const [row] = await db.query<{ at: string | null }>(sql`
        select coalesce(
          (select min(first_at) from usage_days where ${mine} and grant_id = ${grantId}),
          (select at from audit where ${mine} and grant_id = ${grantId} order by id limit 1)
        ) as at`);
      return row?.at ?? undefined;
    },
    async findCountedUntil() {
      const [row] = await db.query<{ at: string | null }>(
        sql`select max(last_at) as at from usage_days where ${mine}`,
      );
      return row?.at ?? undefined;
    },
    listOldestReads: (limit) =>
      db.query<StoredRead>(sql`
        select ${readColumns} from audit
        where ${mine} and id < (select max(id) from audit where ${mine}) order by id limit ${limit}`),
    listOldestEvents: (spared, limit, kinds) =>
      db.query<StoredEvent>(sql`
        select ${eventColumns} from events
        where ${mine} and id < (select max(id) from events where ${mine}) ${and(wherePrunable(spared, kinds))}
        order by id limit ${limit}`),
  };
}

function pageOf(parts: readonly Sql[], { order, beforeId, limit }: EntryPage): Sql {
  const all = beforeId === undefined ? parts : [...parts, sql`id < ${beforeId}`];
  return sql`${and(all)} order by id ${sql.raw(order === 'newest' ? 'desc' : 'asc')} limit ${limit ?? null}`;
}

function whereRead({ grantId, from, to, exceptSurface, tool, connectionId, outcome }: ReadFilter): Sql[] {
  const parts = whereEntry({ grantId, from, to });
  if (exceptSurface !== undefined) parts.push(sql`surface <> ${exceptSurface}`);
  if (tool !== undefined) parts.push(sql`tool = ${tool}`);
  if (connectionId !== undefined)
    parts.push(sql`position(${`,${connectionId},`} in ',' || connection_id || ',') > 0`);
  if (outcome !== undefined) parts.push(outcome === 'ok' ? sql`outcome = 'ok'` : sql`outcome <> 'ok'`);
  return parts;
}

function whereEvent({ grantId, from, to, clientId, kinds, exceptKinds, afterId }: EventFilter): Sql[] {
  const parts = whereEntry({ grantId, from, to });
  if (clientId === null) parts.push(sql`client_id is null`);
  if (kinds !== undefined) parts.push(sql`kind = any(${kinds})`);
  if (exceptKinds !== undefined) parts.push(sql`kind <> all(${exceptKinds})`);
  if (afterId !== undefined) parts.push(sql`id > ${afterId}`);
  return parts;
}

function whereEntry({ grantId, from, to }: Pick<ReadFilter, 'grantId' | 'from' | 'to'>): Sql[] {
  const parts: Sql[] = [];
  if (grantId !== undefined)
    parts.push(grantId === null ? sql`grant_id is null` : sql`grant_id = ${grantId}`);
  if (from !== undefined) parts.push(sql`at >= ${from}`);
  if (to !== undefined) parts.push(sql`at < ${to}`);
  return parts;
}

function wherePrunable({ kinds, unseen, ofGrants }: SparedEvents, only?: readonly string[]): Sql[] {
  return [
    sql`kind <> all(${kinds})`,
    sql`not (kind = any(${unseen.kinds}) and id > ${unseen.seenId})`,
    sql`not (kind = any(${ofGrants.kinds}) and grant_id = any(${ofGrants.grantIds}))`,
    ...(only === undefined ? [] : [sql`kind = any(${only})`]),
  ];
}

/** Returns conditions that follow another one. */
function and(parts: readonly Sql[]): Sql {
  return sql.join(
    parts.map((part) => sql`and ${part}`),
    sql.raw(' '),
  );
}

function createAuditWrites(db: PostgresDatabase): Omit<AuditStore, ReadName> {
  const { ownerId } = db;
  const appendReads = createAppend(db, 'audit', readTypes);
  const appendEvents = createAppend(db, 'events', eventTypes);
  const addCounts = (counts: readonly DayCount[]) => sql`
    insert into usage_days (owner_id, ${sql.raw(Object.keys(countTypes).join(', '))})
    select ${ownerId}::int4, * from ${rowsOf(countTypes, counts)} day
    on conflict (owner_id, day, grant_id, client, surface, tool, outcome) do update set
      calls = usage_days.calls + excluded.calls, records = usage_days.records + excluded.records,
      tokens_out = usage_days.tokens_out + excluded.tokens_out,
      first_at = least(usage_days.first_at, excluded.first_at),
      last_at = greatest(usage_days.last_at, excluded.last_at)`;
  /** Every process prunes. Entries that another one has pruned meanwhile must not be counted twice. */
  const prune = async (log: 'audit' | 'events', ids: readonly number[], counts: readonly DayCount[]) => {
    try {
      await db.transact(async (queries) => {
        const removed = await queries.run(
          sql`delete from ${sql.raw(log)} where owner_id = ${ownerId} and id = any(${ids}::int8[])`,
        );
        if (removed < ids.length) throw new PrunedElsewhere();
        if (counts.length > 0) await queries.run(addCounts(counts));
        await queries.run(sql`
          insert into pruned (owner_id, log, through_id) values (${ownerId}, ${log}, ${Math.max(...ids)})
          on conflict (owner_id, log) do update set through_id = greatest(pruned.through_id, excluded.through_id)`);
      });
    } catch (error) {
      if (!(error instanceof PrunedElsewhere)) throw error;
    }
  };
  return {
    async appendReads(reads) {
      await appendReads(reads);
    },
    async appendEvent(event) {
      await appendEvents([event]);
    },
    pruneReads: (ids, counts) => prune('audit', ids, counts),
    pruneEvents: (ids) => prune('events', ids, []),
    async measureFile() {
      const used = (await estimateBytes(db, 'audit')) + (await estimateBytes(db, 'events'));
      return { used, free: 0, onDisk: used };
    },
    // Vacuum of PostgreSQL gives the space of removed entries to new ones.
    async enableShrinking() {},
    async shrinkFile() {},
  };
}

class PrunedElsewhere extends Error {}

/** Estimates the size of an owner's log: PostgreSQL knows only the size of the whole table. */
async function estimateBytes(db: PostgresDatabase, table: 'audit' | 'events'): Promise<number> {
  const log = sql.raw(table);
  const [row] = await db.query<{ entries: number; bytes: number | null }>(sql`
    select (select count(*) from ${log} where owner_id = ${db.ownerId}) as entries,
      (select avg(pg_column_size(newest.*))::float8 from (
        select * from ${log} where owner_id = ${db.ownerId} order by id desc limit ${SAMPLE_ENTRIES}
      ) newest) as bytes`);
  return row === undefined ? 0 : Math.round(row.entries * ((row.bytes ?? 0) + ROW_OVERHEAD_BYTES));
}

/** Returns entries as rows, one list of values per column. */
function rowsOf(types: LogColumns, entries: readonly object[]): Sql {
  const lists = Object.entries(types).map(([name, type]) => {
    const values = entries.map((entry) => (entry as Record<string, string | number | null>)[name] ?? null);
    return sql`${values satisfies SqlValue}::${sql.raw(type)}[]`;
  });
  return sql`unnest(${sql.join(lists)})`;
}
