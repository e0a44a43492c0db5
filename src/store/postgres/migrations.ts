import type { Connection } from './connections.ts';
import { isLockTimeout } from './failures.ts';
import { accessSchema } from './schema/access.ts';
import { accountsSchema } from './schema/accounts.ts';
import { hostsSchema } from './schema/hosts.ts';
import { processesSchema } from './schema/processes.ts';
import { recordsSchema } from './schema/records.ts';
import { wordsSchema } from './schema/words.ts';
import { compile, sql } from './sql.ts';

/**
 * Brings the database from version i to i + 1. Processes of the previous release go on while it runs and afterwards, so a
 * migration only adds: tables, indexes, and columns that may be null or have a default. What a release no longer uses is
 * removed by a later one.
 */
export interface Migration {
  readonly text: string;
  /** The oldest SCHEMA_VERSION whose program still works afterwards. */
  readonly worksSince: number;
}

/** Entries are never edited once released. */
export const migrations: readonly Migration[] = [
  { text: [accessSchema, recordsSchema, wordsSchema].join('\n'), worksSince: 1 },
  { text: processesSchema, worksSince: 1 },
  { text: hostsSchema, worksSince: 1 },
  { text: accountsSchema, worksSince: 1 },
];

/** The version that this program needs. */
export const SCHEMA_VERSION = migrations.length;

/** A number that no other program is likely to lock. */
const MIGRATION_LOCK = 7_733_733;

export interface SchemaVersion {
  readonly version: number;
  readonly worksSince: number;
}

/** Reads a SchemaVersion. `worksSince` is the maximum over all migrations, because a program must work with each of them. */
export const versionQuery = sql`
  select max(version) as version, max(works_since) as "worksSince" from pdpp_schema having count(*) > 0`;

/** Returns the version of the database; undefined if it is empty. */
export async function readVersion(connection: Connection): Promise<SchemaVersion | undefined> {
  const { rows } = await connection.run(
    compile(sql`select to_regclass('pdpp_schema') is not null as exists`),
  );
  if ((rows[0] as { exists: boolean }).exists !== true) return;
  return (await connection.run(compile(versionQuery))).rows[0] as SchemaVersion | undefined;
}

/** Returns whether another program uses the schema. DATABASE_URL may have been set for that program. */
export async function hasForeignTables(connection: Connection): Promise<boolean> {
  if ((await readVersion(connection)) !== undefined) return false;
  const { rows } = await connection.run(
    compile(sql`select 1 from pg_tables where schemaname = current_schema() limit 1`),
  );
  return rows.length > 0;
}

/** Returns whether this program works with a version of the database. */
export function worksWith({ worksSince }: SchemaVersion): boolean {
  return worksSince <= SCHEMA_VERSION;
}

/**
 * How long a migration waits for a lock. Statements of other processes wait behind it meanwhile; when it gives up, they
 * go on, and it tries again.
 */
const LOCK_TIMEOUT_MS = 1_000;
const MAX_ATTEMPTS = 60;

/** Runs the missing migrations as one transaction. Of several processes, one runs them and the others wait. */
export async function migrate(connection: Connection, list = migrations): Promise<void> {
  for (let attempt = 1; ((await readVersion(connection))?.version ?? 0) < list.length; attempt++) {
    try {
      await runMissing(connection, list);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isLockTimeout(error)) throw error;
      await connection.send('rollback');
    }
  }
}

async function runMissing(connection: Connection, list: readonly Migration[]): Promise<void> {
  await connection.send('begin; set local statement_timeout = 0');
  await connection.send(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  await connection.send(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  const from = (await readVersion(connection))?.version ?? 0;
  if (from === 0)
    await connection.send(
      'create table pdpp_schema (version integer primary key, works_since integer not null)',
    );
  for (const [index, { text, worksSince }] of list.entries()) {
    if (index < from) continue;
    await connection.send(text);
    await connection.send(`insert into pdpp_schema values (${index + 1}, ${worksSince})`);
  }
  await connection.send('commit');
}
