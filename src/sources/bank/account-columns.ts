import type { StatementColumns } from './statement-columns.ts';

export const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/;
const NUMBER = /\d{5}/;
const BANK_CODE = /^(blz|bankleitzahl|bic|bic \(swift-code\)|bank code|sort code)$/i;
const plain = (text: string) => text.replace(/\W/g, '').toUpperCase();

/**
 * Distinguishes the owner's account column from the counterparty's: both may be called `Account number`. The
 * counterparty's column is beside a name or bank code, is sometimes empty, or differs from the number above the
 * table. Call `addRow` for each row first.
 */
export class AccountColumns {
  readonly #own: string | undefined;
  readonly #columns: readonly { readonly name: string; readonly isBesideCounterparty: boolean }[];
  readonly #seen = new Map<string, { own: number; numbers: number; empty: number }>();

  constructor({ names, roles }: StatementColumns, own: string | undefined) {
    this.#own = own === undefined ? undefined : plain(own);
    this.#columns = (roles.get('account') ?? []).map((name) => {
      const at = names.indexOf(name);
      const [before, after] = [names[at - 1] ?? '', names[at + 1] ?? ''];
      return { name, isBesideCounterparty: BANK_CODE.test(after.trim()) || isPayee(before, roles) };
    });
    for (const { name } of this.#columns) this.#seen.set(name, { own: 0, numbers: 0, empty: 0 });
  }

  addRow(values: Readonly<Record<string, string>>): void {
    for (const [name, count] of this.#seen) {
      const cell = values[name]?.trim() ?? '';
      if (cell === '') count.empty += 1;
      else if (IBAN.test(cell) || NUMBER.test(cell)) count.numbers += 1;
      if (this.#own !== undefined && plain(cell) === this.#own) count.own += 1;
    }
  }

  /** Returns the names of the counterparty's columns. */
  decide(): ReadonlySet<string> {
    const others = this.#columns.filter(({ name, isBesideCounterparty }) => {
      const { own, numbers, empty } = this.#seen.get(name) as { own: number; numbers: number; empty: number };
      if (numbers === 0) return isBesideCounterparty;
      return own === 0 && (this.#own !== undefined || isBesideCounterparty || empty > 0);
    });
    return new Set(others.map(({ name }) => name));
  }
}

function isPayee(name: string, roles: StatementColumns['roles']): boolean {
  return (['payee', 'payer', 'recipient'] as const).some((role) => roles.get(role)?.includes(name));
}
