import type { GroupColumn, MeasuredPart, TimeParts } from '../../../record-reads.ts';
import type { FieldKind, FieldRef, Scope } from '../../../scope.ts';
import { NO_TIME } from '../../../values.ts';
import type { OwnerQueries } from '../../owner-queries.ts';
import { type Sql, sql } from '../../sql.ts';
import { type Column, selectAs } from '../columns.ts';
import { columnOf, whereConditions, whereVisible } from '../scope-sql.ts';
import { timeGroup } from './time-column.ts';

/**
 * Selects visible rows of every part as columns vn and vt (the measured value), g0n, g0t, g1n and g1t (the groups): all
 * that an aggregation reads.
 */
export function selectRows(db: OwnerQueries, parts: readonly MeasuredPart[], inPeriod: Sql = sql`true`): Sql {
  return sql.join(
    parts.map(({ scope, conditions, field, groupBy }) => {
      const groups = groupBy.map((one, index) => groupValue(db, scope, one, index));
      const selected = groups.map(({ value }, index) => sql`, ${selectAs(value, `g${index}`)}`);
      return sql`select ${measuredValue(scope, field)} ${sql.join(selected, sql``)}
        from records r ${sql.join(
          groups.map(({ join }) => join),
          sql` `,
        )}
        where ${whereVisible(db, scope, 'r')} and ${inPeriod} and ${whereConditions(db, scope, conditions)}`;
    }),
    sql` union all `,
  );
}

/** Selects the same rows, with the time in g0 as its group. */
export function selectGrouped(
  db: OwnerQueries,
  parts: readonly MeasuredPart[],
  time: TimeParts | undefined,
): Sql {
  const rows = selectRows(db, parts);
  if (time === undefined) return rows;
  const others = (parts[0]?.groupBy ?? [])
    .slice(1)
    .map((_, index) => sql.raw(`, g${index + 1}n, g${index + 1}t`));
  return sql`select vn, vt, ${timeGroup(sql`g0n`, time)}::float8 as g0n, null::text as g0t
    ${sql.join(others, sql``)} from (${rows}) as a`;
}

/** Selects the measured value as vn and vt. A record without a time has none. */
export function measuredValue(scope: Scope, field: FieldRef | undefined): Sql {
  if (field === undefined) return sql`1::float8 as vn, null::text as vt`;
  const column = columnOf(scope, field);
  return selectAs(
    column.kind === 'time' ? { n: sql`nullif(${column.n}, ${NO_TIME})`, t: column.t } : column,
    'v',
  );
}

/** The values of a measured field: numbers, texts, or both. */
export function valuesOf(parts: readonly MeasuredPart[]): Column['kind'] {
  const kinds = new Set(parts.map(({ scope, field }) => (field ? columnOf(scope, field).kind : 'number')));
  kinds.delete('time');
  return kinds.size > 1 ? 'integer' : ([...kinds][0] ?? 'number');
}

/** The kind of field that a result is shown as. */
export const kindOf = (parts: readonly MeasuredPart[]): FieldKind | undefined => parts[0]?.field?.kind;

/** Selects the value of a group column for a row of records r, with the join that it needs. */
function groupValue(
  db: OwnerQueries,
  scope: Scope,
  column: GroupColumn,
  index: number,
): { readonly value: Pick<Column, 'n' | 't'>; readonly join: Sql } {
  if (column.kind === 'own') return { value: columnOf(scope, column.field), join: sql`` };
  if (column.kind === 'connection')
    return { value: { n: sql`null`, t: sql`${scope.stream.connection.connection_id}::text` }, join: sql`` };
  const alias = `x${index}`;
  const { kind, n, t } = columnOf(scope, column.key);
  const key = kind === 'integer' ? sql`case when ${n} is null then ${t} end` : t;
  const { target, field } = column;
  return {
    value: { n: sql.raw(`${alias}.vn`), t: sql.raw(`${alias}.vt`) },
    // The inner r is a record of the target.
    join: sql`cross join lateral (select ${key} as key) as ${sql.raw(`${alias}k`)}
      left join lateral (select ${selectAs(columnOf(target, field), 'v')} from records r
        where ${whereVisible(db, target, 'r')} and r.key = ${sql.raw(`${alias}k.key`)}) as ${sql.raw(alias)} on true`,
  };
}
