import { type Kysely, type RawBuilder, sql } from 'kysely';
import { toValue } from '../../field-value.ts';
import { boundPage, readBound, type StoredPageRow } from '../../large/bound-record.ts';
import type { PageRequest, RecordPage, Sort } from '../../record-reads.ts';
import type { Scope } from '../../scope.ts';
import { INDEXED_SLOTS } from '../../scope.ts';
import { mergeRows } from '../../values.ts';
import type { Tables } from '../tables.ts';
import { createLargeReads } from './large-reads.ts';
import { isVisibleNow, listChangeRanges, movedOutSince } from './past.ts';
import { isSmallWindow } from './read-keys.ts';
import { columnOf, exactly, storedVersion, whereConditions, whereVisible } from './scope-sql.ts';

interface StoredRow extends StoredPageRow {
  readonly horizon: number;
}

/** Returns one page of one stream, straight from an index where the sort allows. */
export async function readPage(db: Kysely<Tables>, scope: Scope, request: PageRequest): Promise<RecordPage> {
  const stored = await readStored(db, scope, request);
  const rows = await boundPage(scope, stored, (version) => readBound(createLargeReads(db), scope, version));
  return { rows, horizon: stored[0]?.horizon ?? request.horizon ?? 0 };
}

async function readStored(db: Kysely<Tables>, scope: Scope, request: PageRequest): Promise<StoredRow[]> {
  const rows = await readCurrentPage(db, scope, request);
  if (request.horizon === undefined) return rows;
  const past = await readPastPage(db, scope, request, request.horizon);
  return past.length === 0 ? rows : mergeRows([[...rows, ...past]], request.sort).slice(0, request.limit);
}

async function readCurrentPage(db: Kysely<Tables>, scope: Scope, request: PageRequest): Promise<StoredRow[]> {
  // Sorted by key, hidden records lie between visible ones; sorted by time, they do not.
  const fromFacets = request.sort.field !== undefined || (await isSmallWindow(db, scope));
  const { rows } = await sql<StoredRow>`
    select ${sortValue(scope, request.sort, 'r')} as value, r.key as key, ${storedVersion('r')} as version,
      (select value from counters where name = 'seq') as horizon
    from ${fromFacets ? sql`facets f ${useIndex(scope, request)} join records r on r.rid = f.rid` : fromRecords(request)}
    where ${whereVisible(scope, fromFacets ? 'f' : 'r')}
      and ${whereConditions(scope, request.conditions)}
      and ${whereAfter(scope, request, 'r')}
      ${request.horizon === undefined ? sql`` : sql`and r.seq <= ${request.horizon}`}
    order by ${orderBy(scope, request.sort, 'r')} limit ${request.limit}`.execute(db);
  return decodeValues(rows, request.sort);
}

/** Reads records that have changed since the horizon and stayed visible, as they were at the horizon. */
async function readPastPage(
  db: Kysely<Tables>,
  scope: Scope,
  request: PageRequest,
  horizon: number,
): Promise<StoredRow[]> {
  let page: StoredRow[] = [];
  const key = sql.ref('h.key');
  for await (const { from, to } of listChangeRanges(db, horizon)) {
    // The versions are selected from the index alone, so that no others are read.
    const { rows } = await sql<StoredRow>`
      with v as materialized (
        select h.key, h.from_seq from history h indexed by history_to
        where ${whereVisible(scope, 'h')} and h.from_seq <= ${horizon} and h.to_seq > ${from}
          ${to === undefined ? sql`` : sql`and h.to_seq <= ${to}`}
      )
      select ${sortValue(scope, request.sort, 'h')} as value, h.key as key, ${storedVersion('h')} as version, ${horizon} as horizon
      from v cross join history h on h.stream_id = ${scope.stream.streamId} and h.key = v.key and h.from_seq = v.from_seq
      where h.data is not null and ${whereConditions(scope, request.conditions, 'h', 'h')}
        and ${whereAfter(scope, request, 'h')}
        and ${isVisibleNow(scope, key)} and not ${movedOutSince(scope, key, horizon)}
      order by ${orderBy(scope, request.sort, 'h')} limit ${request.limit}`.execute(db);
    const step = decodeValues(rows, request.sort);
    page = page.length === 0 ? step : mergeRows([[...page, ...step]], request.sort).slice(0, request.limit);
  }
  return page;
}

