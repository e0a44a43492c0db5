import { createAccountNetwork } from '../../accounts/account-network.ts';
import type { AccountService, CheckProblem } from '../../accounts/account-service.ts';
import type { AccountView } from '../../accounts/account-view.ts';
import { createAccountService } from '../../accounts/create-account-service.ts';
import { accountKinds, loadSource } from '../../accounts/sources.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { createId } from '../../secrets/token.ts';
import type { Store } from '../../store/store.ts';
import { command, hint } from '../../text/hint.ts';

/** The accounts of a store, for commands. A running server looks for changes by itself. */
export function openAccounts(store: Store): AccountService {
  return createAccountService({
    ...{ store, loadSource, createNetwork: createAccountNetwork, kinds: accountKinds },
    now: () => new Date(),
    onError: reportError,
    wake: () => {},
    mayRunCommands: true,
  });
}

export function reportError(error: unknown): string {
  const id = createId('sync');
  console.error(`${id}: ${error instanceof Error ? error.stack : 'not an error'}`);
  return id;
}

/** Finds an account by its id or its name. */
export async function findAccount(accounts: AccountService, given: string): Promise<AccountView> {
  const found = (await accounts.list()).filter(
    ({ account_id, account }) => account_id === given || account === given,
  );
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  throw new AppError(
    first === undefined ? 'not_found' : 'conflict',
    first === undefined ? 'Account not found.' : 'Several accounts have this name. Use the ID.',
    { hint: hint`${command('account list')}` },
  );
}

const CODES: Partial<Record<CheckProblem['code'], ErrorCode>> = {
  credentials: 'unauthorized',
  forbidden: 'unauthorized',
  unreachable: 'busy',
  too_slow: 'busy',
  not_found: 'not_found',
};

/** Returns the error for a failed test of a connection. */
export function problemError({ code, message, fix }: CheckProblem): AppError {
  return new AppError(CODES[code] ?? 'invalid_argument', message, { hint: fix });
}
