import type Database from 'better-sqlite3';
import type { CompiledQuery } from 'kysely';
import { rebuildLargeRecords } from '../store/sqlite/large/large-records.ts';
import type { ReadStore, WriteStore } from '../store/sqlite/open-store.ts';

export interface ConnectionRow {
  readonly connection_id: string;
  readonly connector_key: string;
  readonly display_name: string;
  /** How the account calls its owner, as a JSON list. */
  readonly self: string | null;
}

export interface StreamRow {
  readonly stream_id: number;
  readonly connection_id: string;
  readonly stream: string;
  /** The slot plan as JSON. */
  readonly plan: string;
}

/** Everything a catalog is made of, as stored. */
export interface CatalogRows {
  readonly zones: ReadonlyMap<string, string>;
  readonly connections: readonly ConnectionRow[];
  readonly sources: readonly { readonly connector_key: string; readonly declaration: string }[];
  readonly streams: readonly StreamRow[];
}

// Per store: every request asks for the version, so its query is compiled once.
const versionQueries = new WeakMap<object, CompiledQuery<{ value: number }>>();

/** Returns the number that grows with each change of the catalog. */
export async function readCatalogVersion(store: Pick<ReadStore, 'db'> | WriteStore): Promise<number> {
  let query = versionQueries.get(store);
  if (query === undefined) {
    query = store.db.selectFrom('counters').select('value').where('name', '=', 'catalog').compile();
    versionQueries.set(store, query);
  }
  const { rows } = await store.db.executeQuery(query);
  return rows[0]?.value ?? -1;
}

export async function readCatalogRows({ db }: Pick<ReadStore, 'db'> | WriteStore): Promise<CatalogRows> {
  const settings = await db
    .selectFrom('settings')
    .select(['name', 'value'])
    .where('name', 'in', ['time_zone', 'plain_time_zone'])
    .execute();
  const connections = await db
    .selectFrom('connections')
    .select(['connection_id', 'connector_key', 'display_name', 'self'])
    // In the order in which the owner added them: what a person thinks of first tends to come first.
    .orderBy('created_at')
    .orderBy('connection_id')
    .execute();
  const sources = await db.selectFrom('sources').select(['connector_key', 'declaration']).execute();
  const streams = await db.selectFrom('streams').selectAll().execute();
  return { zones: new Map(settings.map(({ name, value }) => [name, value])), connections, sources, streams };
}

/** Returns the owner's time zone, if it is set. */
export async function readTimeZone({ db }: Pick<ReadStore, 'db'> | WriteStore): Promise<string | undefined> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'time_zone')
    .executeTakeFirst();
  return row?.value;
}

/**
 * Stores another time zone of the owner, inside a transaction. The zone that stored times without one are meant in stays
 * the previous one, unless there is no stream yet.
 */
export async function replaceTimeZone({ db }: WriteStore, before: string | undefined, after: string) {
  const stream = await db.selectFrom('streams').select('stream_id').limit(1).executeTakeFirst();
  if (stream === undefined) await db.deleteFrom('settings').where('name', '=', 'plain_time_zone').execute();
  else if (before !== undefined)
    await db
      .insertInto('settings')
      .values({ name: 'plain_time_zone', value: before })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  await db
    .insertInto('settings')
    .values({ name: 'time_zone', value: after })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: after }))
    .execute();
  await db
    .updateTable('counters')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('name', '=', 'catalog')
    .execute();
}

/** Changes the catalog in one transaction. */
export function changeCatalog<T>(store: WriteStore, work: (catalog: CatalogEditor) => T): Promise<T> {
  return store.transactAtOnce((raw) => changeCatalogWithin(raw, work));
}

/** Changes the catalog as part of a transaction. Its version tells readers that there is a newer one. */
export function changeCatalogWithin<T>(raw: Database.Database, work: (catalog: CatalogEditor) => T): T {
  const result = work(new CatalogEditor(raw));
  raw.prepare(`update counters set value = value + 1 where name = 'catalog'`).run();
  return result;
}

/** Reads and writes the rows of the catalog inside a transaction. */
export class CatalogEditor {
  readonly #raw: Database.Database;

  constructor(raw: Database.Database) {
    this.#raw = raw;
  }

  findDeclaration(connectorKey: string): string | undefined {
    return this.#find('select declaration from sources where connector_key = ?', connectorKey);
  }

