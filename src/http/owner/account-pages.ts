import type { AccountRouteDeps } from '../../../dashboard/account-routes.tsx';
import { accountHref, removalHref, withQuery } from '../../../dashboard/parts/links.ts';
import type { AccountView } from '../../accounts/account-view.ts';
import { KEEP_FILES } from '../../accounts/keeps-files.ts';
import type { Alarm } from '../../audit/alarms.ts';
import { AppError } from '../../errors.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import type { Store } from '../../store/store.ts';
import { escapeText } from '../../text/escape-text.ts';
import { DAY_MS } from '../../time/durations.ts';
import { nameConnection } from '../../views/describe-access.ts';
import { collectionWords } from './account-form.ts';
import { type AddAccountDeps, createAddAccount } from './add-account.ts';

export interface AccountPagesDeps extends AddAccountDeps {
  readonly store: Store;
  /** Starts to remove a connection with its records, and returns the id of the removal. */
  readonly removeConnection: (id: string) => Promise<string>;
}

type Wired = Omit<AccountRouteDeps, 'frame' | 'readForm'>;

const MIN_INTERVAL_SECONDS = 60;
const MAX_INTERVAL_SECONDS = 7 * 24 * 3_600;

/** Connects the pages of accounts to the account service. */
export function createAccountPages(deps: AccountPagesDeps): Wired {
  const { accounts, store } = deps;
  return {
    ...createAddAccount(deps),
    account: (id) => viewAccount(deps, id),
    async collections(id) {
      const { account_id, account, kind } = await accounts.get(id);
      const collection_word = collectionWords[kind] ?? 'parts';
      return { account_id, account, collection_word, found: await accounts.listCollections(id) };
    },
    async saveCollections(id, form) {
      const collections = form.getAll('collection');
      const { kind } = await accounts.get(id);
      if (collections.length === 0) return `Choose at least one of the ${collectionWords[kind] ?? 'parts'}.`;
      await accounts.change(id, { collections });
      return undefined;
    },
    async changePassword(id, form) {
      try {
        const outcome = await accounts.replaceSecret(id, form.get('secret') ?? '');
        return outcome.state === 'failed' ? outcome.problem : undefined;
      } catch (error) {
        const isRefused = error instanceof AppError && ['invalid_argument', 'conflict'].includes(error.code);
        if (!isRefused) throw error;
        return { code: 'credentials', message: error.message, fix: error.hint ?? '' };
      }
    },
    async changeInterval(id, form) {
      const intervalSeconds = Number(form.get('interval'));
      const isKnown =
        Number.isInteger(intervalSeconds) &&
        intervalSeconds >= MIN_INTERVAL_SECONDS &&
        intervalSeconds <= MAX_INTERVAL_SECONDS;
      if (!isKnown) throw new AppError('invalid_argument', 'Unknown interval.');
      await accounts.change(id, { intervalSeconds });
    },
    async changeKeepFiles(id, form) {
      await accounts.change(id, { keepsFiles: form.get('keep-files') === 'yes' });
    },
    sync: async (id) => void (await accounts.syncNow(id)),
    pause: async (id) => void (await accounts.pause(id)),
    resume: async (id) => void (await accounts.resume(id)),
    async remove(id, form) {
      const { connection_id } = await accounts.get(id);
      await accounts.remove(id);
      const isStored =
        connection_id !== null &&
        (await loadCatalog(store.read)).connections.some((one) => one.connection_id === connection_id);
      return form.get('records') === 'delete' && isStored
        ? removalHref(await deps.removeConnection(connection_id))
        : withQuery('/dashboard/data', { done: 'account-removed' });
    },
  };
}

async function viewAccount({ accounts, store }: AccountPagesDeps, id: string) {
  const account = await accounts.get(id);
  const catalog = await loadCatalog(store.read);
  const kind = (await accounts.listKinds()).find((one) => one.kind === account.kind);
  const { connection_id } = account;
  const isStored = catalog.connections.some((one) => one.connection_id === connection_id);
  return {
    time_zone: catalog.timeZone,
    account,
    connection_name: connection_id === null || !isStored ? null : nameConnection(catalog, connection_id),
    has_password: kind?.fields.some(({ type }) => type === 'secret') ?? false,
    collection_word: collectionWords[account.kind] ?? null,
    can_keep_files: kind?.fields.some(({ name }) => name === KEEP_FILES) ?? false,
  };
}

/** The accounts that need the owner: stopped ones, and those whose last sync failed. */
export function listAccountsWithProblems(all: readonly AccountView[]): AccountView[] {
  return all.filter(({ state, problem }) => problem !== null && (state === 'failing' || state === 'stopped'));
}

/** Returns an alarm for each account that has not synced for a day. It is shown until the account works again. */
export function describeLongFailures(all: readonly AccountView[], now: Date): Alarm[] {
  return listAccountsWithProblems(all).flatMap(({ account_id, account, title, problem }) => {
    if (problem === null || now.getTime() - Date.parse(problem.since) < DAY_MS) return [];
    return {
      at: problem.since,
      text: `${escapeText(account)} (${title}) has not synced since then. ${problem.message} ${problem.fix}`,
      page: { path: accountHref(account_id), label: 'View account' },
      isLasting: true,
    };
  });
}
