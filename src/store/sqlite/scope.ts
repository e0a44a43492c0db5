import { type RawBuilder, sql } from 'kysely';
import type { GrantedStreamTerms } from '../../grants/grant.ts';
import type { CatalogStream } from '../../schema-index/catalog.ts';
import { NO_TIME } from './tables.ts';

/**
 * One granted stream as the database sees it. The functions below say what the grant shows of it now: which rows,
 * which fields, which text columns, and where whole days may be counted. Of the past, past-sql.ts says it; of lists
 * inside records, conditions-sql.ts. Every read goes through them.
 */
export interface Scope {
  readonly stream: CatalogStream;
  readonly fields: ReadonlySet<string>;
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly keys: ReadonlySet<string> | undefined;
}

/** The scope, or undefined when what was granted is no longer there. */
export function createScope(stream: CatalogStream, terms: GrantedStreamTerms): Scope | undefined {
  // The window was frozen on a field. If the stream is ordered by another one now, nothing can be shown.
  const windowed = terms.since !== undefined || terms.until !== undefined;
  if (windowed && stream.timeField?.name !== terms.time_field) return undefined;
  return {
    stream,
    fields: new Set(terms.fields.filter((name) => stream.fields.has(name))),
    since: terms.since,
    until: terms.until,
    keys: terms.keys === undefined ? undefined : new Set(terms.keys),
  };
}

const visible = new WeakMap<Scope, Partial<Record<'f' | 'r' | 'h', RawBuilder<boolean>>>>();

/** The condition that a row of `table` (with stream_id, t and key) is visible; put together once, it is in every statement. */
export function whereVisible(scope: Scope, table: 'f' | 'r' | 'h'): RawBuilder<boolean> {
  const known = visible.get(scope) ?? {};
  known[table] ??= makeVisible(scope, table);
  visible.set(scope, known);
  return known[table];
}

function makeVisible(scope: Scope, table: 'f' | 'r' | 'h'): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const parts = [sql<boolean>`${column('stream_id')} = ${scope.stream.streamId}`];
  if (isWindowed(scope)) parts.push(whereInWindow(scope, column('t')));
  if (scope.keys !== undefined) {
    const list = JSON.stringify([...scope.keys]);
    // As pairs of time and key, because that is how facets lie; looked up by key, because that is what is few.
    parts.push(
      table === 'f'
        ? sql`(f.t, f.key) in (select k.t, k.key from records k indexed by records_key where k.stream_id = ${scope.stream.streamId} and k.key in (select value from json_each(${list})))`
        : sql`${column('key')} in (select value from json_each(${list}))`,
    );
  }
  return sql.join(parts, sql` and `);
}

/** Whether the time of a record decides if it is visible. */
export function isWindowed(scope: Scope): boolean {
  return scope.since !== undefined || scope.until !== undefined;
}

/** The condition that a time lies in the window. */
export function whereInWindow(scope: Scope, t: RawBuilder<unknown>): RawBuilder<boolean> {
  const parts: RawBuilder<boolean>[] = [];
  if (scope.since !== undefined) parts.push(sql`${t} >= ${scope.since}`);
  if (scope.until !== undefined) parts.push(sql`${t} < ${scope.until} and ${t} > ${NO_TIME}`);
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
}

/** Newest first where that may be known, else by key: for reads that look at the first so many. */
export function orderByNewest(scope: Scope): RawBuilder<unknown> {
  const isTimed = scope.stream.timeField !== undefined && scope.fields.has(scope.stream.timeField.name);
  return isTimed ? sql`f.t desc, f.key` : sql`f.key`;
}

const names = new WeakMap<Scope, readonly string[]>();

/** The granted fields as a list: going through a set makes an object for each, and every row is gone through. */
export function grantedNames(scope: Scope): readonly string[] {
  let list = names.get(scope);
  if (list === undefined) {
    list = [...scope.fields];
    names.set(scope, list);
  }
  return list;
}

/** The granted part of a stored record. Nulls are left out: absent and null mean the same to a reader. */
export function projectRecord(scope: Scope, data: string): Record<string, unknown> {
  const stored = JSON.parse(data) as Record<string, unknown>;
  const record: Record<string, unknown> = {};
  for (const name of grantedNames(scope)) {
    const value = Object.hasOwn(stored, name) ? stored[name] : undefined;
    if (value !== undefined && value !== null) record[name] = value;
  }
  return record;
}

/** The text columns that hold granted fields. */
export function visibleColumns(scope: Scope): number[] {
  return Object.entries(scope.stream.plan.texts)
    .filter(([name]) => scope.fields.has(name) && scope.stream.fields.get(name)?.search === true)
    .map(([, column]) => column);
}

/** Whether counts may come from the per-day table: only where the grant hides no single record. */
export function coversWholeDays(scope: Scope): boolean {
  return scope.keys === undefined;
}

/** Whether the grant covers every record of the stream. */
export function isUnrestricted(scope: Scope): boolean {
  return scope.keys === undefined && scope.since === undefined && scope.until === undefined;
}
