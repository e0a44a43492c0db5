import { makeBackup } from '../store/sqlite/backup/make-backup.ts';
import { type Restored, restoreBackup } from '../store/sqlite/backup/restore-backup.ts';
import { version } from '../version.ts';
import { showBytes, showCount } from './print/format.ts';
import { print } from './print/print.ts';
import { createProgress } from './print/progress.ts';
import { type Call, getPositional } from './run/call.ts';
import { formatCommand } from './run/how-started.ts';
import { readConfig, withExistingStore } from './run/with-store.ts';

export async function backup(call: Call): Promise<void> {
  const place = getPositional(call, 0, 'FOLDER');
  await withExistingStore(call, async (store) => {
    const progress = createProgress(undefined, 'pages');
    const made = await makeBackup(store, place, {
      now: new Date(),
      version,
      progress: (done) => progress.update(done),
    });
    progress.end();
    const { records = 0, grants = 0, audit = 0, events = 0 } = made.manifest.counts;
    const n = showCount;
    print(
      call,
      { path: made.path, bytes: made.bytes, ...made.manifest },
      `${made.path}
${showBytes(made.bytes)}: ${n(records)} records, ${n(grants)} grants, ${n(audit)} audited reads, ${n(events)} events, and the key. Read back and found whole.
It holds everything the data folder holds: keep it where only you can read it.`,
    );
  });
}

export async function restore(call: Call): Promise<void> {
  const backup = getPositional(call, 0, 'BACKUP');
  const { dataDirectory } = readConfig(call);
  const restored = await restoreBackup(backup, dataDirectory, {
    force: call.values.force === true,
    keepAccess: call.values['keep-access'] === true,
    now: new Date(),
  });
  print(call, { data: dataDirectory, ...restored, aside: restored.aside ?? null }, describe(restored));
}

const NEW_PASSPHRASE = `The passphrase is that of the backup; ${formatCommand('owner reset')} sets a new one.`;

const ACCESS: Record<Restored['access'], string> = {
  present:
    'Who may read is as it was before the restore: nothing that has ended is live again, and the passphrase is the present one.',
  ended: `All access of the backup is ended, because what ended since it was made is not known: connect your apps again. ${NEW_PASSPHRASE}`,
  kept: `The access of the backup is live again, also what you ended since: look through it with ${formatCommand('grant list')}. ${NEW_PASSPHRASE}`,
};

function describe({ records, aside, access }: Restored): string {
  return [
    `${showCount(records)} records are restored.`,
    ACCESS[access],
    ...(aside === undefined
      ? []
      : [`The old files are in ${aside}; delete them when you no longer need them.`]),
  ].join('\n');
}
