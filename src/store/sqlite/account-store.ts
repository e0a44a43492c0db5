import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AccountReads, AccountStore, RecordReference } from '../accounts/account-store.ts';
import type { Queries } from './sqlite.ts';
import type { Tables } from './tables.ts';

type Db = Kysely<Tables> | Queries<Tables>;

/** One parameter for any number of values, so that the statement is prepared once. */
const listOf = (values: readonly string[]): RawBuilder<unknown> =>
  sql`(select value from json_each(${JSON.stringify(values)}))`;

export function createAccountReads(db: Db): AccountReads {
  const read = async <Row>(statement: RawBuilder<unknown>) => (await statement.execute(db)).rows as Row[];
  return {
    list: () => db.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('account_id').execute(),
    find: (accountId) =>
      db.selectFrom('accounts').selectAll().where('account_id', '=', accountId).executeTakeFirst(),
    listItems: (accountId, collection, after, limit) =>
      read(sql`select collection, item, version from account_items
        where account_id = ${accountId} and collection = ${collection} and item > ${after}
        order by item limit ${limit}`),
    findItems: (accountId, collection, items) =>
      read(sql`select collection, item, version from account_items
        where account_id = ${accountId} and collection = ${collection} and item in ${listOf(items)}`),
    async listCollections(accountId) {
      const rows = await read<{ collection: string }>(
        sql`select distinct collection from account_items where account_id = ${accountId} order by collection`,
      );
      return rows.map(({ collection }) => collection);
    },
    listReferences: (accountId, collection, items) =>
      read(sql`select stream_id, key, collection, item, was_there from account_records
        where account_id = ${accountId} and collection = ${collection} and item in ${listOf(items)}`),
    async hasOrphans(accountId) {
      const rows = await read(
        sql`select 1 from account_records where account_id = ${accountId} and item = '' limit 1`,
      );
      return rows.length > 0;
    },
    async findReferenced(streamId, keys) {
      const rows = await read<{ key: string; was_there: number | null }>(sql`
        select value as key, (select was_there from account_records
          where stream_id = ${streamId} and key = value limit 1) as was_there
        from json_each(${JSON.stringify(keys)})`);
      return new Map(
        rows.flatMap(({ key, was_there }) => (was_there === null ? [] : [[key, was_there === 1]])),
      );
    },
  };
}

export function createAccountStore(db: Queries<Tables>): AccountStore {
  const run = async (statement: RawBuilder<unknown>) =>
    Number((await statement.execute(db)).numAffectedRows ?? 0);
  const removeReferences = (accountId: string, collection: string, items: readonly string[]) =>
    run(sql`delete from account_records
      where account_id = ${accountId} and collection = ${collection} and item in ${listOf(items)}`);
  const reads = createAccountReads(db);
  return {
    ...reads,
    async add(row) {
      await db.insertInto('accounts').values(row).execute();
    },
    async update(accountId, changes) {
      if (Object.keys(changes).length === 0) return;
      await db.updateTable('accounts').set(changes).where('account_id', '=', accountId).execute();
    },
    async remove(accountId) {
      for (const table of ['account_records', 'account_items', 'accounts'])
        await run(sql`delete from ${sql.table(table)} where account_id = ${accountId}`);
    },
    async claim(accountId, now, until) {
      return (
        (await run(sql`update accounts set running_until = ${until} where account_id = ${accountId}
          and (running_until is null or running_until < ${now})`)) > 0
      );
    },
    async renewClaim(accountId, held, until) {
      const changes = until === null ? sql`, progress = null` : sql``;
      return (
        (await run(sql`update accounts set running_until = ${until} ${changes}
          where account_id = ${accountId} and running_until in ${listOf(held)}`)) > 0
      );
    },
    // A transaction excludes every other one.
    lock: (accountId) => reads.find(accountId),
    async putItems(accountId, items) {
      for (const { collection, item, version } of items)
        await run(sql`insert into account_items values (${accountId}, ${collection}, ${item}, ${version})
          on conflict do update set version = excluded.version`);
    },
    async removeItems(accountId, collection, items) {
      await removeReferences(accountId, collection, items);
      await run(sql`delete from account_items
        where account_id = ${accountId} and collection = ${collection} and item in ${listOf(items)}`);
    },
    async addReferences(accountId, references) {
      for (const { stream_id, key, collection, item, was_there } of references)
        await run(sql`insert or ignore into account_records
          values (${stream_id}, ${key}, ${accountId}, ${collection}, ${item}, ${was_there})`);
    },
    async markExisting(streamId, keys) {
      await run(
        sql`update account_records set was_there = 1 where stream_id = ${streamId} and key in ${listOf(keys)}`,
      );
    },
    async resetCollection(accountId, collection) {
      const whereCollection = sql`account_id = ${accountId} and collection = ${collection}`;
      await run(sql`insert or ignore into account_records
        select stream_id, key, account_id, collection, '', was_there from account_records
        where ${whereCollection} and item <> ''`);
      await run(sql`delete from account_records where ${whereCollection} and item <> ''`);
      await run(sql`delete from account_items where ${whereCollection}`);
    },
    async takeOrphans(accountId, limit) {
      const { rows } = await sql<RecordReference>`
        select stream_id, key, collection, item, was_there from account_records
        where account_id = ${accountId} and item = '' limit ${limit}`.execute(db);
      for (const { stream_id, key, collection } of rows)
        await run(sql`delete from account_records where stream_id = ${stream_id} and key = ${key}
          and account_id = ${accountId} and collection = ${collection} and item = ''`);
      return rows;
    },
  };
}
