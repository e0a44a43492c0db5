import type {
  AccountInput,
  AccountKindView,
  AccountService,
  CheckOutcome,
  CheckProblem,
  NewAccount,
} from '../../../src/accounts/account-service.ts';
import type { AccountView } from '../../../src/accounts/account-view.ts';
import { keepFilesField } from '../../../src/accounts/keeps-files.ts';
import type { AccountField } from '../../../src/accounts/sync-source.ts';
import { AppError } from '../../../src/errors.ts';

const field = (name: string, type: AccountField['type'], more: Partial<AccountField> = {}): AccountField => ({
  name,
  label: name,
  type,
  isRequired: true,
  ...more,
});

const kinds: readonly AccountKindView[] = [
  {
    kind: 'imap',
    title: 'Mail (IMAP)',
    isAddedOnPages: true,
    fields: [
      field('server', 'text', { label: 'Server', hint: 'For example imap.example.org.' }),
      field('user', 'text', { label: 'User name' }),
      field('password', 'secret', { label: 'Password' }),
      field('port', 'number', { label: 'Port', isRequired: false }),
      field('idle', 'boolean', { label: 'Wait for new messages', isRequired: false }),
      field('skip', 'list', { label: 'Senders to skip', isRequired: false, hint: 'One in each line.' }),
      keepFilesField,
    ],
  },
  {
    kind: 'feed',
    title: 'Feed',
    isAddedOnPages: true,
    fields: [
      field('url', 'url', { label: 'Address' }),
      field('format', 'choice', {
        label: 'Format',
        isRequired: false,
        choices: [
          { value: 'ical', label: 'Calendar' },
          { value: 'rss', label: 'RSS or Atom' },
        ],
      }),
    ],
  },
  { kind: 'tap', title: 'Singer tap', isAddedOnPages: false, fields: [field('command', 'text')] },
];

export function accountView(change: Partial<AccountView> = {}): AccountView {
  return {
    account_id: 'mail_1',
    kind: 'imap',
    title: 'Mail (IMAP)',
    account: 'anna@example.org',
    connection_id: null,
    state: 'ok',
    last_synced_at: '2026-11-16T11:00:00.000Z',
    next_sync_at: '2026-11-16T11:15:00.000Z',
    interval_seconds: 900,
    keeps_files: false,
    last_changes: null,
    progress: null,
    problem: null,
    ...change,
  };
}

export const wrongPassword: CheckProblem = {
  code: 'credentials',
  message: 'The server refused the user name or the password.',
  fix: 'Check both, or make a new app password.',
};

const found: CheckOutcome = {
  state: 'ok',
  account: 'anna@example.org',
  collections: [
    { id: 'INBOX', name: 'Inbox', isDefault: true, items: 1_234 },
    { id: 'Spam', name: 'Spam', isDefault: false, items: 5_000 },
  ],
  notes: ['the server reports new messages at once'],
};

/** Accounts whose server answers as a test says, for what the pages show and send. */
export function createScriptedAccounts() {
  const accounts = new Map<string, AccountView>();
  const orders: { step: 'check' | 'add'; order: AccountInput | NewAccount }[] = [];
  const calls: [name: string, id: string, argument?: unknown][] = [];
  let check: () => CheckOutcome = () => found;
  const get = (id: string): AccountView => {
    const account = accounts.get(id);
    if (account === undefined) throw new AppError('not_found', 'No such account.');
    return account;
  };
  const change = async (name: string, id: string, changes: Partial<AccountView>, argument?: unknown) => {
    const account = { ...get(id), ...changes };
    calls.push(argument === undefined ? [name, id] : [name, id, argument]);
    accounts.set(id, account);
    return account;
  };
  const service: AccountService = {
    listKinds: async () => kinds,
    list: async () => [...accounts.values()],
    get: async (id) => get(id),
    async check(order) {
      orders.push({ step: 'check', order });
      return check();
    },
    async add(order) {
      orders.push({ step: 'add', order });
      const outcome = check();
      if (outcome.state === 'failed') return outcome;
      const account = accountView({ state: 'new', account: outcome.account, last_synced_at: null });
      accounts.set(account.account_id, account);
      return { state: 'added', account };
    },
    async listCollections(id) {
      get(id);
      return check();
    },
    change: (id, changes) => change('change', id, {}, changes),
    async replaceSecret(id, secret) {
      const outcome = check();
      if (outcome.state === 'failed') return outcome;
      return { state: 'added', account: await change('replaceSecret', id, { problem: null }, secret) };
    },
    syncNow: (id) => change('syncNow', id, { state: 'syncing' }),
    pause: (id) => change('pause', id, { state: 'paused' }),
    resume: (id) => change('resume', id, { state: 'ok' }),
    async remove(id) {
      get(id);
      calls.push(['remove', id]);
      accounts.delete(id);
    },
  };
  return {
    service,
    orders,
    calls,
    put: (account: AccountView) => void accounts.set(account.account_id, account),
    answer: (outcome: () => CheckOutcome) => {
      check = outcome;
    },
    succeed: () => {
      check = () => found;
    },
  };
}
