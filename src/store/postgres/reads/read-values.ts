import { type AuthorPart, type FieldPart, type FieldValues, MAX_VALUE_RECORDS } from '../../record-reads.ts';
import type { FieldRef, Scope } from '../../scope.ts';
import type { Value } from '../../values.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { showSlot } from '../slot-values.ts';
import { sql } from '../sql.ts';
import { isAny, orderOf, selectAs } from './columns.ts';
import {
  columnOf,
  fieldJson,
  itemsOf,
  orderByNewest,
  toItems,
  whereConditions,
  whereVisible,
} from './scope-sql.ts';

/** Lists are read from the records themselves, so fewer records are read. */
const MAX_LIST_RECORDS = 1_000;
/** No person has more names. */
const MAX_AUTHORS = 1_000;

/** Returns the values of a field over streams that share it, of visible records only. */
export async function readValues(
  db: OwnerQueries,
  scopes: readonly Scope[],
  field: FieldRef,
  limit: number,
): Promise<FieldValues> {
  const parts = scopes.map(
    (scope) => sql`(select ${selectAs(columnOf(scope, field), 'v')} from records r
      where ${whereVisible(db, scope, 'r')} order by ${orderByNewest(scope)} limit ${MAX_VALUE_RECORDS})`,
  );
  const order = orderOf({ kind: 'integer', n: sql`f.vn`, t: sql`f.vt` }, 'asc');
  const rows = await db.query<{ n: number | null; t: string | null; total: number }>(sql`
    with found as materialized (
      select vn, vt, count(*) as n from (${sql.join(parts, sql` union all `)}) as a
      where vn is not null or vt is not null group by vn, vt
    )
    select f.vn as n, f.vt as t, (select count(*) from found) as total
    from found f order by f.n desc, ${order} limit ${limit}`);
  return { values: rows.map((row): Value => showSlot(field.kind, row)), total: rows[0]?.total ?? 0 };
}

/**
 * Returns values of a field that contain a text, the most frequent first. Every empty answer needs it, so all streams
 * together read a limited number of records.
 */
export async function readValuesContaining(
  db: OwnerQueries,
  parts: readonly FieldPart[],
  text: string,
  limit: number,
): Promise<string[]> {
  const each = Math.ceil(MAX_VALUE_RECORDS / parts.length);
  const selects = parts.map(
    ({ scope, field }) => sql`select ${columnOf(scope, field).t} as v from (
      select r.* from records r where ${whereVisible(db, scope, 'r')}
      order by ${orderByNewest(scope)} limit ${each}) as r
      where ${whereConditions(db, scope, [{ field, op: 'contains', text }])}`,
  );
  const rows = await db.query<{ v: string }>(sql`
    select v from (${sql.join(selects, sql` union all `)}) as a
    group by v order by count(*) desc, v limit ${limit}`);
  return rows.map((row) => row.v);
}

/** Returns those of the names that visible records have in a field, in order. */
export async function readValuesAmong(
  db: OwnerQueries,
  scope: Scope,
  field: FieldRef,
  names: readonly string[],
): Promise<string[]> {
  if (!scope.fields.has(field.name)) throw new Error('a field outside the scope reached the database');
  const values =
    field.kind === 'list'
      ? sql`select (i.item #>> '{}') collate "C" as value from (
          select ${fieldJson(db, 'r', field)} as list from records r where ${whereVisible(db, scope, 'r')}
          order by ${orderByNewest(scope)} limit ${MAX_LIST_RECORDS}) as f, lateral (select * from ${itemsOf(sql`f.list`)}) as i
          where i.item::text = any(${toItems(names)}::text[])`
      : sql`select value from (
          select ${columnOf(scope, field).t} as value from records r where ${whereVisible(db, scope, 'r')}
          order by ${orderByNewest(scope)} limit ${MAX_VALUE_RECORDS}) as f where value = any(${names}::text[])`;
  const rows = await db.query<{ value: string }>(
    sql`select distinct value from (${values}) as a order by value`,
  );
  return rows.map((row) => row.value);
}

/** Returns the authors of the newest visible records that are flagged as the owner's. */
export async function readFlaggedAuthors(db: OwnerQueries, parts: readonly AuthorPart[]): Promise<string[]> {
  const selects = parts.flatMap(({ scope, flag, authors }) =>
    authors.map(
      (author) => sql`(select ${columnOf(scope, author).t} as v from records r
        where ${whereVisible(db, scope, 'r')} and ${isAny(columnOf(scope, flag), [1])}
        order by ${orderByNewest(scope)} limit ${MAX_VALUE_RECORDS})`,
    ),
  );
  if (selects.length === 0) return [];
  const rows = await db.query<{ v: string }>(sql`
    select distinct v from (${sql.join(selects, sql` union all `)}) as a where v is not null order by v
    limit ${MAX_AUTHORS}`);
  return rows.map((row) => row.v);
}
