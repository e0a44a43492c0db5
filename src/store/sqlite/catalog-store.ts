import type Database from 'better-sqlite3';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type {
  CatalogReads,
  CatalogStore,
  ConnectionStore,
  SettingStore,
  SourceStore,
  StreamStore,
} from '../catalog-store.ts';
import { KEY_SECRET_SETTING, PLAIN_ZONE_SETTING, TIME_ZONE_SETTING } from '../setting-names.ts';
import { rebuildLargeRecords } from './large/large-records.ts';
import { createVersionRead } from './request-reads.ts';
import { readSetting, writeSetting } from './settings.ts';
import { type Queries, run } from './sqlite.ts';
import type { Tables } from './tables.ts';

const connectionColumns = ['connection_id', 'connector_key', 'display_name', 'created_at', 'self'] as const;

type Db = Pick<Kysely<Tables>, 'selectFrom' | 'executeQuery'>;

export function createCatalogReads(db: Db): CatalogReads {
  return {
    version: createVersionRead(db),
    async zones() {
      const rows = await db
        .selectFrom('settings')
        .select(['name', 'value'])
        .where('name', 'in', [TIME_ZONE_SETTING, PLAIN_ZONE_SETTING])
        .execute();
      const zones = new Map(rows.map(({ name, value }) => [name, value]));
      return { timeZone: zones.get(TIME_ZONE_SETTING), plainZone: zones.get(PLAIN_ZONE_SETTING) };
    },
    keySecret: () => readSetting(db, KEY_SECRET_SETTING),
    listConnections: () =>
      db
        .selectFrom('connections')
        .select(connectionColumns)
        .orderBy('created_at')
        .orderBy('connection_id')
        .execute(),
    listSources: () => db.selectFrom('sources').select(['connector_key', 'declaration']).execute(),
    listStreams: () => db.selectFrom('streams').selectAll().execute(),
    async listRemovals() {
      const rows = await db.selectFrom('removals').select('connection_id').distinct().execute();
      return rows.map(({ connection_id }) => connection_id);
    },
  };
}

/** Runs work on the connection itself as part of the current transaction. */
type WithConnection = <T>(work: (raw: Database.Database) => T) => Promise<T>;

export function createCatalogStore(db: Queries<Tables>, withConnection: WithConnection): CatalogStore {
  return {
    ...createCatalogReads(db),
    ...createSourceStore(db),
    ...createConnectionStore(db),
    ...createStreamStore(db, withConnection),
    ...createSettingStore(db),
    raiseVersion: () => createChange(db)(sql`update counters set value = value + 1 where name = 'catalog'`),
  };
}

/** Returns a function that runs statements whose number of changed rows does not matter. */
function createChange(db: Queries<Tables>): (statement: RawBuilder<unknown>) => Promise<void> {
  return async (statement) => {
    await run(db, statement);
  };
}

function createSourceStore(db: Queries<Tables>): SourceStore {
  const change = createChange(db);
  return {
    async findDeclaration(connectorKey) {
      const source = db.selectFrom('sources').select('declaration').where('connector_key', '=', connectorKey);
      return (await source.executeTakeFirst())?.declaration;
    },
    putSource: (connectorKey, declaration, version, at) =>
      change(sql`insert into sources (connector_key, declaration, declaration_version, added_at)
        values (${connectorKey}, ${declaration}, ${version}, ${at})
        on conflict do update set declaration = excluded.declaration,
          declaration_version = excluded.declaration_version`),
  };
}

