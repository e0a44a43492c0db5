import { createEventLog } from '../audit/events.ts';
import { AppError } from '../errors.ts';
import { refuseKeptFiles } from '../import/kept-files/refuse-kept-files.ts';
import { loadCatalog } from '../schema-index/catalog.ts';
import { createId } from '../secrets/token.ts';
import type { AccountRow } from '../store/accounts/account-store.ts';
import type { Store } from '../store/store.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { createContext } from './account-context.ts';
import type {
  AccountInput,
  AccountService,
  CheckOutcome,
  CheckProblem,
  NewAccount,
} from './account-service.ts';
import { toAccountView } from './account-views.ts';
import { encryptCredentials } from './credentials.ts';
import { KEEP_FILES } from './keeps-files.ts';
import type { Network } from './network.ts';
import { describeProblem } from './run/account-problem.ts';
import type {
  AccountField,
  AccountKind,
  AccountSettings,
  SyncContext,
  SyncPlan,
  SyncSource,
} from './sync-source.ts';

export interface AccountServiceDeps {
  readonly store: Store;
  readonly kinds: readonly AccountKind[];
  readonly loadSource: (kind: AccountKind) => Promise<SyncSource>;
  readonly createNetwork: (allowsPrivate: boolean) => Network | Promise<Network>;
  readonly now: () => Date;
  /** Logs an unexpected error. Returns its id in the log. */
  readonly onError: (error: unknown) => string;
  /** Called when an account may be due. */
  readonly wake: () => void;
  /** Whether accounts can be added that run a command. Only on the server's machine, never over HTTP. */
  readonly mayRunCommands: boolean;
}

const CHECK_TIMEOUT_MS = MINUTE_MS;
const DEFAULT_INTERVAL_SECONDS = 900;
const MIN_INTERVAL_SECONDS = 60;
const MAX_INTERVAL_SECONDS = 30 * 86_400;
const MAX_ACCOUNTS = 200;
const MAX_SECRET_CHARACTERS = 10_000;

/** Adds, changes and lists the owner's accounts. */
export function createAccountService(deps: AccountServiceDeps): AccountService {
  const { store, now, wake } = deps;
  const { accounts } = store.write;
  const writeEvent = createEventLog(store.audit);
  const find = async (accountId: string): Promise<AccountRow> => {
    const row = await accounts.find(accountId);
    if (row === undefined) throw new AppError('not_found', 'Account not found.');
    return row;
  };
  const view = async (accountId: string) => toAccountView(await find(accountId), now());
  const update = async (accountId: string, change: Parameters<typeof accounts.update>[1]) => {
    await find(accountId);
    await accounts.update(accountId, change);
    wake();
    return view(accountId);
  };
  const soon = () => ({ stopped: 0, failures: 0, next_run_at: now().toISOString() });

  return {
    listKinds: () => listKinds(deps),
    list: async () => (await accounts.list()).map((row) => toAccountView(row, now())),
    get: view,
    check: async (input) => (await checkInput(deps, input)).outcome,
    async add(input) {
      const added = await addRow(deps, input);
      if (added.state === 'failed') return added;
      await writeEvent({ kind: 'account_added', detail: added.row.account }, now());
      wake();
      return { state: 'added', account: await view(added.row.account_id) };
    },
    listCollections: async (accountId) => listCollections(deps, await find(accountId)),
    async change(accountId, { intervalSeconds, collections, keepsFiles }) {
      const row = await find(accountId);
      return update(accountId, {
        ...(intervalSeconds === undefined ? {} : { interval_seconds: checkInterval(intervalSeconds) }),
        ...(collections === undefined ? {} : { collections: collections && JSON.stringify(collections) }),
        ...(keepsFiles === undefined ? {} : { settings: await changeKeepFiles(deps, row, keepsFiles) }),
        ...soon(),
      });
    },
    async replaceSecret(accountId, secret) {
      const row = await find(accountId);
      const credentials = encryptCredentials(checkSecret(secret), store.secret, accountId);
      const outcome = await checkRow(deps, { ...row, credentials });
      if (outcome.state === 'failed') return outcome;
      if (outcome.account !== row.account)
        throw new AppError('conflict', 'This password belongs to another account.', {
          hint: 'Add the other account instead.',
        });
      return { state: 'added', account: await update(accountId, { credentials, problem: null, ...soon() }) };
    },
    syncNow: (accountId) => update(accountId, soon()),
    pause: (accountId) => update(accountId, { paused: 1 }),
    resume: (accountId) => update(accountId, { paused: 0, ...soon() }),
    async remove(accountId) {
      const { account } = await find(accountId);
      await store.write.transact(() => accounts.remove(accountId));
      await writeEvent({ kind: 'account_removed', detail: account }, now());
      wake();
    },
  };
}

