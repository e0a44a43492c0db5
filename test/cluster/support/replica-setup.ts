import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { installPrograms } from './install.ts';
import { createServer } from './postgres-server.ts';
import { makeClusterFolder, removeFolder } from './run-program.ts';

/** Lets the suites of a project read on a streaming replica. */
export default async function setUp({ config }: TestProject): Promise<() => Promise<void>> {
  installPrograms(['postgres']);
  const folder = makeClusterFolder();
  const server = await createServer(join(folder, 'primary'));
  const standby = await server.createStandby(join(folder, 'standby'));
  config.env.PDPP_TEST_DATABASE = JSON.stringify({ url: server.url(), replicaUrl: standby.url() });
  return async () => {
    const [found] = await standby.query<{ n: number }>(
      `select coalesce(sum(idx_scan), 0)::int as n from pg_stat_user_tables where relname = 'records'`,
      'pdpp',
    );
    standby.stop('immediate');
    server.stop('immediate');
    removeFolder(folder);
    if (found?.n === 0) throw new Error('No suite used the replica.');
  };
}
