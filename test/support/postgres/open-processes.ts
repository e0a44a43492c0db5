import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createConnections } from '../../../src/store/postgres/connections.ts';
import { openStore, type PostgresStore } from '../../../src/store/postgres/open-store.ts';
import { testSettings, useSharedDatabase } from './databases.ts';

/** Stores of one owner, each with connections of its own, as processes have them. */
export async function openProcesses(count: number): Promise<PostgresStore[]> {
  const { settings } = await useSharedDatabase();
  const owner = randomUUID();
  return Promise.all(
    Array.from({ length: count }, async () => {
      const connections = createConnections({ ...testSettings, url: settings.url, poolSize: 3 });
      onTestFinished(() => connections.close());
      return openStore(connections, { directory: '', secret: Buffer.alloc(32), owner });
    }),
  );
}