/** Lists the kinds of accounts that can be added here, with the settings that they can have here. */
async function listKinds({ kinds, loadSource, mayRunCommands, store }: AccountServiceDeps) {
  const isAvailable = ({ name }: AccountField) => name !== KEEP_FILES || store.shared === undefined;

  const sources = await Promise.all(kinds.map((kind) => loadSource(kind)));
  return sources
    .filter((source) => source.isAddedOnPages || mayRunCommands)
    .map(({ kind, title, fields, isAddedOnPages }) => ({
      ...{ kind, title, isAddedOnPages },
      fields: fields.filter(isAvailable),
    }));
}

/** Returns the settings of an account that keeps files, or no longer does. */
async function changeKeepFiles(
  { loadSource, store }: AccountServiceDeps,
  row: AccountRow,
  keeps: boolean,
): Promise<string> {
  const { fields } = await loadSource(row.kind as AccountKind);
  if (!fields.some(({ name }) => name === KEEP_FILES))
    throw new AppError('invalid_argument', 'Accounts of this kind have no attached files.');
  if (keeps) refuseKeptFiles(store);
  const { [KEEP_FILES]: _, ...others } = JSON.parse(row.settings) as AccountSettings;
  return JSON.stringify(keeps ? { ...others, [KEEP_FILES]: true } : others);
}

/** Tests and stores a new account. Returns its row, or why the test failed. */
async function addRow(
  deps: AccountServiceDeps,
  input: NewAccount,
): Promise<{ state: 'added'; row: AccountRow } | Extract<CheckOutcome, { state: 'failed' }>> {
  const { store, now } = deps;
  const interval_seconds = checkInterval(input.intervalSeconds);
  const { outcome, settings, plan } = await checkInput(deps, input);
  if (outcome.state === 'failed') return outcome;
  if (input.connectionId !== undefined) await checkConnection(store, input.connectionId, await plan());
  const row = makeRow(store, input, settings, outcome.account, interval_seconds, now());
  await store.write.transact(async () => {
    const { accounts } = store.write;
    checkNew(await accounts.list(), row);
    await accounts.add(row);
  });
  return { state: 'added', row };
}

/** Lists what can be synced from an account, with the choice of the owner. */
async function listCollections(deps: AccountServiceDeps, row: AccountRow): Promise<CheckOutcome> {
  const outcome = await checkRow(deps, row);
  if (outcome.state === 'failed' || row.collections === null) return outcome;
  const chosen = JSON.parse(row.collections) as string[];
  const collections = outcome.collections.map((one) => ({ ...one, isDefault: chosen.includes(one.id) }));
  return { ...outcome, collections };
}

/** Tests the connection of a stored account. */
function checkRow(deps: AccountServiceDeps, row: AccountRow): Promise<CheckOutcome> {
  return tryCheck(deps, row.kind as AccountKind, (signal) =>
    createContext(deps.store, row, { ...deps, signal }),
  );
}

function makeRow(
  { secret: key }: Store,
  input: NewAccount,
  settings: AccountSettings,
  account: string,
  interval_seconds: number,
  now: Date,
): AccountRow {
  const account_id = createId('acc');
  const at = now.toISOString();
  const { kind, secret, collections, connectionId = null } = input;
  return {
    ...{ account_id, kind, account, connection_id: connectionId, settings: JSON.stringify(settings) },
    credentials: secret === undefined ? null : encryptCredentials(secret, key, account_id),
    allows_private: input.allowsPrivate === true ? 1 : 0,
    ...{ interval_seconds, paused: 0, state: null, created_at: at, last_run_at: null, last_changes: null },
    collections: collections === undefined ? null : JSON.stringify(collections),
    ...{ problem: null, stopped: 0, next_run_at: at, failures: 0, emitted_at: 0 },
    ...{ running_until: null, progress: null },
  };
}

