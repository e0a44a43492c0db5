import { resolve } from 'node:path';
import { accountKinds, isAccountKind, loadSource } from '../../accounts/sources.ts';
import type { AccountField, SyncSource } from '../../accounts/sync-source.ts';
import { print } from '../print/print.ts';
import { type Call, getList, getNumber, getPositional, getText, UsageError } from '../run/call.ts';
import { formatCommand } from '../run/how-started.ts';
import { withStore } from '../run/with-store.ts';
import { openAccounts, problemError } from './open-accounts.ts';
import { readSecret } from './read-secret.ts';

const FILES = ['config', 'catalog'];
/** Options of the command that are not settings of a kind. */
const OWN_OPTIONS = [
  'data',
  'owner',
  'json',
  'password-file',
  'connection',
  'collections',
  'interval',
  'private-network',
];

export async function accountAdd(call: Call): Promise<void> {
  const kind = getPositional(call, 0, 'KIND');
  if (!isAccountKind(kind)) throw new UsageError(`KIND must be one of: ${accountKinds.join(', ')}`);
  const source = await loadSource(kind);
  const settings = readSettings(call, source);
  const secret = await findSecret(call, source);
  await withStore(call, async (store) => {
    const collections = getList(call, 'collections');
    const minutes = getNumber(call, 'interval');
    const outcome = await openAccounts(store).add({
      ...{ kind, settings, secret, collections, connectionId: getText(call, 'connection') },
      allowsPrivate: call.values['private-network'] === true,
      ...(minutes === undefined ? {} : { intervalSeconds: 60 * minutes }),
    });
    if (outcome.state === 'failed') throw problemError(outcome.problem);
    const { account } = outcome;
    print(
      call,
      account,
      `Added ${account.account} (${account.account_id}). A running server syncs it within seconds.\nTo sync it here: ${formatCommand('account sync', account.account_id)}`,
    );
  });
}

function readSettings(call: Call, source: SyncSource): Record<string, unknown> {
  const fields = source.fields.filter(({ type }) => type !== 'secret');
  for (const name of Object.keys(call.values))
    if (!OWN_OPTIONS.includes(name) && !fields.some((field) => field.name === name))
      throw new UsageError(`--${name} does not apply to ${source.kind}.`);
  const settings: Record<string, unknown> = {};
  for (const { name, type, isRequired } of fields) {
    const value = call.values[name];
    if (value !== undefined) settings[name] = readSetting(type, name, value);
    else if (isRequired) throw new UsageError(`--${name} is missing.`);
  }
  return settings;
}

/** Paths are relative to the folder of the command, not of the server. */
function readSetting(type: AccountField['type'], name: string, value: unknown): unknown {
  if (type === 'flag') return value === true;
  if (type === 'boolean') return value === 'yes';
  return FILES.includes(name) && typeof value === 'string' ? resolve(value) : value;
}

async function findSecret(call: Call, source: SyncSource): Promise<string | undefined> {
  const field = source.fields.find(({ type }) => type === 'secret');
  if (field === undefined) return undefined;
  if (!field.isRequired && getText(call, 'password-file') === undefined) return undefined;
  return readSecret(call, field.label);
}
