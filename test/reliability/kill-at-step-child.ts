/** Runs one job and kills its own process just before a given transaction of it. */
import { writeSync } from 'node:fs';
import { removeConnections } from '../../src/import/remove-connection.ts';
import { undoImport } from '../../src/import/undo-import.ts';
import { openStore, type Store } from '../../src/store/sqlite/open-store.ts';

const [job = '', folder = '', step = ''] = process.argv.slice(2);
const store = await openStore(folder);

let left = Number(step);
/** Counts each transaction, and dies in place of the one that was chosen. */
function counted<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    left -= 1;
    if (left < 0) process.kill(process.pid, 'SIGKILL');
    return work(...args);
  };
}
const { write } = store;
const dying: Store = {
  ...store,
  write: {
    ...write,
    transactAtOnce: counted(write.transactAtOnce),
    transact: counted(write.transact),
    scrub: counted(write.scrub),
  },
};

const jobs: Record<string, () => Promise<unknown>> = {
  remove: () => removeConnections(dying, ['log-canary'], new Date()),
  undo: () => undoImport(dying, 1, new Date()),
};
await jobs[job]?.();
writeSync(1, 'done\n');
store.close();
