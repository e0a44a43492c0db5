import type { Config, DatabaseConfig } from '../../config.ts';
import { connectDatabase } from '../../store/postgres/connect.ts';
import type { Connections } from '../../store/postgres/connections.ts';
import { openHostedStore, openStore } from '../../store/postgres/open-store.ts';
import { makePrivateFolder } from '../../store/sqlite/folder/private-files.ts';
import { findSecretFile, loadSecret, readSecretFile } from '../../store/sqlite/folder/secret-file.ts';
import type { Store } from '../../store/store.ts';

/** Opens the store in the configured database. Closing the store also closes its connections. */
export async function openPostgres(
  config: Config,
  database: DatabaseConfig,
  warn: (message: string) => void,
): Promise<Store & { readonly connections: Connections }> {
  const secret = readSecret(config, warn);
  const connections = await connectDatabase(database, warn);
  try {
    const directory = config.dataDirectory;
    const { owner: name } = config;
    const store =
      name === undefined
        ? await openStore(connections, { directory, secret })
        : await openHostedStore(connections, { directory, secret, name });
    return { ...store, connections, close: () => void connections.close() };
  } catch (error) {
    await connections.close();
    throw error;
  }
}

/** Returns the secret of the deployment. Without a setting it is in the main data folder. */
export function readSecret({ secret, mainDirectory }: Config, warn: (message: string) => void): Uint8Array {
  makePrivateFolder(mainDirectory, warn);
  if (secret === undefined) return loadSecret(findSecretFile(mainDirectory), warn);
  return 'bytes' in secret ? secret.bytes : readSecretFile(secret.file);
}
