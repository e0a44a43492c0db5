import type { Column, PostgresDatabase } from '../database.ts';
import { type Sql, type SqlValue, sql } from '../sql.ts';

/** The columns of a log and their types, without the owner and the id. */
export type LogColumns = Readonly<Record<string, Column['type']>>;

/** More entries are sent as one list per column. PostgreSQL needs longer for lists than for a few rows. */
const MAX_ROWS = 4;

const chooseCommit = sql`set_config('synchronous_commit', case current_setting('synchronous_standby_names')
  when '' then 'off' else current_setting('synchronous_commit') end, true)`;

/**
 * Returns a function that numbers entries of a log in the order of commits, by a counter of the owner. Reads do not wait for
 * the disk: their entries survive the end of this process, as on SQLite. Where a standby confirms every commit, they wait for
 * it, so that a failover loses none; see docs/decisions/audit-on-postgres.md.
 */
export function createAppend(
  db: PostgresDatabase,
  table: 'audit' | 'events',
  columns: LogColumns,
): (entries: readonly object[]) => Promise<number> {
  const names = Object.keys(columns);
  // Building a statement takes longer than sending it.
  const parts = new Map<number, Sql['parts']>();
  return (entries) => {
    const rows = entries.map((entry) => names.map((name) => (entry as Row)[name] ?? null));
    const isList = rows.length > MAX_ROWS;
    const values = isList ? names.map((_, at) => rows.map((row) => row[at] ?? null)) : rows.flat();
    const shape = isList ? 0 : rows.length;
    const known = parts.get(shape) ?? writeAppend(table, columns, shape);
    parts.set(shape, known);
    return db.run({
      parts: known,
      values: [entries.length, db.ownerId, db.ownerId, entries.length, ...values],
    });
  };
}

type Row = Readonly<Record<string, string | number | null>>;

/** Returns the text of a statement for some rows, or for lists if `rows` is 0, between its values. */
function writeAppend(table: 'audit' | 'events', columns: LogColumns, rows: number): Sql['parts'] {
  const [value, names] = [null satisfies SqlValue, Object.keys(columns)];
  const types = Object.values(columns).map((type) => sql.raw(type));
  const list = names.join(', ');
  const row = (number: number) =>
    sql`(${sql.raw(String(number))}, ${sql.join(types.map((type) => sql`${value}::${type}`))})`;
  const entries =
    rows === 0
      ? sql`unnest(${sql.join(types.map((type) => sql`${value}::${type}[]`))})
          with ordinality entry (${sql.raw(list)}, number)`
      : sql`(values ${sql.join(Array.from({ length: rows }, (_, at) => row(at + 1)))}) entry (number, ${sql.raw(list)})`;
  return sql`
    with last as (
      update counters set value = value + ${value}::int8
      where owner_id = ${value} and name = ${sql.raw(`'${table}'`)}
        ${table === 'audit' ? sql`and ${chooseCommit} <> ''` : sql``} returning value
    )
    insert into ${sql.raw(`${table} (owner_id, id, ${list})`)}
    select ${value}::int4, last.value - ${value}::int8 + entry.number, ${sql.raw(names.map((name) => `entry.${name}`).join(', '))}
    from last, ${entries}`.parts;
}
