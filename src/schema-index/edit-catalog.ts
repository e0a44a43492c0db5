import type Database from 'better-sqlite3';
import { AppError } from '../errors.ts';
import { rebuildLargeRecords } from '../store/large/large-records.ts';
import type { ReadStore, WriteStore } from '../store/open-store.ts';
import { MAX_STREAM_ID } from '../store/rid.ts';
import type { CheckedDeclaration } from './check-declaration.ts';
import type { StreamDeclaration } from './declaration.ts';
import { plainName } from './plain-name.ts';
import { parseSlotPlan, planSlots } from './slot-plan.ts';

export interface SourceOutcome {
  readonly outcome: 'new' | 'changed' | 'same';
  /** Streams whose records hold fields that had no place before and have one now. */
  readonly replanned: readonly number[];
}

/**
 * Adds a source, or a newer declaration of it. A newer one may add streams and fields; it may not take
 * away or reinterpret any, because grants were frozen in terms of the older one.
 */
export function addSource(
  store: WriteStore,
  declaration: CheckedDeclaration,
  now: Date,
): Promise<SourceOutcome> {
  return store.transactAtOnce((raw) => placeSource(raw, declaration, now));
}

/** The same as part of a transaction. */
export function placeSource(
  raw: Database.Database,
  declaration: CheckedDeclaration,
  now: Date,
): SourceOutcome {
  return countChange(raw, () => {
    const text = JSON.stringify(declaration);
    const key = declaration.connector_key;
    const before = raw.prepare('select declaration from sources where connector_key = ?').pluck().get(key);
    if (before === text) return { outcome: 'same', replanned: [] };
    if (typeof before === 'string') checkCompatible(JSON.parse(before) as CheckedDeclaration, declaration);
    raw
      .prepare(
        `insert into sources values (?, ?, ?, ?) on conflict do update
         set declaration = excluded.declaration, declaration_version = excluded.declaration_version`,
      )
      .run(key, text, declaration.declaration_version, now.toISOString());
    const connections = raw
      .prepare('select connection_id from connections where connector_key = ?')
      .pluck()
      .all(key);
    const replanned = connections.flatMap((id) => placeStreams(raw, id as string, declaration.streams));
    if (before !== undefined) for (const id of connections) rebuildLarge(raw, id as string);
    return { outcome: before === undefined ? 'new' : 'changed', replanned };
  });
}

/** Adds one account of a source. Adding the same one again only renames it. */
export async function addConnection(
  store: WriteStore,
  connection: { connection_id: string; connector_key: string; display_name: string },
  now: Date,
): Promise<'new' | 'same'> {
  const { connection_id: id, connector_key: key, display_name: name } = connection;
  if (!plainName.safeParse(id).success) {
    throw new AppError(
      'invalid_argument',
      'A connection id is a-z, 0-9, _ or -, at most 64, beginning with a letter.',
    );
  }
  checkName(name);
  return changeCatalog(store, (raw) => {
    const declaration = raw
      .prepare('select declaration from sources where connector_key = ?')
      .pluck()
      .get(key);
    if (typeof declaration !== 'string') {
      throw new AppError('not_found', 'There is no source with that connector key.', {
        hint: 'Add it: pdpp source add FILE',
      });
    }
    const existing = raw
      .prepare('select connector_key from connections where connection_id = ?')
      .pluck()
      .get(id);
    if (existing !== undefined && existing !== key) {
      throw new AppError('conflict', 'That connection id belongs to another source.', {
        hint: 'Choose another --id.',
      });
    }
    raw
      .prepare(
        `insert into connections (connection_id, connector_key, display_name, created_at) values (?, ?, ?, ?) on conflict do update set display_name = excluded.display_name`,
      )
      .run(id, key, name, now.toISOString());
    placeStreams(raw, id, (JSON.parse(declaration) as CheckedDeclaration).streams);
    return existing === undefined ? 'new' : 'same';
  });
}

export async function renameConnection(store: WriteStore, id: string, name: string): Promise<void> {
  checkName(name);
  await changeCatalog(store, (raw) => {
    const { changes } = raw
      .prepare('update connections set display_name = ? where connection_id = ?')
      .run(name, id);
    if (changes === 0) throw noConnection();
  });
}

