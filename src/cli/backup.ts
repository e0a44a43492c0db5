import { makeBackup } from '../store/sqlite/backup/make-backup.ts';
import { version } from '../version.ts';
import { formatBytes, formatCount, print } from './print/print.ts';
import { createProgress } from './print/progress.ts';
import { type Call, getPositional } from './run/call.ts';
import { withExistingStore } from './run/with-store.ts';

export async function backup(call: Call): Promise<void> {
  const folder = getPositional(call, 0, 'FOLDER');
  await withExistingStore(call, async (store) => {
    const progress = createProgress(undefined, 'pages');
    const made = await makeBackup(store, folder, {
      now: new Date(),
      version,
      progress: (done) => progress.update(done),
    });
    progress.end();
    const { records = 0, grants = 0, audit = 0, events = 0 } = made.manifest.counts;
    const n = formatCount;
    print(
      call,
      { path: made.path, bytes: made.bytes, ...made.manifest },
      `Backup written and verified: ${made.path}
${formatBytes(made.bytes)}: ${n(records)} records, ${n(grants)} grants, ${n(audit)} audited reads, ${n(events)} events and the server secret.
It contains all your data. Keep it where only you can read it.`,
    );
  });
}
