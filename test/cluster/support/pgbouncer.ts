import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../support/run-cli.ts';
import { findProgram } from './install.ts';
import { giveFolder, signalGroup, startProgram, waitUntil } from './run-program.ts';

/** A PgBouncer in transaction mode. */
export interface Pooler {
  url(database?: string): string;
  stop(): void;
}

/** Starts PgBouncer before a server, with a limit of connections to it. */
export async function startPooler(folder: string, serverPort: number, size: number): Promise<Pooler> {
  giveFolder(folder);
  const port = await findFreePort();
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=127.0.0.1 port=${serverPort} user=pdpp
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${size}
max_client_conn = 500
server_login_retry = 1
`,
  );
  const { pooler, child } = startIn(folder, port);
  await waitUntil('PgBouncer answers', async () => {
    if (child.exitCode !== null) throw new Error('PgBouncer ended.');
    const client = new pg.Client({ connectionString: pooler.url('postgres') });
    await client.connect();
    await client.end();
    return true;
  });
  return pooler;
}

function startIn(folder: string, port: number) {
  const child = startProgram(findProgram('pgbouncer'), [join(folder, 'pgbouncer.ini')], join(folder, 'log'));
  const pooler: Pooler = {
    url: (database = 'pdpp') => `postgres://pdpp@127.0.0.1:${port}/${database}`,
    stop: () => signalGroup(child, 'SIGKILL'),
  };
  return { pooler, child };
}
