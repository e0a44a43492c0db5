/** Run by open-store.test.ts: opens a store under a umask and says which modes its files have meanwhile. */
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { ingestBatch } from '../support/fill-store.ts';
import { listModes, modeOf } from '../support/stores/modes.ts';

const [mask = '0', folder = ''] = process.argv.slice(2);
process.umask(Number.parseInt(mask, 8));
const warnings: string[] = [];
const store = await openStore(folder, (message) => warnings.push(message));
await ingestBatch(store, 1);
process.stdout.write(JSON.stringify({ folder: modeOf(folder), files: listModes(folder), warnings }));
store.close();
