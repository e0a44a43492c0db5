import { type Kysely, sql } from 'kysely';
import { type AuthorPart, type FieldPart, type FieldValues, MAX_VALUE_RECORDS } from '../../record-reads.ts';
import type { FieldRef, Scope } from '../../scope.ts';
import type { Value } from '../../values.ts';
import type { Tables } from '../tables.ts';
import { columnOf, exactly, listHolder, orderByNewest, whereConditions, whereVisible } from './scope-sql.ts';

/** Lists are read from the records themselves, so fewer records are read. */
const MAX_LIST_RECORDS = 1_000;
/** No person has more names. */
const MAX_AUTHORS = 1_000;

/** Returns the values of a field over streams that share it, of visible records only. */
export async function readValues(
  db: Kysely<Tables>,
  scopes: readonly Scope[],
  field: FieldRef,
  limit: number,
): Promise<FieldValues> {
  const parts = scopes.map((scope) => {
    return sql`select * from (
      select ${columnOf(scope, field)} as v from facets f where ${whereVisible(scope, 'f')}
      order by ${orderByNewest(scope)} limit ${MAX_VALUE_RECORDS})`;
  });
  const { rows } = await sql<{ v: Value; total: number }>`
    with found as materialized (
      select v, count(*) as n from (${sql.join(parts, sql` union all `)}) where v is not null group by v
    )
    select ${exactly(field, sql.ref('found.v'))} as v, (select count(*) from found) as total
    from found order by n desc, found.v limit ${limit}`.execute(db);
  return { values: rows.map((row) => row.v), total: rows[0]?.total ?? 0 };
}

/**
 * Returns values of a field that contain a text, the most frequent first. Every empty answer needs it, so all streams
 * together read a limited number of records.
 */
export async function readValuesContaining(
  db: Kysely<Tables>,
  parts: readonly FieldPart[],
  text: string,
  limit: number,
): Promise<string[]> {
  const each = Math.ceil(MAX_VALUE_RECORDS / parts.length);
  const selects = parts.map(({ scope, field }) => {
    const column = columnOf(scope, field);
    return sql`select ${column} as v from (
      select f.rid, ${column} from facets f where ${whereVisible(scope, 'f')}
      order by ${orderByNewest(scope)} limit ${each}) as f
      where ${whereConditions(scope, [{ field, op: 'contains', text }])}`;
  });
  const { rows } = await sql<{ v: string }>`
    select v from (${sql.join(selects, sql` union all `)}) group by v order by count(*) desc, v limit ${limit}`.execute(
    db,
  );
  return rows.map((row) => String(row.v));
}

/** Returns those of the names that visible records have in a field, in order. */
export async function readValuesAmong(
  db: Kysely<Tables>,
  scope: Scope,
  field: FieldRef,
  names: readonly string[],
): Promise<string[]> {
  if (!scope.fields.has(field.name)) throw new Error('a field outside the scope reached the database');
  const wanted = sql`(select value from json_each(${JSON.stringify(names)}))`;
  const values =
    field.kind === 'list'
      ? sql`select j.value as value from (
          select ${listHolder('r', field)} as data from facets f join records r on r.rid = f.rid where ${whereVisible(scope, 'f')}
          order by ${orderByNewest(scope)} limit ${MAX_LIST_RECORDS}) as r, json_each(r.data, ${`$."${field.name}"`}) as j`
      : sql`select ${columnOf(scope, field)} as value from facets f where ${whereVisible(scope, 'f')}
          order by ${orderByNewest(scope)} limit ${MAX_VALUE_RECORDS}`;
  const { rows } = await sql<{ value: string }>`
    select distinct value from (${values}) where value in ${wanted} order by value`.execute(db);
  return rows.map((row) => row.value);
}

/** Returns the authors of the newest visible records that are flagged as the owner's. */
export async function readFlaggedAuthors(
  db: Kysely<Tables>,
  parts: readonly AuthorPart[],
): Promise<string[]> {
  const selects = parts.flatMap(({ scope, flag, authors }) =>
    authors.map(
      (author) => sql`select v from (
        select ${columnOf(scope, author)} as v from facets f
        where ${whereVisible(scope, 'f')} and ${columnOf(scope, flag)} = 1
        order by ${orderByNewest(scope)} limit ${MAX_VALUE_RECORDS})`,
    ),
  );
  if (selects.length === 0) return [];
  const { rows } = await sql<{ v: string }>`
    select distinct v from (${sql.join(selects, sql` union all `)}) where v is not null order by v
    limit ${MAX_AUTHORS}`.execute(db);
  return rows.map((row) => row.v);
}
