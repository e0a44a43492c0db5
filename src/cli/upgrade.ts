import { createInterface } from 'node:readline/promises';
import { AppError } from '../errors.ts';
import { BackupUndecided, openStore, type UpgradeChoice } from '../store/sqlite/open-store.ts';
import { print } from './print/print.ts';
import { type Call, getText, UsageError } from './run/call.ts';
import { checkStore, readConfig, refusePostgres } from './run/with-store.ts';

/** Upgrades a store that is too large for the automatic backup, as the owner chooses. */
export async function upgrade(call: Call): Promise<void> {
  refusePostgres(call, 'A server upgrades the tables when it starts. Run pg_dump before.');
  const { dataDirectory } = readConfig(call);
  const choice = readChoice(call);
  checkStore(dataDirectory);
  const messages = await upgradeStore(dataDirectory, choice).catch(async (error: unknown) => {
    if (!isQuestion(error, choice)) throw error;
    return upgradeStore(dataDirectory, await ask());
  });
  print(call, { messages }, ['Your data has the format of this version.', ...messages].join('\n'));
}

async function upgradeStore(directory: string, choice: UpgradeChoice): Promise<string[]> {
  const messages: string[] = [];
  const store = await openStore(directory, (message) => messages.push(message), 'every page', choice);
  store.close();
  return messages;
}

function readChoice(call: Call): UpgradeChoice {
  const backupTo = getText(call, 'backup-to');
  const withoutBackup = call.values['without-backup'] === true;
  if (backupTo !== undefined && withoutBackup)
    throw new UsageError('Use either --backup-to or --without-backup.');
  return { backupTo, withoutBackup };
}

/** Whether the owner has to decide how to upgrade the store, and can be asked. */
function isQuestion(error: unknown, { backupTo, withoutBackup }: UpgradeChoice): boolean {
  const isUndecided = backupTo === undefined && withoutBackup !== true;
  return isUndecided && error instanceof BackupUndecided && process.stdin.isTTY === true;
}

async function ask(): Promise<UpgradeChoice> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const folder = (
      await terminal.question('Folder for a backup of your data (empty: upgrade without): ')
    ).trim();
    if (folder !== '') return { backupTo: folder };
    const answer = await terminal.question('Upgrade without a backup? It cannot be undone. (yes/no): ');
    if (answer.trim() === 'yes') return { withoutBackup: true };
    throw new AppError('cancelled', 'Nothing was changed.');
  } finally {
    terminal.close();
  }
}
