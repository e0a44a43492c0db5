import { type RawBuilder, sql } from 'kysely';
import type { Field } from '../../schema-index/field.ts';
import { columnOf } from '../conditions-sql.ts';
import { type Scope, whereVisible } from '../scope.ts';
import { type TimeParts, timeGroup } from './time-column.ts';

/** What records are grouped by: a field of theirs, one of the record they point to, or where they are from. */
export type GroupColumn =
  | { readonly kind: 'own'; readonly field: Field }
  | { readonly kind: 'related'; readonly field: Field; readonly key: Field; readonly target: Scope }
  | { readonly kind: 'connection'; readonly field: Field }
  | { readonly kind: 'time'; readonly field: Field; readonly of: Field; readonly parts: TimeParts };

/** Where records are from, as a field; a stream's own field of that name takes precedence. */
export const CONNECTION: Field = {
  name: 'connection_id',
  kind: 'string',
  required: true,
  filter: false,
  range: false,
  sort: false,
  group: true,
  metrics: [],
  search: false,
  schema: {},
};

/** A part of time, by its number. */
export const TIME_PART: Field = { ...CONNECTION, name: 'time', kind: 'integer' };

/** A group's value for a row of facets f. */
export function groupValue(scope: Scope, column: GroupColumn, at: number): RawBuilder<unknown> {
  switch (column.kind) {
    case 'own':
      return columnOf(scope, column.field);
    case 'related':
      return sql.ref(`related${at}.value`);
    case 'connection':
      return sql`${scope.stream.connection.connection_id}`;
    case 'time':
      return timeGroup(columnOf(scope, column.of), column.parts);
  }
}

/** What has to be joined for it: of what is pointed to, what is visible, each once by its key. */
export function joinGroup(scope: Scope, column: GroupColumn, at: number): RawBuilder<unknown> {
  if (column.kind !== 'related') return sql``;
  const { target, field, key } = column;
  const alias = sql.ref(`related${at}`);
  return sql`left join (select f.key as key, ${columnOf(target, field)} as value from facets f where ${whereVisible(target, 'f')}) as ${alias}
    on ${alias}.key = ${columnOf(scope, key)}`;
}
