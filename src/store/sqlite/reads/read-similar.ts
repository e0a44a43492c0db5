import { type Kysely, sql } from 'kysely';
import type { Field } from '../../../schema-index/field.ts';
import { orderByNewest, type Scope, whereVisible } from '../scope.ts';
import type { Tables } from '../tables.ts';
import { columnOf, whereConditions } from './conditions-sql.ts';
import { MOST_LOOKED_AT } from './read-values.ts';

/** One stream and its own copy of the field. */
export interface SimilarPart {
  readonly scope: Scope;
  readonly field: Field;
}

/**
 * Values of a field that hold a text, the most frequent first and of equals the least. An app asks for this with every
 * answer that is empty, so the streams share the number of records that are looked at; which those are is a function of
 * the grant and of what it shows.
 */
export async function readSimilar(
  db: Kysely<Tables>,
  parts: readonly SimilarPart[],
  text: string,
  most: number,
): Promise<string[]> {
  const each = Math.ceil(MOST_LOOKED_AT / parts.length);
  const selects = parts.map(({ scope, field }) => {
    const column = columnOf(scope, field);
    return sql`select ${column} as v from (
      select f.rid, ${column} from facets f where ${whereVisible(scope, 'f')}
      order by ${orderByNewest(scope)} limit ${each}) as f
      where ${whereConditions(scope, [{ field, op: 'contains', text }])}`;
  });
  const { rows } = await sql<{ v: string }>`
    select v from (${sql.join(selects, sql` union all `)}) group by v order by count(*) desc, v limit ${most}`.execute(
    db,
  );
  return rows.map((row) => String(row.v));
}
