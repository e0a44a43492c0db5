import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../errors.ts';
import type { ConnectionSettings, Connections } from '../connections.ts';
import { compile, sql } from '../sql.ts';

const NAME = 'pdpp move';
/** How long the connections of a process that has just ended may last. */
const ENDING_MS = 5_000;

/** Returns the settings of connections for a move, which other moves can tell from those of servers. */
export function toMoveSettings(address: string): ConnectionSettings {
  const url = new URL(address);
  url.searchParams.set('application_name', NAME);
  return { url: url.href, poolSize: 4, statementTimeoutMs: 0, pooler: 'none' };
}

/** Refuses a database that another process of pdpp uses. What it wrote during the move would be lost. */
export async function refuseOthers(connections: Connections): Promise<void> {
  const until = performance.now() + ENDING_MS;
  while (await hasOthers(connections)) {
    if (performance.now() > until)
      throw new AppError('conflict', 'Another pdpp uses this database.', {
        hint: 'Stop every process of pdpp that uses the database, then run the move again.',
      });
    await sleep(200);
  }
}

/** This process has one connection at this time. */
async function hasOthers(connections: Connections): Promise<boolean> {
  return connections.withConnection('transactions', 0, async (connection) => {
    const { rows } = await connection.run(
      compile(sql`select 1 from pg_stat_activity where datname = current_database()
        and application_name in ('pdpp', ${NAME}) and pid <> pg_backend_pid() limit 1`),
    );
    return rows.length > 0;
  });
}
