import type { AccountView } from '../../accounts/account-view.ts';
import { print } from '../print/print.ts';
import { table } from '../print/table.ts';
import { type Call, getList, getNumber, getPositional, getText, UsageError } from '../run/call.ts';
import { formatCommand } from '../run/how-started.ts';
import { withExistingStore, withStoreForListing } from '../run/with-store.ts';
import { findAccount, openAccounts, problemError } from './open-accounts.ts';
import { readSecret } from './read-secret.ts';

export async function accountList(call: Call): Promise<void> {
  await withStoreForListing(call, async (store) => {
    const accounts = await openAccounts(store).list();
    const rows = accounts.map((one) => [
      one.account_id,
      one.kind,
      one.account,
      one.state,
      one.last_synced_at ?? 'never',
      one.connection_id ?? '',
    ]);
    const problems = accounts.flatMap(({ account, problem }) =>
      problem === null ? [] : [`${account}: ${problem.message} ${problem.fix}`],
    );
    const head = ['ID', 'KIND', 'ACCOUNT', 'STATE', 'LAST SYNC', 'CONNECTION'];
    const text =
      rows.length === 0
        ? `No accounts yet. Add one: ${formatCommand('account add', 'imap --user you@example.org')}`
        : [await table([head, ...rows]), ...problems].join('\n');
    print(call, accounts, text);
  });
}

export const accountPause = (call: Call): Promise<void> =>
  change(call, (accounts, id) => accounts.pause(id), 'Paused');

export const accountResume = (call: Call): Promise<void> =>
  change(call, (accounts, id) => accounts.resume(id), 'Resumed');

export async function accountRemove(call: Call): Promise<void> {
  await withExistingStore(call, async (store) => {
    const accounts = openAccounts(store);
    const { account_id, account, connection_id } = await findAccount(accounts, getPositional(call, 0, 'ID'));
    await accounts.remove(account_id);
    const note =
      connection_id === null
        ? ''
        : ` Its records stay. To remove them too: ${formatCommand('connection remove', connection_id)}`;
    print(call, { account_id, account, connection_id }, `Removed ${account}.${note}`);
  });
}

/** Changes the interval, the collections, the password or whether files are kept. */
export async function accountEdit(call: Call): Promise<void> {
  const minutes = getNumber(call, 'interval');
  const collections = getList(call, 'collections');
  const keepFiles = getText(call, 'keep-files');
  if (keepFiles !== undefined && !['yes', 'no'].includes(keepFiles))
    throw new UsageError('--keep-files must be yes or no.');
  const replacesPassword = call.values.password === true || getText(call, 'password-file') !== undefined;
  const hasChange = [minutes, collections, keepFiles].some((given) => given !== undefined);
  if (!hasChange && !replacesPassword)
    throw new UsageError('Give --interval, --collections, --keep-files, --password or --password-file.');
  const secret = replacesPassword ? await readSecret(call, 'Password') : undefined;
  await withExistingStore(call, async (store) => {
    const accounts = openAccounts(store);
    const { account_id } = await findAccount(accounts, getPositional(call, 0, 'ID'));
    if (secret !== undefined) {
      const outcome = await accounts.replaceSecret(account_id, secret);
      if (outcome.state === 'failed') throw problemError(outcome.problem);
    }
    const changed = await accounts.change(account_id, {
      ...(minutes === undefined ? {} : { intervalSeconds: 60 * minutes }),
      ...(collections === undefined ? {} : { collections }),
      ...(keepFiles === undefined ? {} : { keepsFiles: keepFiles === 'yes' }),
    });
    print(call, changed, `Changed ${changed.account}.`);
  });
}

async function change(
  call: Call,
  work: (accounts: ReturnType<typeof openAccounts>, accountId: string) => Promise<AccountView>,
  done: string,
): Promise<void> {
  await withExistingStore(call, async (store) => {
    const accounts = openAccounts(store);
    const { account_id } = await findAccount(accounts, getPositional(call, 0, 'ID'));
    const view = await work(accounts, account_id);
    print(call, view, `${done} ${view.account}.`);
  });
}
