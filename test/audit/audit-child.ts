import { writeSync } from 'node:fs';
import { createAudit } from '../../src/audit/audit.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { readEntry } from '../support/stores/audit.ts';

/** A process that writes reads into the audit of a store: the folder and how many. */
const [directory = '', count = '0'] = process.argv.slice(2);
const store = await openStore(directory);
const write = createAudit(store.audit);
for (let i = 0; i < Number(count); i += 1) {
  await write(readEntry({ requestId: `req_${process.pid}_${i}` }), new Date());
  if (i === 0) writeSync(1, 'writing\n');
}
store.close();
