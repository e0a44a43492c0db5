import type {
  CatalogReads,
  CatalogStore,
  ConnectionRow,
  ConnectionStore,
  SettingStore,
  SourceStore,
  StreamRow,
  StreamStore,
} from '../catalog-store.ts';
import { KEY_SECRET_SETTING, PLAIN_ZONE_SETTING, TIME_ZONE_SETTING } from '../setting-names.ts';
import type { PostgresDatabase } from './database.ts';
import { readSetting, writeSetting } from './settings.ts';
import { type Sql, sql } from './sql.ts';

const connectionColumns = sql`connection_id, connector_key, display_name, created_at, self`;
const streamColumns = sql`stream_id, connection_id, stream, plan`;

export function createCatalogReads(db: PostgresDatabase): CatalogReads {
  const { ownerId } = db;
  return {
    async version() {
      const [row] = await db.query<{ value: number }>(
        sql`select value from counters where owner_id = ${ownerId} and name = 'catalog'`,
      );
      return row?.value ?? -1;
    },
    async zones() {
      const names = [TIME_ZONE_SETTING, PLAIN_ZONE_SETTING];
      const rows = await db.query<{ name: string; value: string }>(
        sql`select name, value from settings where owner_id = ${ownerId} and name = any(${names})`,
      );
      const zones = new Map(rows.map(({ name, value }) => [name, value]));
      return { timeZone: zones.get(TIME_ZONE_SETTING), plainZone: zones.get(PLAIN_ZONE_SETTING) };
    },
    keySecret: () => readSetting(db, ownerId, KEY_SECRET_SETTING),
    listConnections: () =>
      db.query(sql`select ${connectionColumns} from connections where owner_id = ${ownerId}
        order by created_at, connection_id`),
    listSources: () =>
      db.query(sql`select connector_key, declaration from sources where owner_id = ${ownerId}
        order by connector_key`),
    listStreams: () =>
      db.query(sql`select ${streamColumns} from streams where owner_id = ${ownerId} order by stream_id`),
    async listRemovals() {
      const rows = await db.query<{ connection_id: string }>(sql`
        select connection_id from removals where owner_id = ${ownerId}
        group by connection_id order by min(stream_id)`);
      return rows.map(({ connection_id }) => connection_id);
    },
  };
}

/** `rebuildLargeRecords` indexes the large records of a stream again. */
export function createCatalogStore(
  db: PostgresDatabase,
  rebuildLargeRecords: (streamId: number) => Promise<void>,
): CatalogStore {
  const version = sql`update counters set value = value + 1 where owner_id = ${db.ownerId} and name = 'catalog'`;
  return {
    ...createCatalogReads(db),
    ...createSourceStore(db),
    ...createConnectionStore(db),
    ...createStreamStore(db, rebuildLargeRecords),
    ...createSettingStore(db),
    raiseVersion: () => createChange(db)(version),
  };
}

/** Returns a function that runs statements whose number of changed rows does not matter. */
function createChange(db: PostgresDatabase): (statement: Sql) => Promise<void> {
  return async (statement) => {
    await db.run(statement);
  };
}

function createSourceStore(db: PostgresDatabase): SourceStore {
  const { ownerId } = db;
  const change = createChange(db);
  return {
    async findDeclaration(connectorKey) {
      const [row] = await db.query<{ declaration: string }>(
        sql`select declaration from sources where owner_id = ${ownerId} and connector_key = ${connectorKey}`,
      );
      return row?.declaration;
    },
    putSource: (connectorKey, declaration, version, at) =>
      change(sql`
        insert into sources (owner_id, connector_key, declaration, declaration_version, added_at)
        values (${ownerId}, ${connectorKey}, ${declaration}, ${version}, ${at})
        on conflict (owner_id, connector_key) do update set declaration = excluded.declaration,
          declaration_version = excluded.declaration_version`),
  };
}

