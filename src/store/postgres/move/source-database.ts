import { unusable } from '../../failures.ts';
import type { MoveSource } from '../../move/move-stores.ts';
import { movedTables, stateTables, UNFINISHED_MOVE_SETTING } from '../../move/tables.ts';
import { type Connections, createConnections } from '../connections.ts';
import { openDatabases, type Queries } from '../database.ts';
import { toOpeningError } from '../failures.ts';
import { readVersion, SCHEMA_VERSION } from '../migrations.ts';
import { DEFAULT_OWNER, findOwner } from '../owners.ts';
import { readSetting } from '../settings.ts';
import { hashSecret, SECRET_SETTING } from '../shared/secret-hash.ts';
import { sql } from '../sql.ts';
import { refuseOthers, toMoveSettings } from './move-connections.ts';
import { createTableReader } from './read-tables.ts';

/** Opens the store of an owner to move it. Everything is read from one snapshot, which lasts until it is closed. */
export async function openSourceDatabase(
  url: string,
  secret: Uint8Array,
  owner = DEFAULT_OWNER,
): Promise<MoveSource> {
  const connections = createConnections(toMoveSettings(url));
  try {
    const ownerId = await findSource(connections, owner);
    await refuseOthers(connections);
    const { queries, end } = await openSnapshot(connections, ownerId);
    await checkSource(queries, ownerId, secret);
    return {
      ...createTableReader(queries, ownerId),
      location: describeLocation(url),
      secret,
      fingerprint: () => readFingerprint(queries, ownerId),
      async close() {
        await end();
        await connections.close();
      },
    };
  } catch (error) {
    await connections.close();
    throw toOpeningError(error);
  }
}

/** Returns the address without the password. */
export function describeLocation(url: string): string {
  const { host, pathname } = new URL(url);
  return `PostgreSQL, ${decodeURIComponent(`${host}${pathname}`)}`;
}

function findSource(connections: Connections, owner: string): Promise<number> {
  return connections.withConnection('transactions', 0, async (connection) => {
    const known = await readVersion(connection);
    if (known !== undefined && known.version !== SCHEMA_VERSION)
      throw unusable(
        'The database is not up to date with this version of pdpp.',
        'Start the server of this version on this database once. Then run the move again.',
      );
    const ownerId = known === undefined ? undefined : await findOwner(connection, owner);
    if (ownerId === undefined) throw unusable('No pdpp data in this database.', 'Check the address.');
    return ownerId;
  });
}

async function checkSource(queries: Queries, ownerId: number, secret: Uint8Array): Promise<void> {
  if ((await readSetting(queries, ownerId, UNFINISHED_MOVE_SETTING)) !== undefined)
    throw unusable('The data in this database is not complete.', 'Finish the move into it first.');
  const hash = await readSetting(queries, ownerId, SECRET_SETTING);
  if (hash !== undefined && hash !== hashSecret(secret))
    throw unusable(
      'The server secret does not match the database.',
      'Set PDPP_SERVER_SECRET_FILE, or choose the data folder of a server on this database with --data.',
    );
}

/** Opens a snapshot that lasts until it is ended. */
async function openSnapshot(
  connections: Connections,
  ownerId: number,
): Promise<{ queries: Queries; end: () => Promise<void> }> {
  let finish = () => {};
  let ended: Promise<void> = Promise.resolve();
  const queries = await new Promise<Queries>((resolve, reject) => {
    ended = openDatabases(connections, ownerId).reads.snapshot(async (inside) => {
      await inside.query(sql`select set_config('idle_in_transaction_session_timeout', '0', true)`);
      const isOver = new Promise<void>((end) => {
        finish = end;
      });
      resolve(inside);
      await isOver;
    });
    ended.catch(reject);
  });
  return {
    queries,
    async end() {
      finish();
      await ended;
    },
  };
}

/**
 * Counts the rows of each table and adds the numbers of the transactions that wrote them. A later transaction has a
 * higher number, so a change of any row changes the count or the sum.
 */
async function readFingerprint(queries: Queries, ownerId: number): Promise<string> {
  const parts: string[] = [];
  for (const { name } of [...movedTables, ...stateTables]) {
    const [row] = await queries.query<{ n: number; written: string | null }>(sql`
      select count(*) as n, sum(xmin::text::int8)::text as written from ${sql.raw(name)}
      where owner_id = ${ownerId}`);
    parts.push(`${name} ${row?.n} ${row?.written}`);
  }
  return parts.join('\n');
}
