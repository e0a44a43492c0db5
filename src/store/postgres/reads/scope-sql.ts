import type { Condition } from '../../conditions.ts';
import { FILTERED_CHARACTERS, LARGE_BYTES } from '../../large/long-value.ts';
import { encodeSlot } from '../../records/slots.ts';
import { spellings } from '../../records/spellings.ts';
import { isWindowed } from '../../records/visible-part.ts';
import type { FieldRef, Scope } from '../../scope.ts';
import { NO_TIME } from '../../values.ts';
import { encodeJson } from '../json-text.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { type Sql, sql } from '../sql.ts';
import * as columns from './columns.ts';
import { type Column, compare, isAny, isMissing, isPresent, type Table, timeValue } from './columns.ts';
import { timeGroup } from './measures/time-column.ts';

/** The condition that a row of `table` (with stream_id, t and key) is visible. */
export function whereVisible(db: OwnerQueries, scope: Scope, table: Table): Sql {
  const column = (name: string) => sql.raw(`${table}.${name}`);
  let visible = sql`${column('owner_id')} = ${db.ownerId} and ${column('stream_id')} = ${scope.stream.streamId}`;
  if (isWindowed(scope)) visible = sql`${visible} and ${whereInWindow(scope, column('t'))}`;
  if (scope.keys === undefined) return visible;
  return sql`${visible} and ${column('key')} = any(${[...scope.keys]}::text[])`;
}

/** The condition that a time lies in the window. */
export function whereInWindow({ since, until }: Scope, t: Sql): Sql {
  const parts: Sql[] = [];
  if (since !== undefined) parts.push(sql`${t} >= ${timeValue(since)}`);
  if (until !== undefined) parts.push(sql`${t} < ${timeValue(until)} and ${t} > ${NO_TIME}`);
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
}

/** Orders by newest first if the time is granted, else by key. For reads of a limited number of records. */
export function orderByNewest(scope: Scope): Sql {
  const isTimed = scope.stream.timeField !== undefined && scope.fields.has(scope.stream.timeField.name);
  return isTimed ? sql`r.t desc, r.key` : sql`r.key`;
}

/** Returns the column of a field: a slot, or the time that the stream is ordered by. */
export function columnOf(scope: Scope, field: FieldRef, table: Table = 'r'): Column {
  return columns.columnOf(scope, field, table);
}

/** Returns all conditions as one SQL condition on records, or on the history, which has the same columns. */
export function whereConditions(
  db: OwnerQueries,
  scope: Scope,
  conditions: readonly Condition[],
  table: Table = 'r',
): Sql {
  if (conditions.length === 0) return sql`true`;
  return sql.join(
    conditions.map((condition) =>
      condition.field.kind === 'list'
        ? whereList(db, scope, condition, table)
        : whereScalar(db, scope, condition, table),
    ),
    sql` and `,
  );
}

function whereScalar(db: OwnerQueries, scope: Scope, condition: Condition, table: Table): Sql {
  const column = columns.columnOf(scope, condition.field, table);
  switch (condition.op) {
    case 'any':
      return isAny(column, condition.values.map(encodeSlot));
    case 'none':
      return sql`not coalesce(${isAny(column, condition.values.map(encodeSlot))}, false)`;
    case 'lt':
      return sql`(${compare(column, '<', encodeSlot(condition.value))} and ${isPresent(column)})`;
    case 'lte':
      return sql`(${compare(column, '<=', encodeSlot(condition.value))} and ${isPresent(column)})`;
    case 'gt':
      return compare(column, '>', encodeSlot(condition.value));
    case 'gte':
      return compare(column, '>=', encodeSlot(condition.value));
    case 'within':
      return sql`(${inIntervals(column, condition.intervals)})`;
    case 'outside':
      return sql`not coalesce(${inIntervals(column, condition.intervals)}, false)`;
    case 'exists':
      return condition.yes ? isPresent(column) : isMissing(column);
    case 'weekday':
    case 'hour': {
      const { offsets, parts } = condition;
      if (offsets === undefined) throw new Error('a clock without its offsets reached the database');
      const kind = condition.op === 'hour' ? 'hour_of_day' : 'weekday';
      return sql`(${isPresent(column)} and ${timeGroup(column.n, { kind, offsets })} = any(${parts}::int8[]))`;
    }
    case 'contains':
    case 'starts_with': {
      // The slot of a long text holds its beginning, a NUL and a hash: then the record is read.
      const whole = selectText(db, table, condition.field);
      const text = sql`case when strpos(${column.t}, ${'\0'}) > 0 then ${whole} else ${column.t} end`;
      return whereText(sql`lower(${text} collate "C")`, condition.op, condition.text);
    }
  }
}

