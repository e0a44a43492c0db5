import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { connectDatabase } from '../src/store/postgres/connect.ts';
import { openStore as openPostgresStore } from '../src/store/postgres/open-store.ts';
import { openStore } from '../src/store/sqlite/open-store.ts';
import type { Store } from '../src/store/store.ts';

/** The secret of every server that a benchmark starts on PostgreSQL. */
export const BENCH_SECRET = createHash('sha256').update('bench').digest();

/** Opens the store in a folder, or in a database. */
export async function openEngine(
  directory: string,
  url: string | undefined,
): Promise<{ readonly store: Store; readonly close: () => Promise<void> }> {
  if (url === undefined) {
    const store = await openStore(directory);
    return { store, close: async () => store.close() };
  }
  mkdirSync(directory, { recursive: true });
  const settings = { url, poolSize: 8, statementTimeoutMs: 60_000, pooler: 'none' } as const;
  const connections = await connectDatabase(settings, () => {});
  const store = await openPostgresStore(connections, { directory, secret: BENCH_SECRET });
  return { store, close: () => connections.close() };
}