function createConnectionStore(db: Queries<Tables>): ConnectionStore {
  const change = createChange(db);
  return {
    findConnection: (connectionId) =>
      db
        .selectFrom('connections')
        .select(connectionColumns)
        .where('connection_id', '=', connectionId)
        .executeTakeFirst(),
    putConnection: ({ connection_id, connector_key, display_name, created_at }) =>
      change(sql`insert into connections (connection_id, connector_key, display_name, created_at)
        values (${connection_id}, ${connector_key}, ${display_name}, ${created_at})
        on conflict do update set display_name = excluded.display_name`),
    async renameConnection(connectionId, name) {
      const rename = sql`update connections set display_name = ${name} where connection_id = ${connectionId}`;
      return (await run(db, rename)) > 0;
    },
    setSelf: (connectionId, self) =>
      change(sql`update connections set self = ${self} where connection_id = ${connectionId}`),
    async setFirstAccount(connectionId, account) {
      const set = sql`update connections set account = ${account} where connection_id = ${connectionId} and account is null`;
      return (await run(db, set)) > 0;
    },
    removeAccount: (connectionId, account) =>
      change(
        sql`update connections set account = null where connection_id = ${connectionId} and account = ${account}`,
      ),
    async removeConnection(connectionId, connectorKey, at) {
      await change(sql`insert into removals (stream_id, connection_id, removed_at)
        select stream_id, connection_id, ${at} from streams where connection_id = ${connectionId}`);
      await change(sql`delete from import_spans where import_id in (
        select import_id from imports where connection_id = ${connectionId})`);
      const accounts = sql`(select account_id from accounts where connection_id = ${connectionId})`;
      for (const table of ['account_records', 'account_items'])
        await change(sql`delete from ${sql.table(table)} where account_id in ${accounts}`);
      for (const table of ['accounts', 'imports', 'streams', 'connections'])
        await change(sql`delete from ${sql.table(table)} where connection_id = ${connectionId}`);
      await change(sql`delete from sources where connector_key = ${connectorKey}
        and connector_key not in (select connector_key from connections)`);
    },
  };
}

function createStreamStore(db: Queries<Tables>, withConnection: WithConnection): StreamStore {
  const change = createChange(db);
  return {
    findStream: (connectionId, stream) =>
      db
        .selectFrom('streams')
        .selectAll()
        .where('connection_id', '=', connectionId)
        .where('stream', '=', stream)
        .executeTakeFirst(),
    getStream: (streamId) =>
      db.selectFrom('streams').selectAll().where('stream_id', '=', streamId).executeTakeFirstOrThrow(),
    async nextStreamId() {
      const ids = db
        .selectFrom('streams')
        .select('stream_id')
        .union(db.selectFrom('removals').select('stream_id'));
      const rows = await ids.orderBy('stream_id', 'desc').limit(1).execute();
      return (rows[0]?.stream_id ?? 0) + 1;
    },
    async addStream(row) {
      await db.insertInto('streams').values(row).execute();
    },
    setPlan: (streamId, plan) => change(sql`update streams set plan = ${plan} where stream_id = ${streamId}`),
    async rebuildLargeRecords(connectionId) {
      const streams = db.selectFrom('streams').select('stream_id').where('connection_id', '=', connectionId);
      for (const { stream_id } of await streams.execute())
        await withConnection((raw) => rebuildLargeRecords(raw, stream_id));
    },
  };
}

function createSettingStore(db: Queries<Tables>): SettingStore {
  const change = createChange(db);
  /** Writes a setting that has no value yet. */
  const addSetting = (name: string, value: string) =>
    change(sql`insert into settings values (${name}, ${value}) on conflict do nothing`);
  return {
    addKeySecret: (secret) => addSetting(KEY_SECRET_SETTING, secret),
    addTimeZone: (timeZone) => addSetting(TIME_ZONE_SETTING, timeZone),
    async replaceTimeZone(before, after) {
      const stream = await db.selectFrom('streams').select('stream_id').limit(1).executeTakeFirst();
      if (stream === undefined) await change(sql`delete from settings where name = ${PLAIN_ZONE_SETTING}`);
      else if (before !== undefined) await addSetting(PLAIN_ZONE_SETTING, before);
      await writeSetting(db, TIME_ZONE_SETTING, after);
    },
  };
}