  putSource(connectorKey: string, declaration: string, version: string, at: string): void {
    this.#run(
      `insert into sources values (?, ?, ?, ?) on conflict do update
       set declaration = excluded.declaration, declaration_version = excluded.declaration_version`,
      connectorKey,
      declaration,
      version,
      at,
    );
  }

  findConnector(connectionId: string): string | undefined {
    return this.#find('select connector_key from connections where connection_id = ?', connectionId);
  }

  listConnectionIds(connectorKey: string): string[] {
    const list = this.#raw.prepare('select connection_id from connections where connector_key = ?');
    return list.pluck().all(connectorKey) as string[];
  }

  putConnection(connectionId: string, connectorKey: string, displayName: string, at: string): void {
    this.#run(
      `insert into connections (connection_id, connector_key, display_name, created_at) values (?, ?, ?, ?)
       on conflict do update set display_name = excluded.display_name`,
      connectionId,
      connectorKey,
      displayName,
      at,
    );
  }

  /** Returns whether there is such a connection. */
  renameConnection(connectionId: string, displayName: string): boolean {
    return (
      this.#run(
        'update connections set display_name = ? where connection_id = ?',
        displayName,
        connectionId,
      ) > 0
    );
  }

  /** Returns null where no name of the owner is known, undefined where there is no such connection. */
  findSelf(connectionId: string): string | null | undefined {
    return this.#find('select self from connections where connection_id = ?', connectionId);
  }

  writeSelf(connectionId: string, self: string | null): void {
    this.#run('update connections set self = ? where connection_id = ?', self, connectionId);
  }

  /** Forgets which account a connection is, if it is the given one. */
  removeAccount(connectionId: string, account: string | undefined): void {
    this.#run(
      'update connections set account = null where connection_id = ? and account = ?',
      connectionId,
      account ?? null,
    );
  }

  /** Removes a connection, its source if it was the last one, and schedules its streams for erasing. */
  removeConnection(connectionId: string, connectorKey: string, at: string): void {
    this.#run(
      'delete from import_spans where import_id in (select import_id from imports where connection_id = ?)',
      connectionId,
    );
    this.#run(
      'insert into removals select stream_id, connection_id, ? from streams where connection_id = ?',
      at,
      connectionId,
    );
    for (const table of ['imports', 'streams', 'connections'])
      this.#run(`delete from ${table} where connection_id = ?`, connectionId);
    this.#run(
      'delete from sources where connector_key = ? and connector_key not in (select connector_key from connections)',
      connectorKey,
    );
  }

  findStream(connectionId: string, stream: string): StreamRow | undefined {
    return this.#raw
      .prepare('select * from streams where connection_id = ? and stream = ?')
      .get(connectionId, stream) as StreamRow | undefined;
  }

  /** Returns a stream with its connection. */
  getStream(streamId: number): StreamRow & ConnectionRow {
    return this.#raw
      .prepare('select * from streams join connections using (connection_id) where stream_id = ?')
      .get(streamId) as StreamRow & ConnectionRow;
  }

  /** Returns a number no stream has. That of a removed stream is free only when all its records are erased. */
  nextStreamId(): number {
    return this.#find(
      'select 1 + coalesce(max(stream_id), 0) from (select stream_id from streams union all select stream_id from removals)',
    ) as number;
  }

  addStream({ stream_id, connection_id, stream, plan }: StreamRow): void {
    this.#run(
      'insert into streams (stream_id, connection_id, stream, plan) values (?, ?, ?, ?)',
      stream_id,
      connection_id,
      stream,
      plan,
    );
  }

  writePlan(streamId: number, plan: string): void {
    this.#run('update streams set plan = ? where stream_id = ?', plan, streamId);
  }

  /** Rebuilds the records of a connection that are stored field by field: they may hold newly declared fields. */
  rebuildLargeRecords(connectionId: string): void {
    const streams = this.#raw.prepare('select stream_id from streams where connection_id = ?').pluck();
    for (const streamId of streams.all(connectionId)) rebuildLargeRecords(this.#raw, streamId as number);
  }

  addTimeZone(timeZone: string): void {
    this.#run(`insert into settings values ('time_zone', ?) on conflict do nothing`, timeZone);
  }

  /** Returns the zone that stored times without one are meant in: the first of the two by name. */
  findPlainZone(): string | undefined {
    return this.#find(
      `select value from settings where name in ('plain_time_zone', 'time_zone') order by name limit 1`,
    );
  }

  #find<T extends string | number | null>(sql: string, ...values: readonly string[]): T | undefined {
    return this.#raw
      .prepare(sql)
      .pluck()
      .get(...values) as T | undefined;
  }

  #run(sql: string, ...values: readonly (string | number | null)[]): number {
    return this.#raw.prepare(sql).run(...values).changes;
  }
}
