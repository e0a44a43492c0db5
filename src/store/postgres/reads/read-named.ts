import type { Condition } from '../../conditions.ts';
import { MAX_SHOWN_CHARS } from '../../field-value.ts';
import { LARGE_BYTES } from '../../large/long-value.ts';
import { MAX_VALUE_RECORDS, type NamedKey } from '../../record-reads.ts';
import { spellings } from '../../records/spellings.ts';
import type { FieldRef, Scope } from '../../scope.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { type Sql, sql } from '../sql.ts';
import { hasKey } from './few-values.ts';
import { columnOf, orderByNewest, whereConditions, whereVisible } from './scope-sql.ts';

/** Returns the given keys that visible records have. The records, which may be large, are not read. */
export async function readKnownKeys(
  db: OwnerQueries,
  scope: Scope,
  keys: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ key: string }>(sql`
    select r.key from records r
    where ${whereVisible(db, scope, 'r')} and ${hasKey(keys)} order by r.key`);
  return rows.map((row) => row.key);
}

/** Returns the names of visible records, from slots if possible. A long name is cut. */
export async function readNames(
  db: OwnerQueries,
  scope: Scope,
  field: FieldRef,
  keys: readonly string[],
): Promise<NamedKey[]> {
  const hasSlot = scope.stream.plan.slots[field.name] !== undefined;
  const name = hasSlot ? columnOf(scope, field).t : selectName(db, field);
  const rows = await db.query<{ key: string; name: string | null }>(sql`
    select r.key, ${name} as name from records r
    where ${whereVisible(db, scope, 'r')} and ${hasKey(keys)} order by r.key`);
  return rows.flatMap(({ key, name }) =>
    name === null ? [] : { key, name: name.slice(0, MAX_SHOWN_CHARS) },
  );
}

/** Selects the beginning of a text that has no slot. The fields of a large record are stored separately. */
function selectName(db: OwnerQueries, { name }: FieldRef): Sql {
  // A stored character takes up to two places.
  const length = sql.raw(String(MAX_SHOWN_CHARS * 2));
  return sql`(select case json_typeof(n.json) when 'string' then left(n.json #>> '{}', ${length}) end from (
    select case when r.size <= ${sql.raw(String(LARGE_BYTES))} then r.data::json -> ${name} else (
      select l.value::json from large_fields l where l.owner_id = ${db.ownerId} and l.seq = r.seq
        and l.field = ${name} and l.type in ('short', 'text')) end as json) n)`;
}

/** Returns keys of visible records that meet conditions, in order. Filters through relations use it. */
export async function readKeysWhere(
  db: OwnerQueries,
  scope: Scope,
  conditions: readonly Condition[],
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ key: string }>(sql`
    select r.key from records r
    where ${whereVisible(db, scope, 'r')} and ${whereConditions(db, scope, conditions)}
    order by r.key limit ${limit}`);
  return rows.map((row) => row.key);
}

/**
 * Returns visible records with one of some names, in order of key. All names are looked up at once, among the records
 * that are also read for values.
 */
export async function readKeysByName(
  db: OwnerQueries,
  scope: Scope,
  field: FieldRef,
  names: readonly string[],
  limit: number,
): Promise<NamedKey[]> {
  const { t } = columnOf(scope, field);
  return db.query<NamedKey>(sql`
    select f.key, f.name from (
      select r.key, ${t} as name from records r where ${whereVisible(db, scope, 'r')}
      order by ${orderByNewest(scope)} limit ${MAX_VALUE_RECORDS}) as f
    where lower(btrim(f.name)) = any(${names.flatMap(spellings)}::text[]) order by f.key limit ${limit}`);
}
