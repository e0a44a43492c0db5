/** Keeps a file, perhaps imports its record, and waits to be killed. */
import { appendFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { KeepSession } from '../../../src/import/kept-files/keep-session.ts';
import { openStore } from '../../../src/store/sqlite/open-store.ts';

const [directory = '', connectionId = '', record = ''] = process.argv.slice(2);
const store = await openStore(directory);
const session = await KeepSession.open(directory, connectionId);
await session.keep(
  record,
  'kept.txt',
  (async function* () {
    yield Buffer.from(`file of ${record}`);
  })(),
);
// As if it were killed between a file and its line in the index.
appendFileSync(join(directory, 'files', connectionId, 'f'.repeat(64)), 'no line');
appendFileSync(join(directory, 'files', connectionId, 'half.part'), 'half a file');
writeSync(1, 'kept');
setInterval(() => store.isUpToDate(), 60_000);