function checkNew(others: readonly AccountRow[], { kind, account }: AccountRow): void {
  if (others.length >= MAX_ACCOUNTS)
    throw new AppError('conflict', `There are ${MAX_ACCOUNTS} accounts already.`, {
      hint: 'Remove one of them first.',
    });
  const isKnown = others.some((other) => other.kind === kind && other.account === account);
  if (isKnown)
    throw new AppError('conflict', 'This account has been added already.', {
      hint: 'Change it instead, or remove it first.',
    });
}

/** Throws unless the connection exists and has the streams of the account. */
async function checkConnection(store: Store, connectionId: string, { declaration }: SyncPlan): Promise<void> {
  const { connections } = await loadCatalog(store.read);
  const found = connections.find(({ connection_id }) => connection_id === connectionId);
  if (found === undefined) throw new AppError('not_found', 'Connection not found.');
  if (found.connector_key !== declaration.connector_key)
    throw new AppError('conflict', 'That connection belongs to another source.', {
      hint: 'Choose a connection of the same source, or leave it out.',
    });
}

function checkInterval(seconds = DEFAULT_INTERVAL_SECONDS): number {
  if (Number.isInteger(seconds) && seconds >= MIN_INTERVAL_SECONDS && seconds <= MAX_INTERVAL_SECONDS)
    return seconds;
  throw new AppError('invalid_argument', 'The interval is a number of seconds from 60 to 2592000.');
}

function checkSecret(secret: string): string {
  if (secret !== '' && secret.length <= MAX_SECRET_CHARACTERS) return secret;
  throw new AppError('invalid_argument', 'The password is empty or too long.');
}

async function checkInput(
  deps: AccountServiceDeps,
  { kind, settings: given, secret, allowsPrivate }: AccountInput,
): Promise<{ outcome: CheckOutcome; settings: AccountSettings; plan: () => Promise<SyncPlan> }> {
  if (!deps.kinds.includes(kind))
    throw new AppError('invalid_argument', 'Unknown kind of account.', { kinds: [...deps.kinds] });
  const source = await deps.loadSource(kind);
  if (!source.isAddedOnPages && !deps.mayRunCommands)
    throw new AppError(
      'invalid_argument',
      'This kind of account is added on the command line of the server.',
    );
  const settings = source.parseSettings(given);
  if (settings[KEEP_FILES] === true) refuseKeptFiles(deps.store, KEEP_FILES);
  if (secret !== undefined) checkSecret(secret);
  if (secret === undefined && source.fields.some(({ type, isRequired }) => type === 'secret' && isRequired))
    throw new AppError('invalid_argument', 'The password is missing.');
  const { timeZone } = await loadCatalog(deps.store.read);
  const network = await deps.createNetwork(allowsPrivate === true);
  const context = { settings, secret, collections: undefined, timeZone, network, now: deps.now };
  const outcome = await tryCheck(deps, kind, async (signal) => ({ ...context, signal }));
  const plan = () =>
    source.plan({ ...context, signal: AbortSignal.timeout(CHECK_TIMEOUT_MS), state: undefined });
  return { outcome, settings, plan };
}

/** Tests a connection. A SyncError is an outcome, with a sentence for the owner. */
async function tryCheck(
  { loadSource, onError }: AccountServiceDeps,
  kind: AccountKind,
  makeContext: (signal: AbortSignal) => Promise<SyncContext>,
): Promise<CheckOutcome> {
  const controller = new AbortController();
  const late = new Promise<'late'>((resolve) => {
    setTimeout(() => resolve('late'), CHECK_TIMEOUT_MS).unref();
  });
  try {
    const source = await loadSource(kind);
    const checking = makeContext(controller.signal).then((context) => source.check(context));
    checking.catch(() => {});
    const checked = await Promise.race([checking, late]);
    if (checked === 'late') return { state: 'failed', problem: TOO_SLOW };
    return { state: 'ok', ...checked };
  } catch (error) {
    if (error instanceof AppError) throw error;
    return { state: 'failed', problem: describeProblem(error, onError) };
  } finally {
    controller.abort();
  }
}

const TOO_SLOW: CheckProblem = {
  code: 'too_slow',
  message: 'The server did not answer in time.',
  fix: 'Check the address, and try again.',
};
