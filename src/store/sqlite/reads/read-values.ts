import { type Kysely, sql } from 'kysely';
import type { Field } from '../../../schema-index/field.ts';
import { orderByNewest, type Scope, whereVisible } from '../scope.ts';
import type { SlotValue, Tables } from '../tables.ts';
import { columnOf, exactly } from './conditions-sql.ts';

/** The values that a field has, the most frequent first and of equals the least. */
export interface FieldValues {
  readonly values: readonly SlotValue[];
  /** How many different ones there are among the records that were looked at. */
  readonly total: number;
}

/** Records of a stream that are looked at: the newest where their time may be seen, else the first by key. */
export const MOST_LOOKED_AT = 50_000;

/** Values of a field over streams that share it. Only what is visible is counted, and chosen by what is visible. */
export async function readValues(
  db: Kysely<Tables>,
  scopes: readonly Scope[],
  field: Field,
  most: number,
): Promise<FieldValues> {
  const parts = scopes.map((scope) => {
    return sql`select * from (
      select ${columnOf(scope, field)} as v from facets f where ${whereVisible(scope, 'f')}
      order by ${orderByNewest(scope)} limit ${MOST_LOOKED_AT})`;
  });
  const { rows } = await sql<{ v: SlotValue; total: number }>`
    with found as materialized (
      select v, count(*) as n from (${sql.join(parts, sql` union all `)}) where v is not null group by v
    )
    select ${exactly(field, sql.ref('found.v'))} as v, (select count(*) from found) as total
    from found order by n desc, found.v limit ${most}`.execute(db);
  return { values: rows.map((row) => row.v), total: rows[0]?.total ?? 0 };
}
