import { type RawBuilder, sql } from 'kysely';
import type { GroupColumn, MeasuredPart, TimeParts } from '../../../record-reads.ts';
import type { FieldRef, Scope } from '../../../scope.ts';
import { NO_TIME } from '../../../values.ts';
import { columnOf, joinData, whereConditions, whereVisible } from '../scope-sql.ts';
import { timeGroup } from './time-column.ts';

/** Selects the rows of all parts, with the time in g0 as its group. */
export function selectGrouped(
  parts: readonly MeasuredPart[],
  time: TimeParts | undefined,
): RawBuilder<unknown> {
  if (time === undefined) return selectParts(parts);
  const others = (parts[0]?.groupBy ?? []).slice(1).map((_, index) => sql`, ${sql.ref(`g${index + 1}`)}`);
  return sql`select v, ${timeGroup(sql.ref('g0'), time)} as g0 ${sql.join(others, sql` `)} from (${selectParts(parts)})`;
}

/** Selects visible rows of every part as columns v, g0, g1: all that an aggregation reads. */
export function selectParts(
  parts: readonly MeasuredPart[],
  inPeriod: RawBuilder<boolean> = sql`true`,
): RawBuilder<unknown> {
  return sql.join(
    parts.map(({ scope, conditions, field, groupBy }) => {
      const groups = groupBy.map((one, index) => sql`, ${groupValue(scope, one)} as ${sql.ref(`g${index}`)}`);
      // SQLite uses the first of two bounds of a time, so the period comes before the window.
      return sql`select ${field === undefined ? sql`1` : measuredColumn(scope, field)} as v ${sql.join(groups, sql` `)}
        from facets f ${joinData(conditions)}
        where ${inPeriod} and ${whereConditions(scope, conditions)} and ${whereVisible(scope, 'f')}`;
    }),
    sql` union all `,
  );
}

/** Selects the measured value. A record without a time has none. */
export function measuredColumn(scope: Scope, field: FieldRef): RawBuilder<unknown> {
  const column = columnOf(scope, field);
  return scope.stream.timeField?.name === field.name ? sql`nullif(${column}, ${NO_TIME})` : column;
}

/** Selects the value of a group column for a row of facets f. */
function groupValue(scope: Scope, column: GroupColumn): RawBuilder<unknown> {
  switch (column.kind) {
    case 'own':
      return columnOf(scope, column.field);
    case 'related':
      return relatedValue(column, columnOf(scope, column.key));
    case 'connection':
      return sql`${scope.stream.connection.connection_id}`;
  }
}

/**
 * Selects a field of the visible record with a key: a join would scan the target for every row. The innermost f is not
 * the outer one.
 */
export function relatedValue(
  { target, field }: GroupColumn & { kind: 'related' },
  key: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(select (select ${columnOf(target, field)} from facets f
      where ${whereVisible(target, 'f')} and f.t = k.t and f.key = k.key)
    from records k indexed by records_key
    where k.stream_id = ${target.stream.streamId} and k.key = ${key})`;
}
