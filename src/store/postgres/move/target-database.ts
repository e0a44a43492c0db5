import { AppError } from '../../../errors.ts';
import { unusable } from '../../failures.ts';
import type { MoveTarget, RowKey } from '../../move/move-stores.ts';
import { type MovedTable, movedTables, UNFINISHED_MOVE_SETTING } from '../../move/tables.ts';
import { TIME_ZONE_SETTING } from '../../setting-names.ts';
import type { Value } from '../../values.ts';
import { connectDatabase } from '../connect.ts';
import { openDatabases, type Queries, type WriteDatabase } from '../database.ts';
import { addOwner, DEFAULT_OWNER } from '../owners.ts';
import { createWordIndex } from '../search/word-index.ts';
import { readSetting, writeSetting } from '../settings.ts';
import { hashSecret, SECRET_SETTING } from '../shared/secret-hash.ts';
import { sql } from '../sql.ts';
import { refuseOthers, toMoveSettings } from './move-connections.ts';
import { createTableReader } from './read-tables.ts';
import { describeLocation } from './source-database.ts';
import { replaceRows, writeRows } from './write-tables.ts';

/** Opens a database to move the store of an owner into it. */
export async function openTargetDatabase(
  url: string,
  secret: Uint8Array,
  warn: (message: string) => void,
  owner = DEFAULT_OWNER,
): Promise<MoveTarget> {
  const connections = await connectDatabase(toMoveSettings(url), warn);
  try {
    await refuseOthers(connections);
    const ownerId = await addOwner(connections, owner, new Date().toISOString());
    const { reads, writes } = openDatabases(connections, ownerId);
    const words = createWordIndex(writes);
    const transact = (work: () => Promise<void>) =>
      writes.transact(async (queries) => {
        // The last transactions may be lost if the server crashes. The next run writes them again.
        await queries.run(sql`set local synchronous_commit = off`);
        await work();
      });
    return {
      location: describeLocation(url),
      prepare: (fingerprint) => prepare(writes, secret, fingerprint),
      findLastKey: (table) => findLastKey(reads, ownerId, table),
      writeRows: (table, rows) => transact(() => writeRows(writes, words, table, rows)),
      replaceRows: (table, rows) => transact(() => replaceRows(writes, table, rows)),
      withReader: (work) => reads.snapshot((queries) => work(createTableReader(queries, ownerId))),
      publish: () => publish(writes),
      close: () => connections.close(),
    };
  } catch (error) {
    await connections.close();
    throw error;
  }
}

async function prepare(
  db: WriteDatabase,
  secret: Uint8Array,
  fingerprint: string,
): Promise<Awaited<ReturnType<MoveTarget['prepare']>>> {
  const known = await readSetting(db, db.ownerId, UNFINISHED_MOVE_SETTING);
  if (known === undefined) await checkEmpty(db);
  if (known === fingerprint) return 'continued';
  await db.transact(async (queries) => {
    await clear(queries, db.ownerId);
    await writeSetting(queries, db.ownerId, SECRET_SETTING, hashSecret(secret));
    await writeSetting(queries, db.ownerId, UNFINISHED_MOVE_SETTING, fingerprint);
  });
  return known === undefined ? 'new' : 'restarted';
}

/** Settings that a server or a move writes when it first opens a database. */
const FIRST_SETTINGS = [SECRET_SETTING, TIME_ZONE_SETTING];

async function checkEmpty(db: WriteDatabase): Promise<void> {
  const settings = await db.query(sql`select 1 from settings
    where owner_id = ${db.ownerId} and name <> all(${FIRST_SETTINGS}::text[]) limit 1`);
  let isEmpty = settings.length === 0;
  for (const { name } of movedTables) {
    const found = await db.query(sql`select 1 from ${sql.raw(name)} where owner_id = ${db.ownerId} limit 1`);
    isEmpty &&= found.length === 0;
  }
  if (!isEmpty)
    throw new AppError('conflict', 'The target database already holds data.', {
      hint: 'Create an empty database, and move into that.',
    });
}

/** Removes what an interrupted move of another state has written. */
async function clear(queries: Queries, ownerId: number): Promise<void> {
  const words = ['word_blocks', 'word_chunks', 'word_segments'];
  for (const name of [...words, ...movedTables.map((table) => table.name).reverse(), 'settings'])
    await queries.run(sql`delete from ${sql.raw(name)} where owner_id = ${ownerId}`);
}

async function findLastKey(
  queries: Queries,
  ownerId: number,
  table: MovedTable,
): Promise<RowKey | undefined> {
  const order = table.key.map((column) => `${column} desc`).join(', ');
  const [row] = await queries.query<Record<string, Value>>(sql`
    select ${sql.raw(table.key.join(', '))} from ${sql.raw(table.name)} where owner_id = ${ownerId}
    order by ${sql.raw(order)} limit 1`);
  return row && table.key.map((column) => row[column] ?? null);
}

/** This transaction waits for the disk, and with it for all before it. */
async function publish(db: WriteDatabase): Promise<void> {
  for (const { name } of movedTables) await db.run(sql`analyze ${sql.raw(name)}`);
  const removed = await db.transact((queries) =>
    queries.run(
      sql`delete from settings where owner_id = ${db.ownerId} and name = ${UNFINISHED_MOVE_SETTING}`,
    ),
  );
  if (removed !== 1) throw unusable('Another move into this target has started.', 'Run the move again.');
}
