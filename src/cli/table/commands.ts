import { clientCommands } from './client-commands.ts';
import {
  accountOptions,
  addressOptions,
  type Command,
  type CommandGroup,
  defineGroup,
  flag,
  folderOptions,
  importOptions,
  type Option,
  ownerListOptions,
  repeated,
  serveOptions,
  value,
} from './option.ts';

const serverCommands = defineGroup('Run the server', [
  {
    name: 'serve',
    summary: 'Start the server and print the address to open',
    options: serveOptions,
    examples: ['serve', 'serve --public-url https://data.example --trusted-proxy 127.0.0.1'],
    load: async () => (await import('../serve.ts')).serve,
  },
  {
    name: 'doctor',
    summary: 'Check the data folder and the server, and show how to fix problems',
    load: async () => (await import('../doctor.ts')).doctor,
  },
  {
    name: 'verify',
    summary: 'Check every record and every audit entry',
    load: async () => (await import('../verify.ts')).verify,
  },
  {
    name: 'backup',
    parameters: 'FOLDER',
    summary: 'Copy everything to a new folder, even while the server runs',
    examples: ['backup ~/backups'],
    load: async () => (await import('../backup.ts')).backup,
  },
  {
    name: 'restore',
    parameters: 'BACKUP',
    summary: 'Restore a backup',
    options: {
      ...folderOptions,
      force: flag('Replace the current data; the old files are kept in a separate folder'),
      'keep-access': flag('Restore the access that apps had when the backup was made'),
    },
    examples: ['restore ~/backups/pdpp-2026-11-16 --force'],
    load: async () => (await import('../restore.ts')).restore,
  },
  {
    name: 'upgrade',
    summary: 'Upgrade data that is too large for an automatic backup',
    options: {
      ...folderOptions,
      'backup-to': value('DIR', 'Make a backup into this folder first'),
      'without-backup': flag('Upgrade without a backup'),
    },
    examples: ['upgrade --backup-to /mnt/backups'],
    load: async () => (await import('../upgrade.ts')).upgrade,
  },
  {
    name: 'move',
    summary: 'Move everything from the data folder to PostgreSQL, or back',
    options: {
      ...ownerListOptions,
      to: value('PLACE', 'An empty database (postgres://user@host/database), or an empty folder'),
      from: value('PLACE', 'The data to move (default: the data folder, or $DATABASE_URL)'),
    },
    examples: ['move --to postgres://pdpp@db.example/pdpp', 'move --to ~/pdpp'],
    load: async () => (await import('../move.ts')).move,
  },
]);

const serviceCommands = defineGroup('Run as a service', [
  {
    name: 'service install',
    summary: 'Start the server when you sign in, and again after a failure',
    options: { ...serveOptions, json: folderOptions.json as Option },
    examples: ['service install --backup-to ~/backups'],
    load: async () => (await import('../service.ts')).serviceInstall,
  },
  {
    name: 'service status',
    summary: 'Show whether the service runs',
    options: { json: folderOptions.json as Option },
    load: async () => (await import('../service.ts')).serviceStatus,
  },
  {
    name: 'service logs',
    summary: 'Print the log of the service',
    options: { lines: value('N', 'The number of lines (default: 100)'), json: folderOptions.json as Option },
    load: async () => (await import('../service.ts')).serviceLogs,
  },
  {
    name: 'service remove',
    summary: 'Stop the service and remove it; your data is kept',
    options: { json: folderOptions.json as Option },
    load: async () => (await import('../service.ts')).serviceRemove,
  },
]);

