/** Run by durability.test.ts: ingests numbered batches until it is killed, and says which ones are in. */
import { writeSync } from 'node:fs';
import { ingestLines } from '../../../src/ingest/ingest-lines.ts';
import { openStore } from '../../../src/store/sqlite/open-store.ts';
import { batchLines, setUpDiary } from '../fill-store.ts';

const [folder = '', first = '0'] = process.argv.slice(2);
const store = await openStore(folder);
// A checkpoint with nearly every batch, so that it is often one of them that is interrupted.
store.write.raw.pragma('wal_autocheckpoint = 20');
const stream = await setUpDiary(store);
for (let batch = Number(first); ; batch++) {
  await ingestLines(store.write, stream, 'UTC', batchLines(batch));
  // Written at once: what stays in a buffer when the process dies would not be an acknowledgement.
  writeSync(1, `${batch}\n`);
}
