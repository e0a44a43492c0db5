import type { Config } from '../../config.ts';
import type { OwnerList } from '../../store/owners/owner-list.ts';
import { createOwnerList } from '../../store/sqlite/owner-list.ts';

const warn = (message: string) => console.error(`warning: ${message}`);

/** Runs work with the list of the other owners: a file in the main data folder, or a table. */
export async function withOwnerList<T>(config: Config, work: (owners: OwnerList) => Promise<T>): Promise<T> {
  const { database, mainDirectory: directory } = config;
  if (database === undefined) return work(createOwnerList(directory));
  // Loaded only when needed, because most commands do not use the driver.
  const { connectDatabase } = await import('../../store/postgres/connect.ts');
  const { createOwnerList: createTableList } = await import('../../store/postgres/owner-list.ts');
  const { readSecret } = await import('./open-postgres.ts');
  const secret = readSecret(config, warn);
  const connections = await connectDatabase(database, warn);
  try {
    return await work(createTableList(connections, { directory, secret }));
  } finally {
    await connections.close();
  }
}