const accountCommands = defineGroup('Sync accounts', [
  {
    name: 'account add',
    parameters: 'KIND',
    values: ['imap', 'caldav', 'carddav', 'feed', 'webdav', 'tap'],
    summary: 'Add an account to sync; asks for the password',
    options: accountOptions,
    examples: [
      'account add imap --user you@example.org',
      'account add tap --command "tap-github" --config github.json',
    ],
    load: async () => (await import('../account/account-add.ts')).accountAdd,
  },
  {
    name: 'account list',
    summary: 'List the accounts, their last syncs and their problems',
    load: async () => (await import('../account/account-manage.ts')).accountList,
  },
  {
    name: 'account sync',
    parameters: '[ID]',
    summary: 'Sync one account or all of them now',
    examples: ['account sync', 'account sync you@example.org'],
    load: async () => (await import('../account/account-sync.ts')).accountSync,
  },
  {
    name: 'account pause',
    parameters: 'ID',
    summary: 'Stop syncing an account for now',
    examples: ['account pause you@example.org'],
    load: async () => (await import('../account/account-manage.ts')).accountPause,
  },
  {
    name: 'account resume',
    parameters: 'ID',
    summary: 'Sync a paused or stopped account again',
    examples: ['account resume you@example.org'],
    load: async () => (await import('../account/account-manage.ts')).accountResume,
  },
  {
    name: 'account edit',
    parameters: 'ID',
    summary: 'Change the password, the interval or what is synced and kept',
    options: {
      ...folderOptions,
      interval: value('MINUTES', 'Time between syncs'),
      collections: value('A,B', 'Only these folders, calendars or address books'),
      'keep-files': value('YESNO', 'Whether the files attached to new mails are kept', ['yes', 'no']),
      password: flag('Ask for a new password'),
      'password-file': value('FILE', 'A file with the new password; - is stdin'),
    },
    examples: ['account edit you@example.org --password'],
    load: async () => (await import('../account/account-manage.ts')).accountEdit,
  },
  {
    name: 'account remove',
    parameters: 'ID',
    summary: 'Forget an account and its password; its records stay',
    examples: ['account remove you@example.org'],
    load: async () => (await import('../account/account-manage.ts')).accountRemove,
  },
]);

const dataCommands = defineGroup('Import data', [
  {
    name: 'demo',
    summary: 'Add a year of demo data about a fictional person',
    options: {
      ...folderOptions,
      until: value('DATE', 'The last day of the demo data (default: today)'),
      remove: flag('Remove only the demo data'),
    },
    examples: ['demo', 'demo --remove'],
    load: async () => (await import('../demo.ts')).demo,
  },
  {
    name: 'import',
    parameters: 'PATH ...',
    summary: 'Import exports: files, folders and zips, detected by content',
    options: importOptions,
    examples: ['import ~/Downloads/takeout-*.zip --dry-run', 'import statement.csv --name "My bank"'],
    load: async () => (await import('../import.ts')).importCommand,
  },
  {
    name: 'import list',
    summary: 'List imports and their problems',
    load: async () => (await import('../import-list.ts')).importList,
  },
  {
    name: 'import undo',
    parameters: 'ID',
    summary: 'Undo an import',
    examples: ['import undo 3'],
    load: async () => (await import('../import-undo.ts')).importUndo,
  },
  {
    name: 'watch',
    parameters: 'DIR',
    summary: 'Import exports as they appear in a folder',
    examples: ['watch ~/Downloads'],
    load: async () => (await import('../watch.ts')).watch,
  },
  {
    name: 'source add',
    parameters: 'FILE',
    summary: 'Add your own source declaration',
    examples: ['source add my-source.json'],
    load: async () => (await import('../source-add.ts')).sourceAdd,
  },
  {
    name: 'connection add',
    parameters: 'KEY',
    summary: 'Add a connection for a declared source',
    options: {
      ...folderOptions,
      id: value('ID', 'A short, readable ID'),
      name: value('NAME', 'The name to show'),
    },
    examples: ['connection add my_source --id my_account --name "My account"'],
    load: async () => (await import('../connection.ts')).connectionAdd,
  },
  {
    name: 'connection list',
    summary: 'List connections with their streams and record counts',
    load: async () => (await import('../connection.ts')).connectionList,
  },
  {
    name: 'connection rename',
    parameters: 'ID NAME',
    summary: 'Rename a connection',
    examples: ['connection rename my_account "Old account"'],
    load: async () => (await import('../connection.ts')).connectionRename,
  },
  {
    name: 'connection remove',
    parameters: 'ID',
    summary: 'Remove a connection and all its records',
    examples: ['connection remove my_account'],
    load: async () => (await import('../connection.ts')).connectionRemove,
  },
  {
    name: 'ingest',
    parameters: 'CONNECTION STREAM [FILE]',
    summary: 'Add your own records, one JSON object per line',
    examples: ['ingest my_account notes notes.ndjson'],
    load: async () => (await import('../ingest.ts')).ingest,
  },
]);

