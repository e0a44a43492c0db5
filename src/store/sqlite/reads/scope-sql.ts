import { type RawBuilder, sql } from 'kysely';
import type { Condition } from '../../conditions.ts';
import { FILTERED_CHARACTERS, LARGE_BYTES } from '../../large/long-value.ts';
import { encodeSlot } from '../../records/slots.ts';
import { spellings } from '../../records/spellings.ts';
import { isWindowed } from '../../records/visible-part.ts';
import type { FieldRef, Scope } from '../../scope.ts';
import { NO_TIME } from '../../values.ts';
import { unlessInterrupted } from '../interrupt.ts';
import { timeGroup } from './measures/time-column.ts';

type Table = 'f' | 'r' | 'h';

/** Every statement of a scope needs the condition, and building it takes longer than many statements. */
const visible = new WeakMap<Scope, Partial<Record<Table, RawBuilder<boolean>>>>();

/** The condition that a row of `table` (with stream_id, t and key) is visible. */
export function whereVisible(scope: Scope, table: Table): RawBuilder<boolean> {
  const known = visible.get(scope) ?? {};
  known[table] ??= makeVisible(scope, table);
  visible.set(scope, known);
  return known[table];
}

function makeVisible(scope: Scope, table: Table): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const parts = [sql<boolean>`${column('stream_id')} = ${scope.stream.streamId}`];
  if (isWindowed(scope)) parts.push(whereInWindow(scope, column('t')));
  if (scope.keys !== undefined) {
    const list = JSON.stringify([...scope.keys]);
    // As pairs of time and key, which facets are ordered by.
    parts.push(
      table === 'f'
        ? sql`(f.t, f.key) in (select k.t, k.key from records k indexed by records_key where k.stream_id = ${scope.stream.streamId} and k.key in (select value from json_each(${list})))`
        : sql`${column('key')} in (select value from json_each(${list}))`,
    );
  }
  parts.push(unlessInterrupted(column('t')));
  return sql.join(parts, sql` and `);
}

/** The condition that a time lies in the window. */
export function whereInWindow(scope: Scope, t: RawBuilder<unknown>): RawBuilder<boolean> {
  const parts: RawBuilder<boolean>[] = [];
  if (scope.since !== undefined) parts.push(sql`${t} >= ${scope.since}`);
  if (scope.until !== undefined) parts.push(sql`${t} < ${scope.until} and ${t} > ${NO_TIME}`);
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
}

/** Orders by newest first if the time is granted, else by key. For reads of a limited number of records. */
export function orderByNewest(scope: Scope): RawBuilder<unknown> {
  const isTimed = scope.stream.timeField !== undefined && scope.fields.has(scope.stream.timeField.name);
  return isTimed ? sql`f.t desc, f.key` : sql`f.key`;
}

/** Joins the records themselves, for conditions on lists only. */
export function joinData(conditions: readonly Condition[]): RawBuilder<unknown> {
  return conditions.some(({ field }) => field.kind === 'list') ? sql`join records r on r.rid = f.rid` : sql``;
}

/** Returns the column of a field: a slot, or the time that the stream is ordered by. */
export function columnOf(scope: Scope, field: FieldRef, table: 'f' | 'h' = 'f'): RawBuilder<unknown> {
  if (!scope.fields.has(field.name)) throw new Error('a field outside the scope reached the database');
  if (scope.stream.timeField?.name === field.name) return refTo(`${table}.t`);
  const slot = scope.stream.plan.slots[field.name];
  if (slot === undefined) throw new Error('a field without a slot reached the database');
  return refTo(`${table}.s${slot}`);
}

/** Building a column reference takes longer than using it, and there are few columns. */
const refs = new Map<string, RawBuilder<unknown>>();

function refTo(name: string): RawBuilder<unknown> {
  const ref = refs.get(name) ?? sql.ref(name);
  refs.set(name, ref);
  return ref;
}

/** Returns all conditions as one SQL condition on facets, or on history, which has the same columns. */
export function whereConditions(
  scope: Scope,
  conditions: readonly Condition[],
  table: 'f' | 'h' = 'f',
  data: 'r' | 'h' = 'r',
): RawBuilder<boolean> {
  if (conditions.length === 0) return sql`true`;
  return sql.join(
    conditions.map((condition) =>
      condition.field.kind === 'list'
        ? whereList(scope, condition, data)
        : whereScalar(scope, condition, table),
    ),
    sql` and `,
  );
}

