import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { installPrograms } from './install.ts';
import { startPooler } from './pgbouncer.ts';
import { createServer } from './postgres-server.ts';
import { makeClusterFolder, removeFolder } from './run-program.ts';

/** Lets the suites of a project store their worlds through PgBouncer, which has fewer connections than the suites use. */
export default async function setUp({ config }: TestProject): Promise<() => Promise<void>> {
  installPrograms(['postgres', 'pgbouncer']);
  const folder = makeClusterFolder();
  const server = await createServer(join(folder, 'server'));
  const pooler = await startPooler(join(folder, 'pooler'), server.port, 3);
  config.env.PDPP_TEST_DATABASE = JSON.stringify({ url: pooler.url(), pooler: 'transaction' });
  return async () => {
    const [found] = await server.query<{ n: number }>('select count(*)::int as n from owners', 'pdpp');
    pooler.stop();
    server.stop('immediate');
    removeFolder(folder);
    if (found?.n === 0) throw new Error('No suite used PgBouncer.');
  };
}
