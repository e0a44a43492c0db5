import type { Store, WriteStore } from '../../../src/store/store.ts';

export class Killed extends Error {}

/**
 * A store whose process dies at a write: that write fails and every later one, and the transaction is rolled back as
 * SQLite and PostgreSQL do when a process is gone.
 */
export function killAt(store: Store, write: number): Store {
  let count = 0;
  const step = () => {
    if (++count >= write) throw new Killed('the process was killed');
  };
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name) {
        const value = Reflect.get(object, name) as unknown;
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          step();
          const result = await (value as (...all: unknown[]) => unknown).apply(object, args);
          // It may as well die when the write is done.
          step();
          return result;
        };
      },
    });
  const { write: all } = store;
  const dying: Partial<WriteStore> = {
    batches: wrap(all.batches),
    accounts: wrap(all.accounts),
    imports: wrap(all.imports),
    catalog: wrap(all.catalog),
    transact: async (work, begins) => {
      step();
      const result = await all.transact(work, begins);
      step();
      return result;
    },
  };
  const dyingWrites = new Proxy(all, {
    get: (object, name) => Reflect.get(Reflect.has(dying, name) ? dying : object, name) as unknown,
  });
  return new Proxy(store, {
    get: (object, name) => (name === 'write' ? dyingWrites : (Reflect.get(object, name) as unknown)),
  });
}
