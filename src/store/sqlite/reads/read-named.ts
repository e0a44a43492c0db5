import { type Kysely, sql } from 'kysely';
import type { Condition } from '../../conditions.ts';
import { MAX_SHOWN_CHARS } from '../../field-value.ts';
import { LARGE_BYTES } from '../../large/long-value.ts';
import { MAX_VALUE_RECORDS, type NamedKey } from '../../record-reads.ts';
import { spellings } from '../../records/spellings.ts';
import type { FieldRef, Scope } from '../../scope.ts';
import type { Tables } from '../tables.ts';
import { columnOf, joinData, orderByNewest, whereConditions, whereVisible } from './scope-sql.ts';

/** Returns which of the keys belong to visible records. Does not read the records, which may be large. */
export async function readKnownKeys(
  db: Kysely<Tables>,
  scope: Scope,
  keys: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select r.key as key from records r
    where ${whereVisible(scope, 'r')} and r.key in (select value from json_each(${JSON.stringify(keys)}))`.execute(
    db,
  );
  return rows.map((row) => row.key);
}

/** Returns the names of visible records, from slots if possible. A long name is cut. */
export async function readNames(
  db: Kysely<Tables>,
  scope: Scope,
  field: FieldRef,
  keys: readonly string[],
): Promise<NamedKey[]> {
  const hasSlot = scope.stream.plan.slots[field.name] !== undefined;
  const path = `$."${field.name}"`;
  // The fields of a large record are stored separately.
  const json = sql`case when octet_length(r.data) <= ${sql.lit(LARGE_BYTES)} then r.data else (
    select json_object(l.field, json(l.value)) from large_fields l
    where l.seq = r.seq and l.field = ${field.name} and l.type in ('short', 'text')) end`;
  const name = hasSlot
    ? columnOf(scope, field)
    : sql`case json_type(${json}, ${path}) when 'text' then json_extract(${json}, ${path}) end`;
  const facets = hasSlot
    ? sql`join facets f on f.stream_id = r.stream_id and f.t = r.t and f.key = r.key`
    : sql``;
  const { rows } = await sql<{ key: string; name: string | null }>`
    select r.key as key, ${name} as name from records r ${facets}
    where ${whereVisible(scope, 'r')} and r.key in (select value from json_each(${JSON.stringify(keys)})) order by r.key`.execute(
    db,
  );
  return rows.flatMap(({ key, name }) =>
    name === null ? [] : { key, name: name.slice(0, MAX_SHOWN_CHARS) },
  );
}

/** Returns keys of visible records that meet conditions, in order. Filters through relations use it. */
export async function readKeysWhere(
  db: Kysely<Tables>,
  scope: Scope,
  conditions: readonly Condition[],
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select f.key as key from facets f ${joinData(conditions)}
    where ${whereVisible(scope, 'f')} and ${whereConditions(scope, conditions)} order by f.key limit ${limit}`.execute(
    db,
  );
  return rows.map((row) => row.key);
}

/**
 * Returns visible records whose name is one of `names`, in order of key. One statement searches
 * the first `MAX_VALUE_RECORDS` records for all names: the newest if the time is granted, else the first by key.
 */
export async function readKeysByName(
  db: Kysely<Tables>,
  scope: Scope,
  field: FieldRef,
  names: readonly string[],
  limit: number,
): Promise<NamedKey[]> {
  const column = columnOf(scope, field);
  const written = JSON.stringify(names.flatMap(spellings));
  const { rows } = await sql<NamedKey>`
    select key, ${column} as name from (
      select f.key, ${column} from facets f where ${whereVisible(scope, 'f')}
      order by ${orderByNewest(scope)} limit ${MAX_VALUE_RECORDS}) as f
    where lower(trim(${column})) in (select value from json_each(${written})) order by key limit ${limit}`.execute(
    db,
  );
  return rows;
}
