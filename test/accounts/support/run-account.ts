import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encryptCredentials } from '../../../src/accounts/credentials.ts';
import type { Network } from '../../../src/accounts/network.ts';
import { runSync } from '../../../src/accounts/run/run-sync.ts';
import type { SyncOptions } from '../../../src/accounts/run/sync-options.ts';
import { loadSource } from '../../../src/accounts/sources.ts';
import type { AccountKind, AccountSettings } from '../../../src/accounts/sync-source.ts';
import { openInputs } from '../../../src/import/open/open-inputs.ts';
import { importEach, recogniseOpened } from '../../../src/import/recognise.ts';
import { runImport } from '../../../src/import/run-import.ts';
import { loadCatalog } from '../../../src/schema-index/catalog.ts';
import { importers } from '../../../src/sources/importers.ts';
import { ACCOUNT_ID, accountRow } from '../../support/accounts/account-row.ts';
import { openTestStore, relaxSync } from '../../support/stores/engines.ts';
import { makeFolder } from '../../support/temp-folder.ts';

/** A real store with one account, which the real runner syncs. */
export async function openAccount(
  kind: AccountKind,
  settings: AccountSettings,
  secret: string,
  network: Network,
  account = 'anna@dav.test',
) {
  const store = await openTestStore(makeFolder());
  relaxSync(store);
  const credentials = encryptCredentials(secret, store.secret, ACCOUNT_ID);
  await store.write.accounts.add(
    accountRow({ kind, account, settings: JSON.stringify(settings), credentials, allows_private: 1 }),
  );
  const options: SyncOptions = {
    loadSource,
    createNetwork: () => network,
    now: () => new Date(),
    random: () => 0.5,
    signal: new AbortController().signal,
    onError: () => 'err',
  };
  return {
    store,
    sync: (more: Partial<SyncOptions> = {}) => runSync(store, ACCOUNT_ID, { ...options, ...more }),
    /** Records by stream, of all connections. */
    async count(): Promise<Record<string, number>> {
      const { streams } = await loadCatalog(store.write);
      const spans = await store.read.stored.spans();
      const counts: Record<string, number> = {};
      for (const { name, streamId } of streams)
        counts[name] = (counts[name] ?? 0) + (spans.get(streamId)?.records ?? 0);
      return counts;
    },
    async listConnections() {
      return (await store.read.catalog.listConnections()).map(({ connection_id }) => connection_id);
    },
    async import(name: string, text: string) {
      const path = join(makeFolder(), name);
      writeFileSync(path, text);
      const opened = await openInputs([path]);
      const { found } = await recogniseOpened(importers, opened);
      const run = {
        options: { timeZone: 'Europe/Berlin' },
        openProblems: opened.problems,
        now: () => new Date(),
        signal: options.signal,
      };
      await importEach(
        found,
        (one) => runImport(store, one, run),
        () => {},
      );
      opened.close();
    },
  };
}
