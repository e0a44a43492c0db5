import { type Restored, restoreBackup } from '../store/sqlite/backup/restore-backup.ts';
import { formatAmount, print } from './print/print.ts';
import { type Call, getPositional } from './run/call.ts';
import { formatCommand } from './run/how-started.ts';
import { readConfig, refusePostgres } from './run/with-store.ts';

export async function restore(call: Call): Promise<void> {
  refusePostgres(call, 'Restore a dump with pg_restore into an empty database.');
  const backup = getPositional(call, 0, 'BACKUP');
  const { dataDirectory } = readConfig(call);
  const restored = await restoreBackup(backup, dataDirectory, {
    force: call.values.force === true,
    keepAccess: call.values['keep-access'] === true,
    now: new Date(),
  });
  print(call, { data: dataDirectory, ...restored, aside: restored.aside ?? null }, describe(restored));
}

const NEW_PASSPHRASE = `Sign in with the passphrase of the backup, or set a new one: ${formatCommand('owner reset')}`;

const ACCESS: Record<Restored['access'], string> = {
  present: 'Access and the passphrase are the same as before the restore.',
  ended: `All access in the backup was ended, because some of it may have been revoked later. Connect your apps again. ${NEW_PASSPHRASE}`,
  kept: `All access in the backup works again, including access you have revoked since. Review it: ${formatCommand('grant list')}. ${NEW_PASSPHRASE}`,
};

function describe({ records, aside, access }: Restored): string {
  return [
    `Restored ${formatAmount(records, 'record')}.`,
    ACCESS[access],
    ...(aside === undefined
      ? []
      : [`The old files are in ${aside}. Delete them when you no longer need them.`]),
  ].join('\n');
}
