import { type Restored, restoreBackup } from '../store/sqlite/backup/restore-backup.ts';
import { showCount } from './print/format.ts';
import { print } from './print/print.ts';
import { type Call, getPositional } from './run/call.ts';
import { formatCommand } from './run/how-started.ts';
import { readConfig } from './run/with-store.ts';

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
