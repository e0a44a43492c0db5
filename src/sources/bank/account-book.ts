import type { Identity } from '../../import/importer.ts';
import { hashKey } from '../../import/read/hash-key.ts';

/**
 * What tells payments without a number apart. Not whether they are booked yet, nor the balance after them: banks write
 * both otherwise a day later.
 */
export const bankIdentity: Identity = {
  transactions: ['account_id', 'date', 'amount', 'currency', 'merchant', 'description', 'reference'],
  trades: ['account_id', 'date', 'security', 'action', 'quantity', 'amount'],
  holdings: ['account_id', 'date', 'security_id'],
};

/** Statements of other accounts are other accounts, also at the same bank. */
export const numberedAccounts = { stream: 'accounts', fields: ['iban', 'account_number'] };

/** An account as statements tell of it; the fields of the stream `accounts`. */
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

/** The accounts of one import. Several statements may tell of one account: the newest balance stays. */
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
    // A balance that opens a day is older than the one that closes it.
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

/** Which account it is, without saying its number: the id of an account is in every grant. */
export function makeAccountId(...parts: readonly (string | undefined)[]): string {
  return hashKey(...parts.map((part) => part?.replace(/\s/g, '').toUpperCase()));
}

/** What people call it: the bank or the kind, and the last digits. */
export function nameAccount(name: string, number: string | undefined): string {
  const digits = number?.replace(/\W/g, '').slice(-4) ?? '';
  return digits === '' ? name : `${name} …${digits}`;
}
