import { boundPage, readBound, type StoredPageRow } from '../../large/bound-record.ts';
import type { PageRequest, RecordPage, Sort } from '../../record-reads.ts';
import type { Scope } from '../../scope.ts';
import { mergeRows } from '../../values.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { type Sql, sql } from '../sql.ts';
import {
  type Column,
  compare,
  isAny,
  isMissing,
  isPresent,
  orderOf,
  readValue,
  selectAs,
  type Table,
  type ValueRow,
} from './columns.ts';
import { createLargeReads, decodeVersion, storedVersion } from './large-reads.ts';
import { isVisibleNow, movedOutSince } from './past.ts';
import { columnOf, whereConditions, whereVisible } from './scope-sql.ts';

interface Row extends ValueRow {
  readonly key: string;
  readonly version: string;
  readonly horizon: number;
}

/** Returns one page of one stream. One statement reads records and past versions, so that no record is in both. */
export async function readPage(db: OwnerQueries, scope: Scope, request: PageRequest): Promise<RecordPage> {
  const { horizon, sort, limit } = request;
  const current = selectCurrent(db, scope, request);
  const found = await db.query<Row>(
    horizon === undefined
      ? current
      : sql`(${current}) union all (${selectPast(db, scope, request, horizon)})`,
  );
  const stored = found.map((row) => toStored(row, sort));
  const page = (horizon === undefined ? stored : mergeRows([stored], sort)).slice(0, limit);
  const rows = await boundPage(scope, page, (version) => readBound(createLargeReads(db), scope, version));
  return { rows, horizon: found[0]?.horizon ?? horizon ?? 0 };
}

function selectCurrent(db: OwnerQueries, scope: Scope, request: PageRequest): Sql {
  const { sort, conditions, limit, horizon } = request;
  const upTo = horizon === undefined ? sql`` : sql`and r.seq <= ${horizon}`;
  return sql`
    select ${selectSort(scope, sort, 'r')}, r.key, ${storedVersion('r')} as version,
      (select value from counters where owner_id = ${db.ownerId} and name = 'seq') as horizon
    from records r
    where ${whereVisible(db, scope, 'r')} and ${whereConditions(db, scope, conditions)}
      and ${whereAfter(scope, request, 'r')} ${upTo}
    order by ${orderBy(scope, sort, 'r')} limit ${stepLimit(limit)}`;
}

/** Selects records that have changed since the horizon and stayed visible, as they were at the horizon. */
function selectPast(db: OwnerQueries, scope: Scope, request: PageRequest, horizon: number): Sql {
  const { sort, conditions, limit } = request;
  const key = sql`h.key`;
  return sql`
    select ${selectSort(scope, sort, 'h')}, h.key, ${storedVersion('h')} as version, ${horizon}::int8 as horizon
    from history h
    where ${whereVisible(db, scope, 'h')} and h.from_seq <= ${horizon} and h.to_seq > ${horizon}
      and h.data is not null and ${whereConditions(db, scope, conditions, 'h')}
      and ${whereAfter(scope, request, 'h')}
      and ${isVisibleNow(db, scope, key)} and not ${movedOutSince(db, scope, key, horizon)}
    order by ${orderBy(scope, sort, 'h')} limit ${stepLimit(limit)}`;
}

function toStored(row: Row, { field }: Sort): StoredPageRow {
  const value = field === undefined ? row.key : readValue(field, row);
  return { key: row.key, value, version: decodeVersion(row.version) };
}

function selectSort(scope: Scope, { field }: Sort, table: Table): Sql {
  return field === undefined
    ? sql`null::float8 as vn, null::text as vt`
    : selectAs(columnOf(scope, field, table), 'v');
}

const LIMIT_STEPS = [1, 2, 6, 11, 26, 51, 101, 201];

/**
 * Returns a limit as part of the statement, rounded up so that there are few statements. PostgreSQL assumes that a
 * limit given as a parameter returns a tenth of the stream, and then plans at each use.
 */
function stepLimit(limit: number): Sql {
  const step = LIMIT_STEPS.find((one) => one >= limit);
  return step === undefined ? sql`${limit}` : sql.raw(String(step));
}

const keyOf = (table: Table) => sql.raw(`${table}.key`);

function orderBy(scope: Scope, { field, direction }: Sort, table: Table): Sql {
  const byKey = sql`${keyOf(table)} ${sql.raw(direction)}`;
  return field === undefined ? byKey : sql`${orderOf(columnOf(scope, field, table), direction)}, ${byKey}`;
}

/** Returns the condition for records after the previous page. Missing values sort lowest. */
function whereAfter(scope: Scope, { after, sort }: PageRequest, table: Table): Sql {
  if (after === undefined) return sql`true`;
  const isAscending = sort.direction === 'asc';
  const [key, by] = [keyOf(table), sql.raw(isAscending ? '>' : '<')];
  if (sort.field === undefined) {
    const value = String(after.value);
    return after.ties === 'all' ? sql`${key} ${by}= ${value}` : sql`${key} ${by} ${value}`;
  }
  const column = columnOf(scope, sort.field, table);
  if (column.kind === 'time' && after.ties === 'after-key' && Number.isSafeInteger(after.value))
    return sql`(${column.n}, ${key}) ${by} (${after.value}::int8, ${after.key})`;
  const ties = { none: sql`false`, all: sql`true`, 'after-key': sql`${key} ${by} ${after.key}` };
  return beyond(column, after.value, ties[after.ties], isAscending);
}

function beyond(
  column: Column,
  value: NonNullable<PageRequest['after']>['value'],
  tie: Sql,
  isAscending: boolean,
): Sql {
  if (value === null)
    return isAscending ? sql`(${isPresent(column)} or ${tie})` : sql`(${isMissing(column)} and ${tie})`;
  const missing = isAscending || column.kind === 'time' ? sql`` : sql` or ${isMissing(column)}`;
  return sql`(${compare(column, isAscending ? '>' : '<', value)} or (${isAny(column, [value])} and ${tie})${missing})`;
}
