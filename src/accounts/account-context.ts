import { loadCatalog } from '../schema-index/catalog.ts';
import type { AccountRow } from '../store/accounts/account-store.ts';
import type { Store } from '../store/store.ts';
import { decryptCredentials } from './credentials.ts';
import type { Network } from './network.ts';
import { type AccountSettings, type SyncContext, SyncError } from './sync-source.ts';

export interface ContextOptions {
  readonly createNetwork: (allowsPrivate: boolean) => Network | Promise<Network>;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** Returns what the source of a stored account needs to connect. Throws SyncError if the password cannot be read. */
export async function createContext(
  store: Store,
  account: AccountRow,
  { createNetwork, now, signal }: ContextOptions,
): Promise<SyncContext> {
  const { timeZone } = await loadCatalog(store.read);
  return {
    settings: JSON.parse(account.settings) as AccountSettings,
    secret: readSecret(store, account),
    collections: account.collections === null ? undefined : (JSON.parse(account.collections) as string[]),
    network: await createNetwork(account.allows_private === 1),
    ...{ timeZone, now, signal },
  };
}

function readSecret({ secret }: Store, { account_id, credentials }: AccountRow): string | undefined {
  if (credentials === null) return undefined;
  const found = decryptCredentials(credentials, secret, account_id);
  if (found !== undefined) return found;
  throw new SyncError(
    'credentials',
    'The stored password cannot be read, because it was encrypted with the secret of another server.',
    'Enter the password again.',
  );
}
