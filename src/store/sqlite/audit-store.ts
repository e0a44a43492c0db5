import type Database from 'better-sqlite3';
import { type Kysely, type RawBuilder, sql } from 'kysely';
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
} from '../audit-store.ts';
import { createKysely } from './sqlite.ts';

type Condition = RawBuilder<boolean>;
type ReadName = keyof AuditStore & (`list${string}` | `find${string}` | 'countReads');

const readNames = [
  ...['at', 'request_id', 'client', 'grant_id', 'surface', 'tool', 'connection_id', 'stream', 'fields'],
  ...['records', 'tokens_out', 'ms', 'outcome', 'touched', 'way'],
];
const eventNames = ['at', 'kind', 'client_id', 'client', 'grant_id', 'detail', 'n'];
const dayNames = ['day', 'grant_id', 'client', 'surface', 'tool', 'outcome'];
const countNames = ['calls', 'records', 'tokens_out', 'first_at', 'last_at'];
const readColumns = sql.raw(['id', ...readNames].join(', '));
const eventColumns = sql.raw(['id', ...eventNames].join(', '));
/** The size to which the log is cut after a checkpoint. */
const MAX_LOG_BYTES = 4 * 2 ** 20;

/** The audit in a file of its own. */
export function createAuditStore(raw: Database.Database): AuditStore & { readonly raw: Database.Database } {
  return { ...createAuditReads(createKysely(raw)), ...createAuditWrites(raw), raw };
}

function createAuditReads(db: Kysely<unknown>): Pick<AuditStore, ReadName> {
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
    // Cross joins and a named index: each period is one range of time. By grant it would be one scan each.
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

function whereEntry({ grantId, from, to }: Pick<ReadFilter, 'grantId' | 'from' | 'to'>) {
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

/** SQLite numbers an entry one above the newest, which is never pruned. */
function createAuditWrites(raw: Database.Database): Omit<AuditStore, ReadName> {
  const insert = (table: string, names: readonly string[]) =>
    `insert into ${table} (${names}) values (${names.map((name) => `@${name}`)})`;
  const insertRead = raw.prepare(insert('audit', readNames));
  const insertReads = raw.transaction((reads: readonly object[]) => {
    for (const read of reads) insertRead.run(toWellFormed(read));
  });
  const insertEvent = raw.prepare(insert('events', eventNames));
  const insertCount = raw.prepare(
    `${insert('usage_days', [...dayNames, ...countNames])} on conflict do update set
       calls = calls + excluded.calls, records = records + excluded.records,
       tokens_out = tokens_out + excluded.tokens_out,
       first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)`,
  );
  const notePruned = raw.prepare(
    `insert into pruned (log, through_id) values (?, ?)
     on conflict do update set through_id = max(through_id, excluded.through_id)`,
  );
  const prune = raw.transaction(
    (log: 'audit' | 'events', ids: readonly number[], counts: readonly DayCount[]) => {
      for (const count of counts) insertCount.run(count);
      raw.prepare(`delete from ${log} where id in (select value from json_each(?))`).run(JSON.stringify(ids));
      notePruned.run(log, Math.max(...ids));
    },
  );
  const measure = () => {
    const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map(
      (name) => raw.pragma(name, { simple: true }) as number,
    ) as [number, number, number];
    return { used: (pages - free) * size, free, onDisk: pages * size };
  };
  return {
    async appendReads(reads) {
      insertReads.immediate(reads);
    },
    async appendEvent(event) {
      insertEvent.run(toWellFormed(event));
    },
    async pruneReads(ids, counts) {
      prune.immediate('audit', ids, counts);
    },
    async pruneEvents(ids) {
      prune.immediate('events', ids, []);
    },
    measureFile: async () => measure(),
    async enableShrinking() {
      raw.pragma(`journal_size_limit = ${MAX_LOG_BYTES}`);
      if (raw.pragma('auto_vacuum', { simple: true }) === 2) return;
      raw.pragma('auto_vacuum = incremental');
      raw.exec('vacuum');
      raw.pragma('wal_checkpoint(truncate)');
    },
    async shrinkFile(pages) {
      raw.pragma(`incremental_vacuum(${pages})`);
    },
  };
}

/** Replaces half characters, which would be stored as invalid UTF-8. */
function toWellFormed(entry: object): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry))
    values[name] = typeof value === 'string' ? value.toWellFormed() : value;
  return values;
}
