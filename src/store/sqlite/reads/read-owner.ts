import { type Kysely, sql } from 'kysely';
import type { Field } from '../../../schema-index/field.ts';
import { ME } from '../../../schema-index/filter.ts';
import { AUTHOR_FIELDS, OWNER_FLAGS } from '../../../schema-index/person-field.ts';
import { orderByNewest, type Scope, whereVisible } from '../scope.ts';
import type { Tables } from '../tables.ts';
import { columnOf, listHolder } from './conditions-sql.ts';
import { MOST_LOOKED_AT } from './read-values.ts';

/** Lists lie in the records themselves, so only so many of those are looked into. */
const MOST_LISTS = 1_000;
/** More names than a person has. */
const MAX_AUTHORS = 1_000;

/**
 * Returns the values of a field that mean the owner: names of the account, or authors of visible records that the owner
 * wrote, as far as visible records hold them in this field.
 */
export async function readOwner(
  db: Kysely<Tables>,
  scope: Scope,
  field: Field,
  authors: readonly string[],
): Promise<string[]> {
  const known = [...scope.stream.self, ...authors];
  const names = new Set([ME, ...known.flatMap((name) => [name, name.toLowerCase()])]);
  const wanted = sql`(select value from json_each(${JSON.stringify([...names])}))`;
  const values =
    field.kind === 'list'
      ? sql`select j.value as value from (
          select ${listHolder('r', field)} as data from facets f join records r on r.rid = f.rid where ${whereVisible(scope, 'f')}
          order by ${orderByNewest(scope)} limit ${MOST_LISTS}) as r, json_each(r.data, ${pathOf(scope, field)}) as j`
      : sql`select ${columnOf(scope, field)} as value from facets f where ${whereVisible(scope, 'f')}
          order by ${orderByNewest(scope)} limit ${MOST_LOOKED_AT}`;
  const { rows } = await sql<{ value: string }>`
    select distinct value from (${values}) where value in ${wanted} order by value`.execute(db);
  return rows.map((row) => row.value);
}

/** Returns who wrote the newest visible records that are flagged as the owner's, in all streams of a connection. */
export async function readFlaggedAuthors(db: Kysely<Tables>, scopes: readonly Scope[]): Promise<string[]> {
  const selects = scopes.flatMap((scope) => {
    const flag = OWNER_FLAGS.map((name) => findSlotField(scope, name, 'boolean')).find(Boolean);
    if (flag === undefined) return [];
    return AUTHOR_FIELDS.flatMap((name) => findSlotField(scope, name, 'string') ?? []).map(
      (author) => sql`select v from (
        select ${columnOf(scope, author)} as v from facets f
        where ${whereVisible(scope, 'f')} and ${columnOf(scope, flag)} = 1
        order by ${orderByNewest(scope)} limit ${MOST_LOOKED_AT})`,
    );
  });
  if (selects.length === 0) return [];
  const { rows } = await sql<{ v: string }>`
    select distinct v from (${sql.join(selects, sql` union all `)}) where v is not null order by v
    limit ${MAX_AUTHORS}`.execute(db);
  return rows.map((row) => row.v);
}

function findSlotField({ stream, fields }: Scope, name: string, kind: Field['kind']): Field | undefined {
  const field =
    fields.has(name) && stream.plan.slots[name] !== undefined ? stream.fields.get(name) : undefined;
  return field?.kind === kind ? field : undefined;
}

function pathOf(scope: Scope, field: Field): string {
  if (!scope.fields.has(field.name)) throw new Error('a field outside the scope reached the database');
  return `$."${field.name}"`;
}
