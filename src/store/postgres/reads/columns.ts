import type { FieldRef, Scope } from '../../scope.ts';
import { NO_TIME, type Value } from '../../values.ts';
import { fromSlot, toSlot } from '../slot-values.ts';
import { type Sql, sql } from '../sql.ts';

export type Table = 'r' | 'h';

/**
 * A stored value as SQL: the time that the stream is ordered by, or a slot. `number` and `text` use one column of the slot,
 * `integer` uses both; see slot-values.ts.
 */
export interface Column {
  readonly kind: 'time' | 'number' | 'integer' | 'text';
  readonly n: Sql;
  readonly t: Sql;
}

const NONE_N = sql`null::float8`;
const NONE_T = sql`null::text`;
const columns = new Map<string, Sql>();

/** Building a column takes longer than using it, and there are few. */
function nameColumn(name: string): Sql {
  const column = columns.get(name) ?? sql.raw(name);
  columns.set(name, column);
  return column;
}

/** Returns the column of a field: a slot, or the time that the stream is ordered by. */
export function columnOf(scope: Scope, field: FieldRef, table: Table = 'r'): Column {
  if (!scope.fields.has(field.name)) throw new Error('a field outside the scope reached the database');
  if (scope.stream.timeField?.name === field.name)
    return { kind: 'time', n: nameColumn(`${table}.t`), t: NONE_T };
  const slot = scope.stream.plan.slots[field.name];
  if (slot === undefined) throw new Error('a field without a slot reached the database');
  const [n, t] = [nameColumn(`${table}.s${slot}n`), nameColumn(`${table}.s${slot}t`)];
  if (field.kind === 'string') return { kind: 'text', n: NONE_N, t };
  return field.kind === 'integer' ? { kind: 'integer', n, t } : { kind: 'number', n, t: NONE_T };
}

export function isPresent({ kind, n, t }: Column): Sql {
  if (kind === 'time') return sql`${n} > ${NO_TIME}`;
  if (kind === 'integer') return sql`(${n} is not null or ${t} is not null)`;
  return sql`${kind === 'text' ? t : n} is not null`;
}

export function isMissing({ kind, n, t }: Column): Sql {
  if (kind === 'time') return sql`${n} = ${NO_TIME}`;
  if (kind === 'integer') return sql`(${n} is null and ${t} is null)`;
  return sql`${kind === 'text' ? t : n} is null`;
}

/** The condition that a column has one of some values. Unknown for a missing value. */
export function isAny(column: Column, values: readonly Value[]): Sql {
  const slots = values.filter((value) => value !== null).map(toSlot);
  if (slots.length === 0) return sql`false`;
  if (column.kind === 'integer')
    return sql`(${sql.join(
      slots.map(({ n, t }) => {
        if (n === null) return sql`(${column.n} is null and ${column.t} = ${t})`;
        return t === null
          ? sql`${column.n} = ${n}::float8`
          : sql`(${column.n} = ${n}::float8 and ${column.t} = ${t})`;
      }),
      sql` or `,
    )})`;
  if (column.kind === 'text') {
    const texts = slots.flatMap(({ n, t }) => (n === null && t !== null ? [t] : []));
    return texts.length === 1
      ? sql`${column.t} = ${texts[0] ?? null}`
      : sql`${column.t} = any(${texts}::text[])`;
  }
  const numbers = slots.flatMap(({ n }) => n ?? []);
  const type = column.kind === 'time' && numbers.every(Number.isSafeInteger) ? 'int8' : 'float8';
  return numbers.length === 1
    ? sql`${column.n} = ${numbers[0] ?? null}::${sql.raw(type)}`
    : sql`${column.n} = any(${numbers}::${sql.raw(type)}[])`;
}

export type Comparison = '<' | '<=' | '>' | '>=';

/** The condition that a column is before or after a value. Numbers are before texts; a missing value is neither. */
export function compare(column: Column, comparison: Comparison, value: Value): Sql {
  const { kind, n, t } = column;
  const by = sql.raw(comparison);
  const slot = toSlot(value);
  if (kind === 'text') return slot.t === null ? sql`false` : sql`${t} ${by} ${slot.t}`;
  if (kind === 'time') return sql`${n} ${by} ${timeValue(slot.n)}`;
  if (kind === 'number') return sql`${n} ${by} ${slot.n}::float8`;
  const isAbove = comparison.startsWith('>');
  if (slot.n === null)
    return isAbove
      ? sql`(${n} is null and ${t} ${by} ${slot.t})`
      : sql`(${n} is not null or ${t} ${by} ${slot.t})`;
  const strictly = sql.raw(isAbove ? '>' : '<');
  const numbers =
    slot.t === null
      ? sql`${n} ${by} ${slot.n}::float8`
      : sql`(${n} ${strictly} ${slot.n}::float8 or (${n} = ${slot.n}::float8 and ${t} ${by} ${slot.t}))`;
  return isAbove ? sql`(${numbers} or (${n} is null and ${t} is not null))` : numbers;
}

/** A time as a parameter. Indexes serve whole ones only. */
export function timeValue(time: number | null): Sql {
  return Number.isSafeInteger(time) ? sql`${time}::int8` : sql`${time}::float8`;
}

export type Direction = 'asc' | 'desc';

/** Orders by a column. Missing values are lowest, then numbers, then texts. */
export function orderOf({ kind, n, t }: Column, direction: Direction): Sql {
  const by = sql.raw(direction);
  const nullable = sql.raw(direction === 'asc' ? 'asc nulls first' : 'desc nulls last');
  if (kind === 'time') return sql`${n} ${by}`;
  if (kind === 'text') return sql`${t} ${nullable}`;
  if (kind === 'number') return sql`${n} ${nullable}`;
  return sql`(${n} is null and ${t} is not null) ${by}, ${n} ${nullable}, ${t} ${nullable}`;
}

/** Selects both parts of a value under the names `<name>n` and `<name>t`. */
export function selectAs({ n, t }: Pick<Column, 'n' | 't'>, name: string): Sql {
  return sql`${n}::float8 as ${sql.raw(`${name}n`)}, ${t} as ${sql.raw(`${name}t`)}`;
}

/** A selected value. */
export interface ValueRow {
  readonly vn: number | null;
  readonly vt: string | null;
}

/** Returns a selected value, with large integers as 64-bit integers. */
export function readValue(field: FieldRef | undefined, { vn, vt }: ValueRow): Value {
  return fromSlot(field?.kind, { n: vn, t: vt });
}
