import type { Identity } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';

/** Fields that identify payments without a number. Status and balance are left out: banks change both a day later. */
export const bankIdentity: Identity = {
  transactions: ['account_id', 'date', 'amount', 'currency', 'merchant', 'description', 'reference'],
  trades: ['account_id', 'date', 'security', 'action', 'quantity', 'amount'],
  holdings: ['account_id', 'date', 'security_id'],
};

/** Accounts with other numbers are other accounts, also at the same bank. */
export const numberedAccounts = { stream: 'accounts', fields: ['iban', 'account_number'] };

/** The fields of an account in the stream `accounts`. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly [field: string]: string | number;
}

export interface Balance {
  readonly kind: string;
  readonly amount: number;
  readonly date: string;
}

/** The accounts of one import. If several statements name an account, the newest balance wins. */
export class AccountBook {
  readonly #accounts = new Map<string, Account>();

  add(account: Account): void {
    const known = this.#accounts.get(account.id);
    this.#accounts.set(account.id, known === undefined ? account : { ...account, ...known });
  }

  addBalance(id: string, { kind, amount, date }: Balance): void {
    const known = this.#accounts.get(id);
    if (known === undefined || date < String(known.balance_on ?? '')) return;
    const field = kind === 'available' ? 'available_balance' : 'balance';
    // An opening balance is older than the closing balance of the same day.
    if (/^(?:opening|previous)$/.test(kind) && known.balance_on === date) return;
    this.#accounts.set(id, { ...known, [field]: amount, balance_on: date });
  }

  nameOf(id: string): string | undefined {
    return this.#accounts.get(id)?.name;
  }

  list(): readonly Account[] {
    return [...this.#accounts.values()];
  }
}

/** Returns an id that does not contain the account number: every grant contains the ids of its accounts. */
export function makeAccountId(...parts: readonly (string | undefined)[]): string {
  return hashKey(...parts.map((part) => part?.replace(/\s/g, '').toUpperCase()));
}

/** Names an account by bank or type and its last digits. */
export function nameAccount(name: string, number: string | undefined): string {
  const digits = number?.replace(/\W/g, '').slice(-4) ?? '';
  return digits === '' ? name : `${name} …${digits}`;
}
