import { openStore, type SqliteStore } from '../../../src/store/sqlite/open-store.ts';

/** A database that can hold a store. */
export interface Engine {
  readonly name: string;
  readonly open: (directory: string) => Promise<SqliteStore>;
}

/** Every engine passes the suites of test/store/contract. */
export const engines: readonly Engine[] = [{ name: 'SQLite', open: (directory) => openStore(directory) }];

let current = engines[0] as Engine;

/** Opens a store with the engine that is under test. */
export function openTestStore(directory: string): Promise<SqliteStore> {
  return current.open(directory);
}

export function useEngine(engine: Engine): void {
  current = engine;
}
