import { AppError } from '../../errors.ts';
import { unusable } from '../failures.ts';
import {
  type Connection,
  type ConnectionSettings,
  type Connections,
  createConnections,
} from './connections.ts';
import { toOpeningError } from './failures.ts';
import { hasForeignTables, migrate, readVersion, worksWith } from './migrations.ts';
import { compile, sql } from './sql.ts';

/** The oldest version that the tests run on. */
const MIN_SERVER_VERSION = 15;

/** Connects to a database and brings its tables up to date. Changes nothing in a database that it refuses. */
export async function connectDatabase(
  settings: ConnectionSettings,
  warn: (message: string) => void,
  minVersion = MIN_SERVER_VERSION,
): Promise<Connections> {
  const connections = createConnections(settings, warn);
  try {
    await connections.withConnection('transactions', 0, async (connection) => {
      await checkServer(connection, minVersion, warn);
      await checkTables(connection);
      await migrate(connection);
    });
    await startReplica(connections);
    return connections;
  } catch (error) {
    await connections.close();
    throw toOpeningError(error);
  }
}

/** Connects to the replica. One that does not answer is used once it does; another database is refused. */
async function startReplica({ replica }: Connections): Promise<void> {
  await replica?.start().catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'store_unusable') throw error;
  });
}

interface Server {
  readonly version: number;
  readonly encoding: string;
  readonly isReadOnly: boolean;
  readonly seesAllRows: boolean;
}

async function checkServer(
  connection: Connection,
  minVersion: number,
  warn: (message: string) => void,
): Promise<void> {
  const { rows } = await connection.run(
    compile(sql`
      select current_setting('server_version_num')::int4 / 10000 as version,
        current_setting('server_encoding') as encoding,
        pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly",
        (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as "seesAllRows"`),
  );
  const { version, encoding, isReadOnly, seesAllRows } = rows[0] as Server;
  if (version < minVersion)
    throw unusable(
      `The database server is PostgreSQL ${version}, which is too old.`,
      `Use PostgreSQL ${minVersion} or later.`,
    );
  if (encoding !== 'UTF8')
    throw unusable(
      'The database does not store Unicode text.',
      "Create it again: create database … encoding 'UTF8' template template0",
    );
  if (isReadOnly)
    throw unusable(
      'The database accepts no changes.',
      'Set DATABASE_URL to the address of the primary server.',
    );
  if (seesAllRows)
    warn(
      'The user in DATABASE_URL bypasses row-level security. Use an ordinary user that owns the database.',
    );
}

async function checkTables(connection: Connection): Promise<void> {
  const known = await readVersion(connection);
  if (known !== undefined && !worksWith(known))
    throw unusable('The database was written by a newer version of pdpp.', 'Update pdpp, then start again.');
  if (await hasForeignTables(connection))
    throw unusable(
      'The database has tables of another program.',
      'Create a separate database for pdpp, and set DATABASE_URL to its address.',
    );
}
