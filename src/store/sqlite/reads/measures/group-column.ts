import { type RawBuilder, sql } from 'kysely';
import type { GroupColumn } from '../../../record-reads.ts';
import type { Scope } from '../../../scope.ts';
import { columnOf } from '../conditions-sql.ts';
import { whereVisible } from '../visible-sql.ts';

/** A group's value for a row of facets f. */
export function groupValue(scope: Scope, column: GroupColumn): RawBuilder<unknown> {
  switch (column.kind) {
    case 'own':
      return columnOf(scope, column.field);
    case 'related':
      return relatedValue(scope, column);
    case 'connection':
      return sql`${scope.stream.connection.connection_id}`;
  }
}

/**
 * The field of the one record that a row points to, where that is visible. Looked up for each row by its key, which
 * records are found by: joined, every record of the target would be gone through for every row. The innermost f is not
 * the outer one.
 */
function relatedValue(
  scope: Scope,
  { target, field, key }: GroupColumn & { kind: 'related' },
): RawBuilder<unknown> {
  return sql`(select (select ${columnOf(target, field)} from facets f
      where ${whereVisible(target, 'f')} and f.t = k.t and f.key = k.key)
    from records k indexed by records_key
    where k.stream_id = ${target.stream.streamId} and k.key = ${columnOf(scope, key)})`;
}