function createConnectionStore(db: PostgresDatabase): ConnectionStore {
  const { ownerId } = db;
  const change = createChange(db);
  return {
    async findConnection(connectionId) {
      const [row] = await db.query<ConnectionRow>(sql`select ${connectionColumns} from connections
        where owner_id = ${ownerId} and connection_id = ${connectionId}`);
      return row;
    },
    putConnection: ({ connection_id, connector_key, display_name, created_at }) =>
      change(sql`
        insert into connections (owner_id, connection_id, connector_key, display_name, created_at)
        values (${ownerId}, ${connection_id}, ${connector_key}, ${display_name}, ${created_at})
        on conflict (owner_id, connection_id) do update set display_name = excluded.display_name`),
    async renameConnection(connectionId, name) {
      const renamed = await db.run(sql`update connections set display_name = ${name}
        where owner_id = ${ownerId} and connection_id = ${connectionId}`);
      return renamed > 0;
    },
    setSelf: (connectionId, self) =>
      change(sql`update connections set self = ${self}
        where owner_id = ${ownerId} and connection_id = ${connectionId}`),
    async setFirstAccount(connectionId, account) {
      const set = await db.run(sql`update connections set account = ${account}
        where owner_id = ${ownerId} and connection_id = ${connectionId} and account is null`);
      return set > 0;
    },
    removeAccount: (connectionId, account) =>
      change(sql`update connections set account = null
        where owner_id = ${ownerId} and connection_id = ${connectionId} and account = ${account}`),
    removeConnection: (connectionId, connectorKey, at) =>
      db.transact(async (queries) => {
        const whereConnection = sql`owner_id = ${ownerId} and connection_id = ${connectionId}`;
        await queries.run(sql`
          insert into removals (owner_id, stream_id, connection_id, removed_at)
          select owner_id, stream_id, connection_id, ${at} from streams where ${whereConnection}`);
        await queries.run(sql`delete from import_spans where owner_id = ${ownerId}
          and import_id in (select import_id from imports where ${whereConnection})`);
        for (const table of ['account_records', 'account_items'])
          await queries.run(sql`delete from ${sql.raw(table)} where owner_id = ${ownerId}
            and account_id in (select account_id from accounts where ${whereConnection})`);
        for (const table of ['accounts', 'imports', 'streams', 'connections'])
          await queries.run(sql`delete from ${sql.raw(table)} where ${whereConnection}`);
        await queries.run(sql`delete from sources where owner_id = ${ownerId} and connector_key = ${connectorKey}
          and not exists (select 1 from connections c
            where c.owner_id = sources.owner_id and c.connector_key = sources.connector_key)`);
      }),
  };
}

function createStreamStore(
  db: PostgresDatabase,
  rebuildLargeRecords: (streamId: number) => Promise<void>,
): StreamStore {
  const { ownerId } = db;
  const change = createChange(db);
  const findStream = async (which: Sql) => {
    const [row] = await db.query<StreamRow>(
      sql`select ${streamColumns} from streams where owner_id = ${ownerId} and ${which}`,
    );
    return row;
  };
  return {
    findStream: (connectionId, stream) =>
      findStream(sql`connection_id = ${connectionId} and stream = ${stream}`),
    async getStream(streamId) {
      const row = await findStream(sql`stream_id = ${streamId}`);
      if (row === undefined) throw new Error('There is no such stream.');
      return row;
    },
    async nextStreamId() {
      const [row] = await db.query<{ last: number | null }>(sql`
        select max(stream_id) as last from (
          select stream_id from streams where owner_id = ${ownerId}
          union all select stream_id from removals where owner_id = ${ownerId}
        ) used`);
      return (row?.last ?? 0) + 1;
    },
    addStream: ({ stream_id, connection_id, stream, plan }) =>
      change(sql`insert into streams (owner_id, stream_id, connection_id, stream, plan)
        values (${ownerId}, ${stream_id}, ${connection_id}, ${stream}, ${plan})`),
    setPlan: (streamId, plan) =>
      change(sql`update streams set plan = ${plan} where owner_id = ${ownerId} and stream_id = ${streamId}`),
    async rebuildLargeRecords(connectionId) {
      const streams = await db.query<{ stream_id: number }>(sql`select stream_id from streams
        where owner_id = ${ownerId} and connection_id = ${connectionId} order by stream_id`);
      for (const { stream_id } of streams) await rebuildLargeRecords(stream_id);
    },
  };
}

function createSettingStore(db: PostgresDatabase): SettingStore {
  const { ownerId } = db;
  const change = createChange(db);
  /** Writes a setting that has no value yet. */
  const addSetting = (name: string, value: string) =>
    change(sql`insert into settings values (${ownerId}, ${name}, ${value}) on conflict do nothing`);
  return {
    addKeySecret: (secret) => addSetting(KEY_SECRET_SETTING, secret),
    addTimeZone: (timeZone) => addSetting(TIME_ZONE_SETTING, timeZone),
    replaceTimeZone: (before, after) =>
      db.transact(async (queries) => {
        const streams = await queries.query(sql`select 1 from streams where owner_id = ${ownerId} limit 1`);
        if (streams.length === 0)
          await queries.run(
            sql`delete from settings where owner_id = ${ownerId} and name = ${PLAIN_ZONE_SETTING}`,
          );
        else if (before !== undefined) await addSetting(PLAIN_ZONE_SETTING, before);
        await writeSetting(queries, ownerId, TIME_ZONE_SETTING, after);
      }),
  };
}