/** Converts integers beyond 2^53, which the database returns as text, so that they compare as integers. */
function decodeValues(rows: StoredRow[], { field }: Sort): StoredRow[] {
  if (field?.kind !== 'integer') return rows;
  return rows.map((row) =>
    typeof row.value === 'string' ? { ...row, value: toValue('integer', row.value, 'UTC') } : row,
  );
}

function fromRecords({ conditions }: PageRequest): RawBuilder<unknown> {
  return conditions.length > 0
    ? sql`records r join facets f on f.stream_id = r.stream_id and f.t = r.t and f.key = r.key`
    : sql`records r`;
}

/**
 * Names the index of a slot with an equality condition, if the page is sorted by time. Without statistics the planner
 * would scan the stream, and with statistics the plan would depend on stored data.
 */
function useIndex(scope: Scope, { sort, conditions }: PageRequest): RawBuilder<unknown> {
  if (sort.field === undefined || sort.field.name !== scope.stream.timeField?.name) return sql``;
  const slots = conditions
    .filter((condition) => condition.op === 'any' && condition.values.length === 1)
    .map((condition) => scope.stream.plan.slots[condition.field.name] ?? INDEXED_SLOTS);
  const slot = Math.min(INDEXED_SLOTS, ...slots);
  return slot < INDEXED_SLOTS ? sql.raw(`indexed by facets_s${slot}`) : sql``;
}

function sortColumn(scope: Scope, sort: Sort, table: 'r' | 'h'): RawBuilder<unknown> {
  if (sort.field === undefined) return sql.ref(`${table}.key`);
  return columnOf(scope, sort.field, table === 'r' ? 'f' : 'h');
}

function sortValue(scope: Scope, sort: Sort, table: 'r' | 'h'): RawBuilder<unknown> {
  const column = sortColumn(scope, sort, table);
  return sort.field === undefined ? column : exactly(sort.field, column);
}

function keyColumn(sort: Sort, table: 'r' | 'h'): RawBuilder<unknown> {
  return sql.ref(table === 'r' && sort.field !== undefined ? 'f.key' : `${table}.key`);
}

function orderBy(scope: Scope, sort: Sort, table: 'r' | 'h'): RawBuilder<unknown> {
  const direction = sql.raw(sort.direction);
  const key = keyColumn(sort, table);
  return sort.field === undefined
    ? sql`${key} ${direction}`
    : sql`${sortColumn(scope, sort, table)} ${direction}, ${key} ${direction}`;
}

/** Returns the condition for records after the previous page. Missing values sort lowest. */
function whereAfter(scope: Scope, request: PageRequest, table: 'r' | 'h'): RawBuilder<boolean> {
  const { after, sort } = request;
  if (after === undefined) return sql`true`;
  const column = sortColumn(scope, sort, table);
  const isAscending = sort.direction === 'asc';
  const compare = sql.raw(isAscending ? '>' : '<');
  if (sort.field === undefined) {
    return after.ties === 'all'
      ? sql`${column} ${compare}= ${after.value}`
      : sql`${column} ${compare} ${after.value}`;
  }
  const key = keyColumn(sort, table);
  const nullable = scope.stream.timeField?.name !== sort.field.name;
  if (!nullable && after.ties === 'after-key')
    return sql`(${column}, ${key}) ${compare} (${after.value}, ${after.key})`;
  const tie = { none: sql`false`, all: sql`true`, 'after-key': sql`${key} ${compare} ${after.key}` }[
    after.ties
  ];
  if (after.value === null) {
    return isAscending ? sql`(${column} is not null or ${tie})` : sql`(${column} is null and ${tie})`;
  }
  const missing = isAscending || !nullable ? sql`` : sql` or ${column} is null`;
  return sql`(${column} ${compare} ${after.value} or (${column} = ${after.value} and ${tie})${missing})`;
}
