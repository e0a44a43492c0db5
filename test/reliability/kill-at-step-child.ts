/** Runs one job and kills its own process just before a given transaction of it. */
import { writeSync } from 'node:fs';
import { removeConnections } from '../../src/import/remove-connection.ts';
import { undoImport } from '../../src/import/undo-import.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { WriteConnection } from '../../src/store/sqlite/write/write-connection.ts';

const [job = '', folder = '', step = ''] = process.argv.slice(2);
const store = await openStore(folder);

let left = Number(step);
/** Counts each transaction, and dies in place of the one that was chosen. */
function counted(work: (...args: never[]) => unknown) {
  return function (this: WriteConnection, ...args: never[]): unknown {
    left -= 1;
    if (left < 0) process.kill(process.pid, 'SIGKILL');
    return work.apply(this, args);
  };
}
for (const name of ['transactSync', 'transact', 'truncateLog'] as const)
  Object.assign(WriteConnection.prototype, { [name]: counted(WriteConnection.prototype[name]) });

const jobs: Record<string, () => Promise<unknown>> = {
  remove: () => removeConnections(store, ['log-canary'], new Date()),
  undo: () => undoImport(store, 1, new Date()),
};
await jobs[job]?.();
writeSync(1, 'done\n');
store.close();