/**
 * How an account calls its owner: ids, names, addresses. What is known already stays, and nothing is left out: each
 * import brings few, and with a most of them those of hidden records would push out those of visible ones. Returns
 * what is new.
 */
export async function addSelf(store: WriteStore, id: string, self: readonly string[]): Promise<string[]> {
  if (self.length === 0) return [];
  return changeCatalog(store, (raw) => {
    const before = readSelf(raw, id);
    writeSelf(raw, id, [...new Set([...before, ...self])]);
    return self.filter((name) => !before.includes(name));
  });
}

/** Takes out what an import had added to a connection: names of its owner, and which account it is. */
export async function removeAdded(
  store: WriteStore,
  id: string,
  added: { readonly account?: string; readonly self: readonly string[] },
): Promise<void> {
  await changeCatalog(store, (raw) => {
    writeSelf(
      raw,
      id,
      readSelf(raw, id).filter((name) => !added.self.includes(name)),
    );
    raw
      .prepare('update connections set account = null where connection_id = ? and account = ?')
      .run(id, added.account ?? null);
  });
}

function readSelf(raw: Database.Database, id: string): string[] {
  const known = raw.prepare('select self from connections where connection_id = ?').pluck().get(id);
  if (known === undefined) throw noConnection();
  return JSON.parse((known as string | null) ?? '[]') as string[];
}

function writeSelf(raw: Database.Database, id: string, self: readonly string[]): void {
  const text = self.length === 0 ? null : JSON.stringify(self);
  raw.prepare('update connections set self = ? where connection_id = ?').run(text, id);
}

/**
 * Takes a connection out of the catalog, and its source where it was the last of it. Its streams are put down for
 * erasing in the same transaction.
 */
export async function dropConnection(store: WriteStore, id: string, now: Date): Promise<void> {
  await changeCatalog(store, (raw) => {
    const key = raw.prepare('select connector_key from connections where connection_id = ?').pluck().get(id);
    if (key === undefined) throw noConnection();
    raw
      .prepare(
        'delete from import_spans where import_id in (select import_id from imports where connection_id = ?)',
      )
      .run(id);
    raw
      .prepare('insert into removals select stream_id, connection_id, ? from streams where connection_id = ?')
      .run(now.toISOString(), id);
    for (const table of ['imports', 'streams', 'connections'])
      raw.prepare(`delete from ${table} where connection_id = ?`).run(id);
    raw
      .prepare(
        'delete from sources where connector_key = ? and connector_key not in (select connector_key from connections)',
      )
      .run(key);
  });
}

export function noConnection(): AppError {
  return new AppError('unknown_connection', 'There is no such connection.', { hint: 'pdpp connection list' });
}

function checkName(name: string): void {
  if (name.length === 0 || name.length > 200)
    throw new AppError('invalid_argument', 'A name has 1 to 200 characters.');
}

/** Whether the owner's zone is known. */
export async function hasTimeZone(store: ReadStore | WriteStore): Promise<boolean> {
  const known = await store.db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'time_zone')
    .executeTakeFirst();
  return known !== undefined;
}

/** The owner's zone, and the one that times without one are meant in. A beginning, when the store is first used. */
export async function setTimeZone(store: WriteStore, timeZone: string): Promise<void> {
  // Every start of a server comes by here; one that changes nothing must not have to write first.
  if (await hasTimeZone(store)) return;
  await changeCatalog(store, (raw) => {
    raw.prepare(`insert into settings values ('time_zone', ?) on conflict do nothing`).run(timeZone);
  });
}

/** Makes another zone the owner's, as an act of its own. Returns whether it was another one. */
export function changeTimeZone(store: WriteStore, timeZone: string): Promise<boolean> {
  return store.transact(() => placeTimeZone(store, timeZone));
}

/**
 * Makes another zone the owner's, within an act. Times without a zone that are stored stay where they are; while nothing
 * is there to be stored in, they are meant in the new zone too. Returns whether it was another one.
 */
