import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Config, DatabaseConfig } from '../../config.ts';
import { createConnections } from '../../store/postgres/connections.ts';
import { toOpeningError } from '../../store/postgres/failures.ts';
import { type BackupRights, readBackupRights } from '../../store/postgres/servers/backup-rights.ts';
import type { Finding } from '../../store/sqlite/check/finding.ts';
import { findSecretFile } from '../../store/sqlite/folder/secret-file.ts';

/** Checks whether the tools of PostgreSQL can back up the database from here. */
export async function checkDump(config: Config, database: DatabaseConfig): Promise<Finding[]> {
  const connections = createConnections(database);
  try {
    const rights = await readBackupRights(connections);
    const found = describeProgram(await findDumpVersion(), rights);
    return [found, describeRights(rights), describeBaseBackups(rights), describeSecret(config)];
  } catch (error) {
    throw toOpeningError(error);
  } finally {
    await connections.close();
  }
}

/** Returns the version of pg_dump on this computer; undefined if there is none. */
async function findDumpVersion(): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)('pg_dump', ['--version']);
    const version = /(\d+)(\.\d+|devel|beta\d+|rc\d+)/.exec(stdout)?.[1];
    return version === undefined ? undefined : Number(version);
  } catch {
    return undefined;
  }
}

function describeProgram(version: number | undefined, { serverVersion }: BackupRights): Finding {
  const check = 'pg_dump';
  if (version === undefined)
    return { check, fine: false, say: `not installed; install the client of PostgreSQL ${serverVersion}` };
  if (version < serverVersion) {
    const say = `version ${version} cannot dump a server of version ${serverVersion}; install that version or a later one`;
    return { check, fine: false, say };
  }
  return { check, fine: true, say: `version ${version}, for a server of version ${serverVersion}` };
}

function describeRights({ seesAllRows }: BackupRights): Finding {
  return {
    check: 'rights',
    fine: seesAllRows,
    say: seesAllRows
      ? 'the user in DATABASE_URL can dump every row'
      : 'the user in DATABASE_URL cannot dump every row; use a superuser or a role with BYPASSRLS',
  };
}

function describeBaseBackups({ archivesLog, mayReplicate }: BackupRights): Finding {
  const may = mayReplicate ? '' : '; the user in DATABASE_URL has no REPLICATION right for pg_basebackup';
  return {
    check: 'base backups',
    // A dump is enough.
    fine: true,
    say: `${archivesLog ? 'the server archives its write-ahead log' : 'the server does not archive its write-ahead log'}${may}`,
  };
}

function describeSecret({ secret, mainDirectory }: Config): Finding {
  const place =
    secret === undefined
      ? `copy ${findSecretFile(mainDirectory)} too`
      : 'file' in secret
        ? `copy ${secret.file} too`
        : 'keep PDPP_SERVER_SECRET too';
  return { check: 'server secret', fine: true, say: `not in the database; ${place}` };
}
