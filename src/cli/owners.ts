import { type Config, configOf } from '../config.ts';
import { AppError } from '../errors.ts';
import { createSetupLink } from '../owner/setup-link.ts';
import { checkHostName, checkOwnerName } from '../store/owners/check-owner.ts';
import {
  type HostedOwner,
  hostTaken,
  MAIN_OWNER,
  ownerUnknown,
  type Removal,
} from '../store/owners/owner-list.ts';
import { formatAmount, formatMinute, print } from './print/print.ts';
import { table } from './print/table.ts';
import { type Call, getPositional, getText, UsageError } from './run/call.ts';
import { formatCommand } from './run/how-started.ts';
import { logCommandEvent, openConfigured } from './run/open-configured.ts';
import { withOwnerList } from './run/owner-lists.ts';
import { readConfig } from './run/with-store.ts';
import { findAddress } from './serve/served-address.ts';

/** Adds an owner, and prints the link with which the owner sets a passphrase. */
export async function ownerAdd(call: Call): Promise<void> {
  const name = checkOwnerName(getPositional(call, 0, 'NAME'));
  const given = getText(call, 'host');
  if (given === undefined) throw new UsageError('--host is required.');
  const config = readServerConfig(call);
  const host = checkHostName(given);
  if (isHostOfMain(config, host)) throw hostTaken();
  const now = new Date();
  const owner = await withOwnerList(config, (owners) =>
    owners.add({ name, host, folder: getText(call, 'folder') }, now),
  );
  const { url, link } = await createLink(call, configOf(config, owner), now);
  print(
    call,
    { ...describeOwner(config, owner), link },
    `Added ${name}. The server will answer at ${url} within a second.

Open this link within one hour to set the passphrase. It works once:

${link}

Later commands for this owner: ${formatCommand('import', `PATH --owner ${name}`)}`,
  );
}

/** Sets the time zone of the new store as well. */
async function createLink(call: Call, config: Config, now: Date): Promise<{ url: string; link: string }> {
  const store = await openConfigured(config, 'first page');
  try {
    const { url } = findAddress(config, { ...call, values: { ...call.values, host: undefined } });
    const link = await createSetupLink(store.write, url, now);
    await logCommandEvent(store, { kind: 'setup_link_made' }, now);
    return { url, link };
  } finally {
    store.close();
  }
}

export async function ownerList(call: Call): Promise<void> {
  const config = readServerConfig(call);
  const others = await withOwnerList(config, (owners) => owners.list());
  const main = {
    name: MAIN_OWNER,
    url: findAddress(config).url,
    folder: folderOf(config, config.dataDirectory),
  };
  const hosted = others.map((owner) => describeOwner(config, owner));
  const rows = [
    [main.name, main.url, main.folder ?? 'PostgreSQL', ''],
    ...hosted.map((owner) => [
      owner.name,
      owner.url,
      owner.folder ?? 'PostgreSQL',
      formatMinute(owner.created_at),
    ]),
  ];
  print(call, [main, ...hosted], await table([['NAME', 'ADDRESS', 'DATA', 'ADDED'], ...rows]));
}

/** Removes an owner. Without --yes it only says what would be removed. */
export async function ownerRemove(call: Call): Promise<void> {
  const name = getPositional(call, 0, 'NAME');
  const config = readServerConfig(call);
  if (name === MAIN_OWNER)
    throw new AppError('invalid_argument', 'The main owner cannot be removed.', {
      hint: 'To stop using pdpp, stop the server and delete its data.',
    });
  await withOwnerList(config, async (owners) => {
    if (call.values.yes !== true) {
      const owner = await owners.find(name);
      if (owner === undefined) throw ownerUnknown();
      const { url } = describeOwner(config, owner);
      throw new UsageError(
        `${url} will stop answering. ${describePlannedRemoval(config)} To confirm, add --yes.`,
      );
    }
    const removal = await owners.remove(name, new Date());
    print(call, { name, ...removal }, `Removed ${name}. ${describeRemoval(removal)}`);
  });
}

function describePlannedRemoval({ database }: Config): string {
  return database === undefined
    ? 'The data folder is kept.'
    : 'All records, grants and logs of this owner will be deleted from the database.';
}

function describeRemoval(removal: Removal): string {
  return 'folder' in removal
    ? `The data is kept in ${removal.folder}. Delete the folder when you no longer need it.`
    : `Deleted ${formatAmount(removal.records, 'record')} and everything else of this owner.`;
}

function describeOwner(config: Config, owner: HostedOwner) {
  const { url } = findAddress(configOf(config, owner));
  const { name, createdAt: created_at } = owner;
  return { name, url, folder: folderOf(config, owner.folder), created_at };
}

function folderOf({ database }: Config, folder: string): string | null {
  return database === undefined ? folder : null;
}

/** Returns the settings of the server. `--host` is the host of an owner here, and not an address to listen on. */
function readServerConfig(call: Call): Config {
  return readConfig({ ...call, values: { ...call.values, host: undefined } });
}

function isHostOfMain(config: Config, host: string): boolean {
  const main = [config.publicUrl, findAddress(config).url].map((url) => new URL(url).hostname);
  return ['localhost', ...main].includes(host);
}
