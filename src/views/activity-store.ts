import { type RawBuilder, type Selectable, sql } from 'kysely';
import { strangerKinds } from '../audit/event-kinds.ts';
import { readsWithin, toStretches } from '../audit/reads.ts';
import type { AuditStore } from '../store/sqlite/open-store.ts';
import type { AuditTables } from '../store/sqlite/tables.ts';

export type ReadRow = Selectable<AuditTables['audit']>;
export type EventRow = Selectable<AuditTables['events']>;

/** What reads and events are narrowed to. */
export interface ActivityScope {
  /** A grant, or `owner` for what the owner did. Without it: everything but the owner's own browsing. */
  readonly app?: string;
  /** A tool, or `events` for what is not a read. */
  readonly tool?: string;
  readonly connection?: string;
  readonly outcome?: 'ok' | 'refused';
  /** Milliseconds since 1970, the first inside and the second outside. */
  readonly from?: number;
  readonly to?: number;
}

export interface PlotRow {
  readonly bucket: number;
  readonly client: string;
  readonly reads: number;
  readonly refused: number;
  readonly records: number;
  readonly tokens: number;
}

export interface UsageRow {
  readonly day: number;
  readonly grant_id: string;
  readonly calls: number;
  readonly records: number;
  readonly tokens: number;
}

/** Returns listed reads with an id below the given one, newest first. */
export function listReads({ db }: AuditStore, scope: ActivityScope, before: number, limit: number) {
  return db
    .selectFrom('audit')
    .selectAll()
    .where(whereRead(scope))
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns events with an id below the given one, newest first. */
export function listEvents({ db }: AuditStore, scope: ActivityScope, before: number, limit: number) {
  return db
    .selectFrom('events')
    .selectAll()
    .where(whereEvent(scope))
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the latest events of apps that come in: registered, asked, denied. */
export function listArrivals({ db }: AuditStore, from: number, limit: number): Promise<EventRow[]> {
  return db
    .selectFrom('events')
    .selectAll()
    .where('at', '>=', toText(from))
    .where('kind', 'in', ['registered', 'asked', 'denied'])
    .orderBy('at', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the time up to which reads are only counted, null while all are listed. */
export async function readCountedUntil({ db }: AuditStore): Promise<string | null> {
  const last = db.selectFrom('usage_days').select((eb) => eb.fn.max('last_at').as('at'));
  return (await last.executeTakeFirst())?.at ?? null;
}

/** Counts reads by app between each two edges of time. */
export async function countReadsByApp({ db }: AuditStore, scope: ActivityScope, edges: readonly number[]) {
  const { rows } = await sql<PlotRow>`
    select stretch as bucket, client, sum(calls) as reads, sum(iif(outcome <> 'ok', calls, 0)) as refused,
      sum(records) as records, sum(tokens_out) as tokens
    from ${readsWithin(toStretches(edges))}
    where ${whereRead(scope)}
    group by stretch, client`.execute(db);
  return rows;
}

/** Counts reads by grant between each two edges of time, for one grant or all. */
export async function countReadsByGrant({ db }: AuditStore, edges: readonly number[], grantId?: string) {
  const { rows } = await sql<UsageRow>`
    select stretch as day, grant_id, sum(calls) as calls, sum(records) as records, sum(tokens_out) as tokens
    from ${readsWithin(toStretches(edges))}
    where ${grantId === undefined ? sql`grant_id is not null` : sql`grant_id = ${grantId}`}
    group by stretch, grant_id`.execute(db);
  return rows;
}

/** Returns when each grant was last used, if ever. */
export async function readLastUse(
  { db }: AuditStore,
  grantIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; at: string | null }>`
    select g.value as id, coalesce(
      (select a.at from audit a where a.grant_id = g.value order by a.id desc limit 1),
      (select max(u.last_at) from usage_days u where u.grant_id = g.value)
    ) as at
    from json_each(${JSON.stringify(grantIds)}) g`.execute(db);
  return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at] as const])));
}

/** Returns when a grant first listed the tools and when it first called one, null if never. */
export async function readFirstUse({ db }: AuditStore, grantId: string) {
  const { rows } = await sql<{ listed_at: string | null; called_at: string | null }>`
    select
      (select e.at from events e where e.grant_id = ${grantId} and e.kind = 'listed' order by e.id limit 1)
        as listed_at,
      coalesce(
        (select min(u.first_at) from usage_days u where u.grant_id = ${grantId}),
        (select a.at from audit a where a.grant_id = ${grantId} order by a.id limit 1)
      ) as called_at`.execute(db);
  return rows[0] ?? { listed_at: null, called_at: null };
}

function whereRead({ app, tool, connection, outcome, from, to }: ActivityScope): RawBuilder<boolean> {
  const parts = whereTimes(from, to);
  if (tool === 'events') parts.push(sql`false`);
  else if (tool !== undefined) parts.push(sql`tool = ${tool}`);
  if (app === undefined) parts.push(sql`surface <> 'dashboard'`);
  else parts.push(app === 'owner' ? sql`grant_id is null` : sql`grant_id = ${app}`);
  if (connection !== undefined) parts.push(sql`instr(',' || connection_id || ',', ${`,${connection},`}) > 0`);
  if (outcome !== undefined) parts.push(outcome === 'ok' ? sql`outcome = 'ok'` : sql`outcome <> 'ok'`);
  return sql.join(parts, sql` and `);
}

/** Events have no tool, no connection and no outcome: a filter by one of these selects reads only. */
function whereEvent({ app, tool, connection, outcome, from, to }: ActivityScope): RawBuilder<boolean> {
  const parts = [sql<boolean>`true`, ...whereTimes(from, to)];
  if ((tool !== undefined && tool !== 'events') || connection !== undefined || outcome !== undefined)
    parts.push(sql`false`);
  // What has no app is the owner's, unless a stranger did it.
  if (app === 'owner')
    parts.push(sql`grant_id is null and client_id is null and kind not in (${sql.join(strangerKinds)})`);
  else if (app !== undefined) parts.push(sql`grant_id = ${app}`);
  return sql.join(parts, sql` and `);
}

function whereTimes(from: number | undefined, to: number | undefined): RawBuilder<boolean>[] {
  return [
    ...(from === undefined ? [] : [sql<boolean>`at >= ${toText(from)}`]),
    ...(to === undefined ? [] : [sql<boolean>`at < ${toText(to)}`]),
  ];
}

function toText(ms: number): string {
  return new Date(ms).toISOString();
}
