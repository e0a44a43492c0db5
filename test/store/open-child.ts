/** Run by concurrent.test.ts: waits for a moment, opens the store, ingests one batch, and closes it. */
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { ingestBatch } from '../support/fill-store.ts';

const [folder = '', batch = '0', at = '0'] = process.argv.slice(2);
await new Promise((resolve) => setTimeout(resolve, Math.max(0, Number(at) - Date.now())));
const store = await openStore(folder);
const { new: added, same } = await ingestBatch(store, Number(batch));
store.close();
process.stdout.write(JSON.stringify({ added, same }));
