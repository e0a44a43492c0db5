import type { Connections } from '../../../src/store/postgres/connections.ts';
import { openStore, type SqliteStore } from '../../../src/store/sqlite/open-store.ts';
import type { Store } from '../../../src/store/store.ts';

/** A database that can hold a store. */
export interface Engine {
  readonly name: string;
  readonly open: (directory: string) => Promise<SqliteStore>;
}

const sqlite: Engine = { name: 'SQLite', open: (directory) => openStore(directory) };
const postgres = createPostgresEngine(async () => {
  const { useSharedDatabase } = await import('../postgres/databases.ts');
  return useSharedDatabase();
});

/** Every engine passes the suites of test/store/contract. */
export const engines: readonly Engine[] = [sqlite, postgres];

let current = findEngine(process.env.PDPP_TEST_ENGINE);

/** Returns the engine with a name as options spell it. */
export function findEngine(name = 'sqlite'): Engine {
  const found = engines.find((engine) => engine.name.toLowerCase().startsWith(name));
  if (found === undefined) throw new Error('The engines are sqlite and postgres.');
  return found;
}

/** Opens a store with the engine that is under test. */
export function openTestStore(directory: string): Promise<SqliteStore> {
  return current.open(directory);
}

export function useEngine(engine: Engine): void {
  current = engine;
}

/** Returns whether a store is a folder of files, which can be copied. */
export function usesFiles(): boolean {
  return current === sqlite;
}

/** Does not wait for the disk: for thousands of small writes, with no power cut to survive. */
export function relaxSync(store: SqliteStore): void {
  if (usesFiles()) store.write.raw.pragma('synchronous = off');
}

/** Returns an engine in whose database a folder stands for an owner. */
export function createPostgresEngine(connect: () => Promise<Connections>): Engine {
  return {
    name: 'PostgreSQL',
    async open(directory) {
      const { openStore: openOwner } = await import('../../../src/store/postgres/open-store.ts');
      const secret = Buffer.alloc(32, 7);
      return withoutFiles(await openOwner(await connect(), { directory, secret, owner: directory }));
    },
  };
}

/** A test that looks into the files of SQLite fails on another engine. */
export function withoutFiles(store: Store): SqliteStore {
  const refuse = (): never => {
    throw new Error('This store has no SQLite files.');
  };
  const files = {
    get raw(): never {
      return refuse();
    },
    get db(): never {
      return refuse();
    },
    transactSync: refuse,
    enterQueue: refuse,
  };
  const add = <T extends object>(part: T): T & typeof files =>
    Object.defineProperties({ ...part }, Object.getOwnPropertyDescriptors(files)) as T & typeof files;
  return { ...store, read: add(store.read), write: add(store.write), audit: add(store.audit) };
}