const accessCommands = defineGroup('Manage access', [
  {
    name: 'grant create',
    summary: 'Give an app access and print its token once',
    options: {
      ...folderOptions,
      client: value('NAME', 'The name of the app'),
      allow: repeated(value('CONNECTION[:STREAM[:FIELD,FIELD]]', 'What the app can read')),
      key: repeated(value('KEY', 'Only the record with this key')),
      since: value('TIME', 'Only from this time on, such as 2026-01-31 or last_365_days'),
      until: value('TIME', 'Only up to this time'),
      expires: value('DURATION', 'When access ends, such as 12h, 30d or 8w'),
      purpose: value('TEXT', 'A note for yourself: why the app has access'),
    },
    examples: ['grant create --client Notes --allow gmail_nora:messages:subject,sent_at --expires 30d'],
    load: async () => (await import('../grant.ts')).grantCreate,
  },
  {
    name: 'grant list',
    summary: 'List apps and what each can read',
    load: async () => (await import('../grant.ts')).grantList,
  },
  {
    name: 'grant revoke',
    parameters: '[ID]',
    summary: 'End the access of one app, or all access',
    options: { ...folderOptions, all: flag('End all access: apps, owner tokens and browsers') },
    examples: ['grant revoke grant_Qk3', 'grant revoke --all'],
    load: async () => (await import('../grant.ts')).grantRevoke,
  },
  {
    name: 'owner token',
    summary: 'Create an owner token for /v1 and print it once',
    load: async () => (await import('../owner.ts')).ownerToken,
  },
  {
    name: 'owner reset',
    summary: 'Print a link to set a new passphrase',
    options: { ...folderOptions, ...addressOptions },
    load: async () => (await import('../owner.ts')).ownerReset,
  },
  {
    name: 'owner revoke',
    summary: 'Revoke all owner tokens',
    load: async () => (await import('../owner.ts')).ownerRevoke,
  },
  {
    name: 'owner add',
    parameters: 'NAME',
    summary: 'Add an owner with their own host name',
    options: {
      ...ownerListOptions,
      host: value('HOST', 'The host name, such as alice.example'),
      folder: value('DIR', 'An existing data folder (default: a new one in the main folder)'),
      port: addressOptions.port as Option,
      'public-url': addressOptions['public-url'] as Option,
    },
    examples: ['owner add alice --host alice.example'],
    load: async () => (await import('../owners.ts')).ownerAdd,
  },
  {
    name: 'owner list',
    summary: 'List the owners of this server',
    options: ownerListOptions,
    load: async () => (await import('../owners.ts')).ownerList,
  },
  {
    name: 'owner remove',
    parameters: 'NAME',
    summary: 'Stop serving an owner; on PostgreSQL, also delete the data',
    options: {
      ...ownerListOptions,
      yes: flag('Remove the owner; without this option, only show what would be removed'),
    },
    examples: ['owner remove alice --yes'],
    load: async () => (await import('../owners.ts')).ownerRemove,
  },
]);

/** The program as an app: it reads what the owner of a server has approved. */

const otherCommands = defineGroup('Other', [
  {
    name: 'completion',
    parameters: 'SHELL',
    summary: 'Print a completion script for bash, zsh or fish',
    options: {},
    examples: ['completion bash', 'completion fish > ~/.config/fish/completions/pdpp.fish'],
    values: ['bash', 'zsh', 'fish'],
    load: async () => (await import('../completion.ts')).completion,
  },
  {
    name: 'version',
    summary: 'Print the version, or ask whether there is a newer one',
    options: {
      check: flag('Ask npm, or $PDPP_UPDATE_URL, for the newest version'),
      json: folderOptions.json as Option,
    },
    examples: ['version --check'],
    load: async () => (await import('../version.ts')).printVersion,
  },
  {
    name: 'help',
    parameters: '[COMMAND ...]',
    summary: 'Show all commands, or the options of one',
    options: {},
    examples: ['help query'],
    load: async () => (await import('../help.ts')).help,
  },
]);

/** Every command, in the order in which a new user needs them. */
export const groups: readonly CommandGroup[] = [
  serverCommands,
  serviceCommands,
  accountCommands,
  dataCommands,
  accessCommands,
  clientCommands,
  otherCommands,
];

export const commands: readonly Command[] = groups.flatMap((group) => group.commands);

/** Finds the command that the first words name. The longest name wins, so `import list` is not a path to import. */
export function findCommand(argv: readonly string[]): Command | undefined {
  const find = (name: string) => commands.find((command) => command.name === name);
  return find(argv.slice(0, 2).join(' ')) ?? find(argv[0] ?? '');
}
