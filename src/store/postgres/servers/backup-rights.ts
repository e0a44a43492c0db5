import type { Connections } from '../connections.ts';
import { compile, sql } from '../sql.ts';

/** What the server and the user allow for backups. */
export interface BackupRights {
  readonly serverVersion: number;
  /** Row-level security shows the user one owner at a time, or none. pg_dump refuses to make a partial dump. */
  readonly seesAllRows: boolean;
  readonly archivesLog: boolean;
  readonly mayReplicate: boolean;
}

export async function readBackupRights(connections: Connections): Promise<BackupRights> {
  const { rows } = await connections.withConnection('calls', 0, (connection) =>
    connection.run(
      compile(sql`
        select current_setting('server_version_num')::int4 / 10000 as "serverVersion",
          rolsuper or rolbypassrls as "seesAllRows", rolsuper or rolreplication as "mayReplicate",
          current_setting('archive_mode') <> 'off' as "archivesLog"
        from pg_roles where rolname = current_user`),
    ),
  );
  return rows[0] as BackupRights;
}
