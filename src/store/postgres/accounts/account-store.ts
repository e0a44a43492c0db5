import type {
  AccountReads,
  AccountRow,
  AccountStore,
  RecordReference,
} from '../../accounts/account-store.ts';
import type { PostgresDatabase } from '../database.ts';
import { type SqlValue, sql } from '../sql.ts';

const accountColumns = [
  'account_id',
  'kind',
  'account',
  'connection_id',
  'settings',
  'credentials',
  'allows_private',
  'interval_seconds',
  'paused',
  'collections',
  'state',
  'created_at',
  'last_run_at',
  'last_changes',
  'problem',
  'stopped',
  'next_run_at',
  'failures',
  'emitted_at',
  'running_until',
  'progress',
] as const satisfies readonly (keyof AccountRow)[];

const columns = sql.raw(accountColumns.join(', '));
const referenceColumns = sql`stream_id, key, collection, item, was_there`;

export function createAccountReads(db: PostgresDatabase): AccountReads {
  const { ownerId } = db;
  const whereItems = (accountId: string, collection: string, items: readonly string[]) =>
    sql`owner_id = ${ownerId} and account_id = ${accountId} and collection = ${collection}
      and item = any(${items}::text[])`;
  return {
    list: () =>
      db.query(
        sql`select ${columns} from accounts where owner_id = ${ownerId} order by created_at, account_id`,
      ),
    async find(accountId) {
      const [row] = await db.query<AccountRow>(
        sql`select ${columns} from accounts where owner_id = ${ownerId} and account_id = ${accountId}`,
      );
      return row;
    },
    listItems: (accountId, collection, after, limit) =>
      db.query(sql`select collection, item, version from account_items
        where owner_id = ${ownerId} and account_id = ${accountId} and collection = ${collection}
          and item > ${after} order by item limit ${limit}`),
    findItems: (accountId, collection, items) =>
      db.query(
        sql`select collection, item, version from account_items where ${whereItems(accountId, collection, items)}`,
      ),
    async listCollections(accountId) {
      const rows = await db.query<{ collection: string }>(sql`
        select distinct collection from account_items
        where owner_id = ${ownerId} and account_id = ${accountId} order by collection`);
      return rows.map(({ collection }) => collection);
    },
    listReferences: (accountId, collection, items) =>
      db.query(
        sql`select ${referenceColumns} from account_records where ${whereItems(accountId, collection, items)}`,
      ),
    async hasOrphans(accountId) {
      const rows = await db.query(sql`select 1 as found from account_records
        where owner_id = ${ownerId} and account_id = ${accountId} and item = '' limit 1`);
      return rows.length > 0;
    },
    async findReferenced(streamId, keys) {
      const rows = await db.query<{ key: string; was_there: number }>(sql`
        select k.key, r.was_there from unnest(${keys}::text[]) as k (key) cross join lateral (
          select was_there from account_records a where a.owner_id = ${ownerId}
            and a.stream_id = ${streamId} and a.key = k.key collate "C" limit 1) r`);
      return new Map(rows.map(({ key, was_there }) => [key, was_there === 1]));
    },
  };
}

export function createAccountStore(db: PostgresDatabase): AccountStore {
  const { ownerId } = db;
  const whereAccount = (accountId: string) => sql`owner_id = ${ownerId} and account_id = ${accountId}`;
  const change = async (statement: ReturnType<typeof sql>) => void (await db.run(statement));
  return {
    ...createAccountReads(db),
    add: (row) =>
      change(sql`insert into accounts (owner_id, ${columns})
        values (${ownerId}, ${sql.join(accountColumns.map((name) => sql`${row[name]}`))})`),
    async update(accountId, changes) {
      const given = accountColumns.filter((name) => name in changes);
      if (given.length === 0) return;
      const sets = given.map(
        (name) => sql`${sql.raw(name)} = ${(changes as Record<string, SqlValue>)[name] ?? null}`,
      );
      await db.run(sql`update accounts set ${sql.join(sets)} where ${whereAccount(accountId)}`);
    },
    remove: (accountId) =>
      db.transact(async (queries) => {
        for (const table of ['account_records', 'account_items', 'accounts'])
          await queries.run(sql`delete from ${sql.raw(table)} where ${whereAccount(accountId)}`);
      }),
    async claim(accountId, now, until) {
      return (
        (await db.run(sql`update accounts set running_until = ${until} where ${whereAccount(accountId)}
          and (running_until is null or running_until < ${now})`)) > 0
      );
    },
    async renewClaim(accountId, held, until) {
      const changes = until === null ? sql`, progress = null` : sql``;
      return (
        (await db.run(sql`update accounts set running_until = ${until} ${changes}
          where ${whereAccount(accountId)} and running_until = any(${held}::text[])`)) > 0
      );
    },
    async lock(accountId) {
      const [row] = await db.query<AccountRow>(
        sql`select ${columns} from accounts where ${whereAccount(accountId)} for update`,
      );
      return row;
    },
    async putItems(accountId, items) {
      if (items.length === 0) return;
      await db.run(sql`insert into account_items (owner_id, account_id, collection, item, version)
        select ${ownerId}::int4, ${accountId}, * from unnest(${items.map((one) => one.collection)}::text[],
          ${items.map((one) => one.item)}::text[], ${items.map((one) => one.version)}::text[])
        on conflict (owner_id, account_id, collection, item) do update set version = excluded.version`);
    },
    async removeItems(accountId, collection, items) {
      for (const table of ['account_records', 'account_items'])
        await db.run(sql`delete from ${sql.raw(table)} where ${whereAccount(accountId)}
          and collection = ${collection} and item = any(${items}::text[])`);
    },
    async addReferences(accountId, references) {
      if (references.length === 0) return;
      const values = <Name extends keyof RecordReference>(name: Name) => references.map((one) => one[name]);
      await db.run(sql`insert into account_records (owner_id, stream_id, key, collection, item, was_there, account_id)
        select ${ownerId}::int4, r.*, ${accountId} from unnest(${values('stream_id')}::int4[],
          ${values('key')}::text[], ${values('collection')}::text[], ${values('item')}::text[],
          ${values('was_there')}::int4[]) as r
        on conflict do nothing`);
    },
    markExisting: (streamId, keys) =>
      change(sql`update account_records set was_there = 1 where owner_id = ${ownerId}
        and stream_id = ${streamId} and key = any(${keys}::text[])`),
    async resetCollection(accountId, collection) {
      const whereCollection = sql`${whereAccount(accountId)} and collection = ${collection}`;
      await db.run(sql`insert into account_records (owner_id, stream_id, key, account_id, collection, item, was_there)
        select owner_id, stream_id, key, account_id, collection, '', max(was_there) from account_records
        where ${whereCollection} and item <> ''
        group by owner_id, stream_id, key, account_id, collection on conflict do nothing`);
      await db.run(sql`delete from account_records where ${whereCollection} and item <> ''`);
      await db.run(sql`delete from account_items where ${whereCollection}`);
    },
    async takeOrphans(accountId, limit) {
      const rows = await db.query<RecordReference>(sql`
        select ${referenceColumns} from account_records
        where ${whereAccount(accountId)} and item = '' order by stream_id, key limit ${limit}`);
      for (const { stream_id, key, collection } of rows)
        await db.run(sql`delete from account_records where ${whereAccount(accountId)} and stream_id = ${stream_id}
          and key = ${key} and collection = ${collection} and item = ''`);
      return rows;
    },
  };
}
