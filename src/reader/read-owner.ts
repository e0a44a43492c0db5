import { type Kysely, sql } from 'kysely';
import type { Field } from '../schema-index/field.ts';
import { ME } from '../schema-index/filter.ts';
import type { Tables } from '../store/tables.ts';
import { columnOf } from './conditions-sql.ts';
import { MOST_LOOKED_AT } from './read-values.ts';
import { orderByNewest, type Scope, whereVisible } from './scope.ts';

/** Lists lie in the records themselves, so only so many of those are looked into. */
const MOST_LISTS = 1_000;

/**
 * Of the names that an account has for its owner, those that visible records hold in a field. A name that none of them
 * holds is not told: an account knows its owner from records that a grant may hide.
 */
export async function readOwner(db: Kysely<Tables>, scope: Scope, field: Field): Promise<string[]> {
  const names = new Set([ME, ...scope.stream.self.flatMap((name) => [name, name.toLowerCase()])]);
  const wanted = sql`(select value from json_each(${JSON.stringify([...names])}))`;
  const values =
    field.kind === 'list'
      ? sql`select j.value as value from (
          select r.data as data from facets f join records r on r.rid = f.rid where ${whereVisible(scope, 'f')}
          order by ${orderByNewest(scope)} limit ${MOST_LISTS}) as r, json_each(r.data, ${pathOf(scope, field)}) as j`
      : sql`select ${columnOf(scope, field)} as value from facets f where ${whereVisible(scope, 'f')}
          order by ${orderByNewest(scope)} limit ${MOST_LOOKED_AT}`;
  const { rows } = await sql<{ value: string }>`
    select distinct value from (${values}) where value in ${wanted} order by value`.execute(db);
  return rows.map((row) => row.value);
}

function pathOf(scope: Scope, field: Field): string {
  if (!scope.fields.has(field.name)) throw new Error('a field outside the scope reached the database');
  return `$."${field.name}"`;
}
