import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AccountService } from '../../../src/accounts/account-service.ts';
import { createAccountService } from '../../../src/accounts/create-account-service.ts';
import { runSync } from '../../../src/accounts/run/run-sync.ts';
import type { SyncOutcome } from '../../../src/accounts/run/sync-options.ts';
import type { SyncSource } from '../../../src/accounts/sync-source.ts';
import { loadCatalog } from '../../../src/schema-index/catalog.ts';
import type { SqliteStore } from '../../../src/store/sqlite/open-store.ts';
import { openTestStore } from '../stores/engines.ts';
import { makeFolder } from '../temp-folder.ts';

export interface AccountWorld {
  readonly store: SqliteStore;
  readonly folder: string;
  readonly service: AccountService;
  readonly errors: unknown[];
  sync(accountId: string): Promise<SyncOutcome>;
  /** Returns the records of a stream by key. */
  read(stream: string, keys: readonly string[]): Promise<Record<string, Record<string, unknown>>>;
  count(stream: string): Promise<number>;
}

/** A store with accounts of one source. */
export async function createAccountWorld(source: SyncSource): Promise<AccountWorld> {
  const folder = makeFolder();
  const store = await openTestStore(folder);
  const errors: unknown[] = [];
  const deps = {
    loadSource: async () => source,
    createNetwork: () => ({}) as never,
    now: () => new Date(),
    onError(error: unknown) {
      errors.push(error);
      return 'sync_1';
    },
  };
  const findStream = async (name: string) =>
    (await loadCatalog(store.read)).streams.find((stream) => stream.name === name);
  return {
    ...{ store, folder, errors },
    service: createAccountService({
      ...{ ...deps, store, kinds: [source.kind], wake: () => {}, mayRunCommands: true },
    }),
    sync: (accountId) =>
      runSync(store, accountId, { ...deps, random: () => 0.5, signal: new AbortController().signal }),
    async read(name, keys) {
      const stream = await findStream(name);
      if (stream === undefined) return {};
      const { records } = await store.read.stored.find(stream.streamId, keys);
      return Object.fromEntries(
        [...records].map(([key, { data }]) => [key, JSON.parse(data) as Record<string, unknown>]),
      );
    },
    async count(name) {
      const stream = await findStream(name);
      return (await store.read.stored.spans()).get(stream?.streamId ?? -1)?.records ?? 0;
    },
  };
}

/** Returns the command of a tap of test/support/accounts/taps. */
export function tapCommand(name: string): string {
  return `"${process.execPath}" "${fileURLToPath(new URL(`./taps/${name}.mjs`, import.meta.url))}"`;
}

/** Writes a configuration file of a tap. */
export function writeConfig(folder: string, name: string, config: unknown): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(config));
  return file;
}
