import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Suites of the store, the tools and the authorization server that also run through a pooler and with a replica. */
const suites = [
  'test/store/contract/{store,reads,enforcement,handles,same-access,window-and-changes}.test.ts',
  'test/store/postgres/mirror/*.test.ts',
  'test/tools/{schema,query-records,aggregate,search,fetch}.test.ts',
  'test/{ingest/over-http,grants/access,oauth/requests}.test.ts',
];

const onPostgres = (name: string, globalSetup: string) => ({
  extends: true as const,
  test: {
    name,
    include: suites,
    isolate: false,
    env: { PDPP_TEST_ENGINE: 'postgres' },
    globalSetup: [globalSetup],
    setupFiles: ['test/support/leave-the-clock.ts'],
  },
});

/** PgBouncer, a streaming replica and Patroni, as Debian has them. They are installed on demand. */
export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  test: {
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      { extends: true, test: { name: 'cluster', include: ['test/cluster/*.test.ts'] } },
      onPostgres('through PgBouncer', 'test/cluster/support/pooler-setup.ts'),
      onPostgres('with a replica', 'test/cluster/support/replica-setup.ts'),
    ],
  },
});