const changeOf = (table: Table) => sql.raw(table === 'r' ? 'r.seq' : 'h.from_seq');

/** The condition that a row holds the data of its record, and not a reference to a large one. */
function isWhole(table: Table): Sql {
  return table === 'h' ? sql`h.data not like '#%'` : sql`r.size <= ${sql.raw(String(LARGE_BYTES))}`;
}

/** Selects a text of a record; of a large record, as much as filters compare. */
function selectText(db: OwnerQueries, table: Table, { name }: FieldRef): Sql {
  const isField = (alias: string) =>
    sql`${sql.raw(alias)}.owner_id = ${db.ownerId} and ${sql.raw(alias)}.seq = ${changeOf(table)}
      and ${sql.raw(alias)}.field = ${name}`;
  return sql`case when ${isWhole(table)} then ${sql.raw(table)}.data::json ->> ${name}
    else coalesce((select l.value::json #>> '{}' from large_fields l where ${isField('l')} and l.type = 'short'),
      (select string_agg(p.text, '' order by p.start) from large_pieces p where ${isField('p')}
        and p.start < ${sql.raw(String(FILTERED_CHARACTERS))})) end`;
}

/** Selects a field of a record as JSON; of a long list in a large record, as much as filters compare. */
export function fieldJson(db: OwnerQueries, table: Table, { name }: FieldRef): Sql {
  return sql`case when ${isWhole(table)} then ${sql.raw(table)}.data::json -> ${name} else (
    select coalesce(l.items, l.value)::json from large_fields l
    where l.owner_id = ${db.ownerId} and l.seq = ${changeOf(table)} and l.field = ${name}) end`;
}

/** Selects the items of a list, as rows of one JSON column. A value that is no list is one item. */
export function itemsOf(json: Sql): Sql {
  return sql`(select ${json} as list) as j, json_array_elements(case json_typeof(j.list) when 'array' then j.list
    when 'object' then (select json_agg(o.value) from json_each(j.list) o) else json_build_array(j.list) end) as i (item)`;
}

/** Returns texts as JSON, as items of lists are compared. Items that are lists or objects are compared as JSON. */
export function toItems(values: readonly unknown[]): string[] {
  return values.flatMap((value) => {
    const json = encodeJson(JSON.stringify(value));
    return typeof value === 'string' && /^[[{]/.test(value) ? [json, encodeJson(value)] : [json];
  });
}

function whereText(text: Sql, op: 'contains' | 'starts_with', wanted: string): Sql {
  const tests = spellings(wanted).map((spelling) =>
    op === 'contains' ? sql`strpos(${text}, ${spelling}) > 0` : sql`starts_with(${text}, ${spelling})`,
  );
  return sql`coalesce(${sql.join(tests, sql` or `)}, false)`;
}

function inIntervals(column: Column, intervals: readonly (readonly [number, number])[]): Sql {
  return sql.join(
    intervals.map(([from, to]) => sql`(${compare(column, '>=', from)} and ${compare(column, '<', to)})`),
    sql` or `,
  );
}

/** The condition that a list contains a value. Only conditions on lists read the record itself. */
function whereList(db: OwnerQueries, scope: Scope, condition: Condition, table: Table): Sql {
  if (!scope.fields.has(condition.field.name))
    throw new Error('a field outside the scope reached the database');
  const items = itemsOf(fieldJson(db, table, condition.field));
  const has = (values: readonly unknown[]) =>
    sql`exists (select 1 from ${items} where i.item::text = any(${toItems(values)}::text[]))`;
  switch (condition.op) {
    case 'any':
      return has(condition.values);
    case 'none':
      return sql`not ${has(condition.values)}`;
    case 'exists': {
      const some = sql`exists (select 1 from ${items} where i.item::text <> 'null')`;
      return condition.yes ? some : sql`not ${some}`;
    }
    default:
      throw new Error('a list was compared by order');
  }
}
