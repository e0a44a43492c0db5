/** Run by the kill rounds: does one thing again and again until it is killed, and says on stdout what it has done. */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { ingestLines } from '../../src/ingest/ingest-lines.ts';
import { makeBackup } from '../../src/store/sqlite/backup/make-backup.ts';
import { restoreBackup } from '../../src/store/sqlite/backup/restore-backup.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { setUpDiary } from '../support/fill-store.ts';
import { versionedLines } from './versioned-lines.ts';

const [mode = '', folder = '', ...rest] = process.argv.slice(2);

// Written at once: what stays in a buffer when the process dies would not be an acknowledgement.
const acknowledge = (text: string) => writeSync(1, `${text}\n`);

async function ingest(first: number, checkpoint: boolean): Promise<void> {
  const store = await openStore(folder);
  const stream = await setUpDiary(store);
  for (let batch = first; ; batch += 1) {
    for (let version = 0; version <= batch % 3; version += 1) {
      await ingestLines(store.write, stream, 'UTC', versionedLines(batch, version));
      acknowledge(`${batch} ${version}`);
      if (checkpoint) store.write.raw.pragma('wal_checkpoint(truncate)');
    }
  }
}

async function backUp(place: string): Promise<void> {
  const store = await openStore(folder);
  for (;;) acknowledge((await makeBackup(store, place, { now: new Date(), version: 'test' })).path);
}

async function restore(backups: readonly string[]): Promise<void> {
  for (let round = 0; ; round += 1) {
    const backup = backups[round % backups.length] as string;
    await restoreBackup(backup, folder, { force: true, keepAccess: false, now: new Date() });
    acknowledge(backup);
  }
}

async function migrate(copies: number): Promise<void> {
  for (let i = 0; i < copies; i += 1) {
    (await openStore(join(folder, String(i)))).close();
    acknowledge(String(i));
  }
}

if (mode === 'ingest' || mode === 'checkpoint') await ingest(Number(rest[0]), mode === 'checkpoint');
if (mode === 'backup') await backUp(rest[0] ?? '');
if (mode === 'restore') await restore(rest);
if (mode === 'migrate') await migrate(Number(rest[0]));
