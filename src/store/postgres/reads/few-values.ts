import { type Sql, sql } from '../sql.ts';

/** More values are sent as a list. Each number of values is a statement of its own. */
const MAX_SINGLE_VALUES = 8;

/** The condition that a record `r` has one of some keys. */
export function hasKey(keys: readonly string[]): Sql {
  return isAmong(sql`r.key`, keys, 'text');
}

/** The condition that a record `r` has one of some row ids. */
export function hasRid(rids: readonly number[]): Sql {
  return isAmong(sql`r.rid`, rids, 'int8');
}

/**
 * PostgreSQL plans a prepared statement once, but a statement with a short list at each use: it assumes a list of ten
 * values. Planning takes longer than reading the records.
 */
function isAmong(column: Sql, values: readonly (string | number)[], type: 'text' | 'int8'): Sql {
  const cast = sql.raw(type);
  if (values.length === 0 || values.length > MAX_SINGLE_VALUES)
    return sql`${column} = any(${values}::${cast}[])`;
  const [only, ...others] = values;
  return others.length === 0
    ? sql`${column} = ${only ?? null}::${cast}`
    : sql`${column} in (${sql.join(values.map((value) => sql`${value}::${cast}`))})`;
}