function whereScalar(scope: Scope, condition: Condition, table: 'f' | 'h'): RawBuilder<boolean> {
  const column = columnOf(scope, condition.field, table);
  const isTimeField = scope.stream.timeField?.name === condition.field.name;
  const present = isTimeField ? sql<boolean>`${column} > ${NO_TIME}` : sql<boolean>`${column} is not null`;
  switch (condition.op) {
    case 'any': {
      const values = condition.values.map(encodeSlot);
      if (values.length === 0) return sql`false`;
      return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} in (${sql.join(values)})`;
    }
    case 'none': {
      const values = condition.values.map(encodeSlot);
      return values.length === 1
        ? sql`${column} is not ${values[0]}`
        : sql`(${column} is null or ${column} not in (${sql.join(values)}))`;
    }
    case 'lt':
      return sql`(${column} < ${encodeSlot(condition.value)} and ${present})`;
    case 'lte':
      return sql`(${column} <= ${encodeSlot(condition.value)} and ${present})`;
    case 'gt':
      return sql`${column} > ${encodeSlot(condition.value)}`;
    case 'gte':
      return sql`${column} >= ${encodeSlot(condition.value)}`;
    case 'within':
      return sql`(${inIntervals(column, condition.intervals)})`;
    case 'outside':
      return sql`not coalesce(${inIntervals(column, condition.intervals)}, false)`;
    case 'exists':
      if (condition.yes) return present;
      return isTimeField ? sql`${column} = ${NO_TIME}` : sql`${column} is null`;
    case 'weekday':
    case 'hour': {
      const { offsets, parts } = condition;
      if (offsets === undefined) throw new Error('a clock without its offsets reached the database');
      if (parts.length === 0) return sql`false`;
      const kind = condition.op === 'hour' ? 'hour_of_day' : 'weekday';
      return sql`(${present} and ${timeGroup(column, { kind, offsets })} in (${sql.join(parts.map((part) => sql.lit(part)))}))`;
    }
    case 'contains':
    case 'starts_with': {
      // The slot of a long text holds its beginning, a NUL and a hash: then the record is read.
      const whole =
        table === 'h'
          ? selectText('h', 'h.from_seq', condition.field)
          : sql`(select ${selectText('k', 'k.seq', condition.field)} from records k where k.rid = f.rid)`;
      const text = sql`case when instr(${column}, char(0)) > 0 then ${whole} else ${column} end`;
      return whereText(sql`lower(${text})`, condition.op, condition.text);
    }
  }
}

/** Selects a text of a record; of a large record, as much as filters compare. */
function selectText(table: 'k' | 'h', seq: 'k.seq' | 'h.from_seq', { name }: FieldRef): RawBuilder<unknown> {
  const data = sql.ref(`${table}.data`);
  const isField = (alias: string) =>
    sql`${sql.ref(`${alias}.seq`)} = ${sql.ref(seq)} and ${sql.ref(`${alias}.field`)} = ${name}`;
  return sql`case when ${isWhole(table)} then json_extract(${data}, ${`$."${name}"`})
    else coalesce((select json_extract(l.value, '$') from large_fields l where ${isField('l')} and l.type = 'short'),
      (select group_concat(text, '') from (select p.text from large_pieces p where ${isField('p')}
        and p.start < ${sql.lit(FILTERED_CHARACTERS)} order by p.start))) end`;
}

/** The condition that a row holds the data of its record, and not a reference to a large one. */
function isWhole(table: 'r' | 'k' | 'h'): RawBuilder<boolean> {
  if (table === 'h') return sql`h.data not like '#%'`;
  return sql`octet_length(${sql.ref(`${table}.data`)}) <= ${sql.lit(LARGE_BYTES)}`;
}

/**
 * Selects a stored version: its JSON, or a reference (`#` and the change number) if it is large. Both lead to the same
 * bound record.
 */
export function storedVersion(table: 'r' | 'h'): RawBuilder<string> {
  // The history stores references for large versions.
  return table === 'h' ? sql`h.data` : sql`case when ${isWhole('r')} then r.data else '#' || r.seq end`;
}

/** Selects JSON with a list of a record; of a large record, as much of the list as filters compare. */
export function listHolder(data: 'r' | 'h', { name }: FieldRef): RawBuilder<string> {
  const [json, seq] = [sql.ref(`${data}.data`), sql.ref(data === 'r' ? 'r.seq' : 'h.from_seq')];
  return sql`case when ${isWhole(data)} then ${json} else (
    select json_object(l.field, json(coalesce(l.items, l.value))) from large_fields l
    where l.seq = ${seq} and l.field = ${name}) end`;
}

function whereText(
  text: RawBuilder<unknown>,
  op: 'contains' | 'starts_with',
  wanted: string,
): RawBuilder<boolean> {
  const tests = spellings(wanted).map((spelling) =>
    op === 'contains'
      ? sql<boolean>`instr(${text}, ${spelling}) > 0`
      : sql<boolean>`substr(${text}, 1, ${[...spelling].length}) = ${spelling}`,
  );
  return sql`coalesce(${sql.join(tests, sql` or `)}, false)`;
}

function inIntervals(
  column: RawBuilder<unknown>,
  intervals: readonly (readonly [number, number])[],
): RawBuilder<boolean> {
  return sql.join(
    intervals.map(([from, to]) => sql`(${column} >= ${from} and ${column} < ${to})`),
    sql` or `,
  );
}

/** The condition that a list contains a value. Only conditions on lists read the record itself. */
function whereList(scope: Scope, condition: Condition, data: 'r' | 'h'): RawBuilder<boolean> {
  if (!scope.fields.has(condition.field.name))
    throw new Error('a field outside the scope reached the database');
  const path = `$."${condition.field.name}"`;
  const items = sql`json_each(${listHolder(data, condition.field)}, ${path})`;
  switch (condition.op) {
    case 'any':
      return sql`exists (select 1 from ${items} where value in (${sql.join(condition.values)}))`;
    case 'none':
      return sql`not exists (select 1 from ${items} where value in (${sql.join(condition.values)}))`;
    case 'exists':
      return condition.yes
        ? sql`exists (select 1 from ${items} where value is not null)`
        : sql`not exists (select 1 from ${items} where value is not null)`;
    default:
      throw new Error('a list was compared by order');
  }
}

/**
 * Selects integers and whole floats beyond 2^53 as text, because a JavaScript number would round integers, and equal
 * values must give the same result.
 */
export function exactly(field: FieldRef | undefined, column: RawBuilder<unknown>): RawBuilder<unknown> {
  if (field?.kind !== 'integer') return column;
  return sql`case when typeof(${column}) <> 'text' and ${column} not between ${-Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}
    and abs(${column}) < ${2 ** 63} then cast(cast(${column} as integer) as text) else ${column} end`;
}
