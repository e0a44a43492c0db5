import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '../../scope.ts';
import { NO_TIME } from '../../values.ts';

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

/** Joins the records themselves only for conditions on lists. */
export function joinData(needsData: boolean): RawBuilder<unknown> {
  return needsData ? sql`join records r on r.rid = f.rid` : sql``;
}

/** Whether the time of a record decides if it is visible. */
export function isWindowed(scope: Scope): boolean {
  return scope.since !== undefined || scope.until !== undefined;
}

/** Whether the grant covers every record of the stream. */
export function isUnrestricted(scope: Scope): boolean {
  return scope.keys === undefined && !isWindowed(scope);
}

/** Whether counts may come from totals per day: only where the grant hides no single record. */
export function coversWholeDays(scope: Scope): boolean {
  return scope.keys === undefined;
}

/** Returns the text columns of granted fields. */
export function visibleColumns({ stream, fields }: Scope): number[] {
  return Object.entries(stream.plan.texts)
    .filter(([name]) => fields.has(name) && stream.fields.get(name)?.search === true)
    .map(([, column]) => column);
}

/** Returns the granted part of a stored record, without nulls: absent and null mean the same to a reader. */
export function projectRecord(scope: Scope, data: string): Record<string, unknown> {
  const stored = JSON.parse(data) as Record<string, unknown>;
  const record: Record<string, unknown> = {};
  for (const name of scope.fieldNames) {
    const value = Object.hasOwn(stored, name) ? stored[name] : undefined;
    if (value !== undefined && value !== null) record[name] = value;
  }
  return record;
}
