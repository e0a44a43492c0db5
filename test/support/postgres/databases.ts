import { randomBytes } from 'node:crypto';
import pg from 'pg';
import {
  type ConnectionSettings,
  type Connections,
  createConnections,
} from '../../../src/store/postgres/connections.ts';
import { migrate } from '../../../src/store/postgres/migrations.ts';
import { useServer } from './server.ts';

/** The database in which the stores of tests are owners. */
const SHARED = 'pdpp_tests';

export const testSettings = { poolSize: 8, statementTimeoutMs: 60_000, pooler: 'none' } as const;

/** Settings of a database that exists, as JSON: `npm run test:cluster` runs suites on a pooler and on a replica. */
const SETTINGS_VARIABLE = 'PDPP_TEST_DATABASE';

let shared: Promise<Connections> | undefined;

/** Returns connections of this worker to the database that all tests share: a store is an owner in it. */
export function useSharedDatabase(): Promise<Connections> {
  shared ??= findSettings().then(async (settings) => {
    const connections = createConnections(settings);
    await connections.withConnection('transactions', 0, migrate);
    return connections;
  });
  return shared;
}

async function findSettings(): Promise<ConnectionSettings> {
  const given = process.env[SETTINGS_VARIABLE];
  if (given === undefined) return { ...testSettings, url: await createDatabase(SHARED) };
  return { ...testSettings, ...(JSON.parse(given) as Pick<ConnectionSettings, 'url'>) };
}

/** Returns the address of a new empty database, for tests that need one of their own. */
export function createTestDatabase(): Promise<string> {
  return createDatabase(`test_${randomBytes(6).toString('hex')}`);
}

/** Runs statements as the administrator of the server. */
export async function runAsAdmin(database: string, ...statements: readonly string[]): Promise<void> {
  const { url } = await useServer();
  const client = new pg.Client({ connectionString: url(database, 'admin') });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Creates a database whose owner is an ordinary user, unless another worker did. Returns its address. */
async function createDatabase(name: string): Promise<string> {
  const { url } = await useServer();
  await runAsAdmin('postgres', 'create user pdpp').catch(ignoreExisting);
  await runAsAdmin('postgres', `create database ${name} owner pdpp`).catch(ignoreExisting);
  return url(name);
}

/** A user or database of this name exists, perhaps since a moment. */
function ignoreExisting(error: unknown): void {
  const { code } = error as { code?: string };
  if (code !== '42710' && code !== '42P04' && code !== '23505') throw error;
}
