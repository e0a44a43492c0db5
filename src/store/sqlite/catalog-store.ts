import type Database from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import type { CatalogReads, CatalogStore } from '../catalog-store.ts';
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

/** `withConnection` runs work on the connection itself as part of the current transaction. */
export function createCatalogStore(
  db: Queries<Tables>,
  withConnection: <T>(work: (raw: Database.Database) => T) => Promise<T>,
): CatalogStore {
  /** Writes a setting that has no value yet. */
  const addSetting = (name: string, value: string) =>
    run(db, sql`insert into settings values (${name}, ${value}) on conflict do nothing`);
  const listStreamIds = async (connectionId: string) => {
    const streams = db.selectFrom('streams').select('stream_id').where('connection_id', '=', connectionId);
    return (await streams.execute()).map(({ stream_id }) => stream_id);
  };
  return {
    ...createCatalogReads(db),
    async raiseVersion() {
      await run(db, sql`update counters set value = value + 1 where name = 'catalog'`);
    },
    async findDeclaration(connectorKey) {
      const source = db.selectFrom('sources').select('declaration').where('connector_key', '=', connectorKey);
      return (await source.executeTakeFirst())?.declaration;
    },
    async putSource(connectorKey, declaration, version, at) {
      await run(
        db,
        sql`insert into sources (connector_key, declaration, declaration_version, added_at)
        values (${connectorKey}, ${declaration}, ${version}, ${at})
        on conflict do update set declaration = excluded.declaration,
          declaration_version = excluded.declaration_version`,
      );
    },
    findConnection: (connectionId) =>
      db
        .selectFrom('connections')
        .select(connectionColumns)
        .where('connection_id', '=', connectionId)
        .executeTakeFirst(),
    async putConnection({ connection_id, connector_key, display_name, created_at }) {
      await run(
        db,
        sql`insert into connections (connection_id, connector_key, display_name, created_at)
        values (${connection_id}, ${connector_key}, ${display_name}, ${created_at})
        on conflict do update set display_name = excluded.display_name`,
      );
    },
    async renameConnection(connectionId, name) {
      return (
        (await run(
          db,
          sql`update connections set display_name = ${name} where connection_id = ${connectionId}`,
        )) > 0
      );
    },
    async setSelf(connectionId, self) {
      await run(db, sql`update connections set self = ${self} where connection_id = ${connectionId}`);
    },
    async setFirstAccount(connectionId, account) {
      const set = sql`update connections set account = ${account} where connection_id = ${connectionId} and account is null`;
      return (await run(db, set)) > 0;
    },
    async removeAccount(connectionId, account) {
      await run(
        db,
        sql`update connections set account = null where connection_id = ${connectionId} and account = ${account}`,
      );
    },
    async removeConnection(connectionId, connectorKey, at) {
      await run(
        db,
        sql`insert into removals (stream_id, connection_id, removed_at)
        select stream_id, connection_id, ${at} from streams where connection_id = ${connectionId}`,
      );
      await run(
        db,
        sql`delete from import_spans where import_id in (
        select import_id from imports where connection_id = ${connectionId})`,
      );
      const accounts = sql`(select account_id from accounts where connection_id = ${connectionId})`;
      for (const table of ['account_records', 'account_items'])
        await run(db, sql`delete from ${sql.table(table)} where account_id in ${accounts}`);
      for (const table of ['accounts', 'imports', 'streams', 'connections'])
        await run(db, sql`delete from ${sql.table(table)} where connection_id = ${connectionId}`);
      await run(
        db,
        sql`delete from sources where connector_key = ${connectorKey}
        and connector_key not in (select connector_key from connections)`,
      );
    },
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
    async setPlan(streamId, plan) {
      await run(db, sql`update streams set plan = ${plan} where stream_id = ${streamId}`);
    },
    async rebuildLargeRecords(connectionId) {
      for (const id of await listStreamIds(connectionId))
        await withConnection((raw) => rebuildLargeRecords(raw, id));
    },
    async addKeySecret(secret) {
      await addSetting(KEY_SECRET_SETTING, secret);
    },
    async addTimeZone(timeZone) {
      await addSetting(TIME_ZONE_SETTING, timeZone);
    },
    async replaceTimeZone(before, after) {
      const stream = await db.selectFrom('streams').select('stream_id').limit(1).executeTakeFirst();
      if (stream === undefined) await run(db, sql`delete from settings where name = ${PLAIN_ZONE_SETTING}`);
      else if (before !== undefined) await addSetting(PLAIN_ZONE_SETTING, before);
      await writeSetting(db, TIME_ZONE_SETTING, after);
    },
  };
}