export async function placeTimeZone({ db }: WriteStore, timeZone: string): Promise<boolean> {
  const known = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'time_zone')
    .executeTakeFirst();
  if (known?.value === timeZone) return false;
  const stream = await db.selectFrom('streams').select('stream_id').limit(1).executeTakeFirst();
  if (stream === undefined) await db.deleteFrom('settings').where('name', '=', 'plain_time_zone').execute();
  else if (known !== undefined)
    await db
      .insertInto('settings')
      .values({ name: 'plain_time_zone', value: known.value })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  await db
    .insertInto('settings')
    .values({ name: 'time_zone', value: timeZone })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: timeZone }))
    .execute();
  await db
    .updateTable('counters')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('name', '=', 'catalog')
    .execute();
  return true;
}

/** Gives every declared stream its number and its plan; returns the numbers of those whose plan has grown. */
function placeStreams(
  raw: Database.Database,
  connectionId: string,
  streams: readonly StreamDeclaration[],
): number[] {
  return streams.flatMap((stream) => {
    const row = raw
      .prepare('select stream_id, plan from streams where connection_id = ? and stream = ?')
      .get(connectionId, stream.name) as { stream_id: number; plan: string } | undefined;
    const plan = JSON.stringify(planSlots(stream, row === undefined ? undefined : parseSlotPlan(row.plan)));
    if (row === undefined) {
      const streamId = nextStreamId(raw);
      if (streamId > MAX_STREAM_ID) throw new AppError('conflict', 'The store is full of streams.');
      raw
        .prepare('insert into streams (stream_id, connection_id, stream, plan) values (?, ?, ?, ?)')
        .run(streamId, connectionId, stream.name, plan);
      return [];
    }
    if (row.plan === plan) return [];
    raw.prepare('update streams set plan = ? where stream_id = ?').run(plan, row.stream_id);
    return [row.stream_id];
  });
}

/** The number of a stream is free again only when all its records are erased. */
function nextStreamId(raw: Database.Database): number {
  return raw
    .prepare(
      'select 1 + coalesce(max(stream_id), 0) from (select stream_id from streams union all select stream_id from removals)',
    )
    .pluck()
    .get() as number;
}

/** A newly declared field may be in records that are stored field by field. */
function rebuildLarge(raw: Database.Database, connectionId: string): void {
  const streams = raw.prepare('select stream_id from streams where connection_id = ?').pluck();
  for (const streamId of streams.all(connectionId)) rebuildLargeRecords(raw, streamId as number);
}

/** What a newer declaration takes away or changes of a stored one, which it must not. */
export function listConflicts(before: CheckedDeclaration, after: CheckedDeclaration): string[] {
  return before.streams.flatMap((old) => {
    const stream = after.streams.find((one) => one.name === old.name);
    if (stream === undefined) return [`streams.${old.name}: is gone`];
    const changed = (['primary_key', 'consent_time_field', 'cursor_field'] as const)
      .filter((part) => JSON.stringify(old[part]) !== JSON.stringify(stream[part]))
      .map((part) => `streams.${old.name}.${part}: has changed`);
    const properties = stream.schema.properties as Record<string, { type?: unknown; format?: unknown }>;
    const fields = Object.entries(old.schema.properties as typeof properties)
      .filter(([name, schema]) => {
        const now = Object.hasOwn(properties, name) ? properties[name] : undefined;
        return JSON.stringify([schema.type, schema.format]) !== JSON.stringify([now?.type, now?.format]);
      })
      .map(([name]) => `streams.${old.name}.schema.properties.${name}: is gone or has another type`);
    return [...changed, ...fields];
  });
}

function checkCompatible(before: CheckedDeclaration, after: CheckedDeclaration): void {
  const problems = listConflicts(before, after);
  if (problems.length === 0) return;
  throw new AppError(
    'conflict',
    'A newer declaration may add streams and fields, not take away or retype any.',
    {
      hint: 'Grants name streams and fields of the declaration at hand. Use a new connector_key.',
      problems: problems.slice(0, 20),
    },
  );
}

function changeCatalog<T>(store: WriteStore, work: (raw: Database.Database) => T): Promise<T> {
  return store.transactAtOnce((raw) => countChange(raw, () => work(raw)));
}

/** Whoever holds a catalog learns from the counter that there is a newer one. */
function countChange<T>(raw: Database.Database, work: () => T): T {
  const result = work();
  raw.prepare(`update counters set value = value + 1 where name = 'catalog'`).run();
  return result;
}
