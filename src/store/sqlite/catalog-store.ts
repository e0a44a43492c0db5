import type Database from 'better-sqlite3';
import type { Kysely } from 'kysely';
import type { CatalogReads, CatalogStore } from '../catalog-store.ts';
import { rebuildLargeRecords } from './large/large-records.ts';
import type { Queries } from './sqlite.ts';
import type { Tables } from './tables.ts';

const connectionColumns = ['connection_id', 'connector_key', 'display_name', 'created_at', 'self'] as const;

type Db = Pick<Kysely<Tables>, 'selectFrom' | 'executeQuery'>;

export function createCatalogReads(db: Db): CatalogReads {
  // Compiled once: every request asks for the version.
  const version = db.selectFrom('counters').select('value').where('name', '=', 'catalog').compile();
  return {
    version: async () => (await db.executeQuery(version)).rows[0]?.value ?? -1,
    async zones() {
      const rows = await db
        .selectFrom('settings')
        .select(['name', 'value'])
        .where('name', 'in', ['time_zone', 'plain_time_zone'])
        .execute();
      const zones = new Map(rows.map(({ name, value }) => [name, value]));
      return { timeZone: zones.get('time_zone'), plainZone: zones.get('plain_time_zone') };
    },
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

/** `withConnection` runs work on the connection itself as part of the present transaction. */
export function createCatalogStore(
  db: Queries<Tables>,
  withConnection: <T>(work: (raw: Database.Database) => T) => Promise<T>,
): CatalogStore {
  const updateConnection = (connectionId: string) =>
    db.updateTable('connections').where('connection_id', '=', connectionId);
  const putSetting = (name: string, value: string) => db.insertInto('settings').values({ name, value });

  return {
    ...createCatalogReads(db),
    async raiseVersion() {
      await db
        .updateTable('counters')
        .set((eb) => ({ value: eb('value', '+', 1) }))
        .where('name', '=', 'catalog')
        .execute();
    },
    async findDeclaration(connectorKey) {
      const row = await db
        .selectFrom('sources')
        .select('declaration')
        .where('connector_key', '=', connectorKey)
        .executeTakeFirst();
      return row?.declaration;
    },
    async putSource(connector_key, declaration, declaration_version, added_at) {
      await db
        .insertInto('sources')
        .values({ connector_key, declaration, declaration_version, added_at })
        .onConflict((conflict) =>
          conflict.column('connector_key').doUpdateSet({ declaration, declaration_version }),
        )
        .execute();
    },
    findConnection: (connectionId) =>
      db
        .selectFrom('connections')
        .select(connectionColumns)
        .where('connection_id', '=', connectionId)
        .executeTakeFirst(),
    async putConnection(row) {
      const { display_name } = row;
      await db
        .insertInto('connections')
        .values(row)
        .onConflict((conflict) => conflict.column('connection_id').doUpdateSet({ display_name }))
        .execute();
    },
    async renameConnection(connectionId, display_name) {
      const { numUpdatedRows } = await updateConnection(connectionId)
        .set({ display_name })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async setSelf(connectionId, self) {
      await updateConnection(connectionId).set({ self }).execute();
    },
    async setFirstAccount(connectionId, account) {
      const { numUpdatedRows } = await updateConnection(connectionId)
        .set({ account })
        .where('account', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async removeAccount(connectionId, account) {
      await updateConnection(connectionId).set({ account: null }).where('account', '=', account).execute();
    },
    async removeConnection(connectionId, connectorKey, at) {
      const streams = await db
        .selectFrom('streams')
        .select(['stream_id', 'connection_id'])
        .where('connection_id', '=', connectionId)
        .execute();
      for (const stream of streams)
        await db
          .insertInto('removals')
          .values({ ...stream, removed_at: at })
          .execute();
      const imports = db.selectFrom('imports').select('import_id').where('connection_id', '=', connectionId);
      await db.deleteFrom('import_spans').where('import_id', 'in', imports).execute();
      for (const table of ['imports', 'streams', 'connections'] as const)
        await db.deleteFrom(table).where('connection_id', '=', connectionId).execute();
      await db
        .deleteFrom('sources')
        .where('connector_key', '=', connectorKey)
        .where('connector_key', 'not in', db.selectFrom('connections').select('connector_key'))
        .execute();
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
      await db.updateTable('streams').set({ plan }).where('stream_id', '=', streamId).execute();
    },
    async rebuildLargeRecords(connectionId) {
      const streams = await db
        .selectFrom('streams')
        .select('stream_id')
        .where('connection_id', '=', connectionId)
        .execute();
      for (const { stream_id } of streams) await withConnection((raw) => rebuildLargeRecords(raw, stream_id));
    },
    async addTimeZone(timeZone) {
      await putSetting('time_zone', timeZone)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async replaceTimeZone(before, after) {
      const stream = await db.selectFrom('streams').select('stream_id').limit(1).executeTakeFirst();
      if (stream === undefined)
        await db.deleteFrom('settings').where('name', '=', 'plain_time_zone').execute();
      else if (before !== undefined)
        await putSetting('plain_time_zone', before)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      await putSetting('time_zone', after)
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: after }))
        .execute();
    },
  };
}
