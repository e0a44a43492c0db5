import { hashKey } from '../../import/make-key.ts';
import { type ColumnRole, readColumnName } from './column-words.ts';

/** The columns of a statement by role. A role may have several columns: purposes often do. */
export interface StatementColumns {
  readonly names: readonly string[];
  readonly roles: ReadonlyMap<ColumnRole, readonly string[]>;
  /** The currency in the name of each column. */
  readonly currencies: ReadonlyMap<string, string>;
  /** Equal for all statements with these columns, which are from one bank. */
  readonly shape: string;
}

/** Other tables that also have dates and amounts. */
const OTHER_TABLES =
  /(?<!(?:konst|var|spec)\p{L}* )\bsymbol\b|\b(ticker|isin|shares|quantity|invoice|order (id|number|no)|sku|isbn|asset|activity id|calories|tax)\b/iu;
/** Cash App and Venmo have such columns beside their payments. */
const ALWAYS_STATEMENT = /^(name of sender\/receiver|amount \(total\))$/i;
/** Amount names that often mean something else, so further columns must confirm a statement. */
const VAGUE = /^(value|total)$/i;

export function findStatementColumns(header: readonly string[]): StatementColumns | undefined {
  const roles = new Map<ColumnRole, string[]>();
  const currencies = new Map<string, string>();
  let known = 0;
  for (const name of header) {
    const { role, currency: code } = readColumnName(name);
    if (role === undefined) continue;
    known += 1;
    if (code !== undefined) currencies.set(name, code);
    roles.set(role, [...(roles.get(role) ?? []), name]);
  }
  // Beside a transaction number, a reference is a text that somebody wrote.
  const references = roles.has('id') ? (roles.get('reference') ?? []) : [];
  if (references.length > 0) roles.set('memo', [...(roles.get('memo') ?? []), ...references]);
  if (references.length > 0) roles.delete('reference');
  // `Details` beside another text only repeats the type of payment. `Description` beside `Description 1`
  // describes the account.
  const isLessSpecific = (name: string) => /^details$/i.test(name) || header.includes(`${name} 1`);
  roles.get('memo')?.sort((a, b) => Number(isLessSpecific(a)) - Number(isLessSpecific(b)));
  const has = (...some: ColumnRole[]) => some.some((role) => roles.has(role));
  // A column without a name is named by its number.
  const named = header.filter((name) => name.trim() !== '' && !/^Column \d+$/.test(name));
  const isVague = (roles.get('amount') ?? []).every((name) => VAGUE.test(name)) && !has('debit', 'credit');
  const isStatement =
    has('date', 'paidOn', 'valueDate') &&
    has('amount', 'debit', 'credit') &&
    (!isVague || has('balance', 'currency', 'account', 'id')) &&
    has('payee', 'memo', 'payer', 'recipient', 'balance') &&
    (known >= 5 || known >= 0.6 * named.length) &&
    (named.some((name) => ALWAYS_STATEMENT.test(name)) ||
      !named.some((name) => OTHER_TABLES.test(name.replaceAll('_', ' '))));
  if (!isStatement) return undefined;
  const shape = hashKey(...named.map((name) => name.trim().toLowerCase()).sort());
  return { names: header, roles, shape, currencies };
}

/**
 * Cards that write purchases without a minus. The rows do not show this, so the columns of these banks are
 * listed: American Express, Apple Card, Discover, PC Financial, Rakuten.
 */
const CARDS: readonly (readonly string[])[] = [
  ['card member', 'amount'],
  ['appears on your statement as', 'amount'],
  ['clearing date', 'purchased by'],
  ['trans. date', 'post date', 'category'],
  ['karteninhaber', 'betrag'],
  ['titulaire de la carte', 'montant'],
  ['kaartlid', 'bedrag'],
  ['card used for transaction', 'amount'],
  ['利用日', '利用金額'],
];

export const hasPositivePurchases = (columns: StatementColumns) => hasAnyOf(columns, CARDS);

/** Revolut, PayPal and Wise hold several currencies, each with its own balance. */
const WALLETS: readonly (readonly string[])[] = [
  ['product', 'started date', 'completed date', 'currency', 'balance'],
  ['gross', 'net', 'currency', 'balance'],
  ['brutto', 'netto', 'währung', 'guthaben'],
  ['transferwise id', 'currency', 'running balance'],
];

export const isWallet = (columns: StatementColumns) => hasAnyOf(columns, WALLETS);

function hasAnyOf({ names }: StatementColumns, sets: readonly (readonly string[])[]): boolean {
  const given = new Set(names.map((name) => name.trim().toLowerCase()));
  return sets.some((set) => set.every((name) => given.has(name)));
}

/** Returns the columns with some account columns moved to the counterparty. */
export function moveAccounts(columns: StatementColumns, others: ReadonlySet<string>): StatementColumns {
  if (others.size === 0) return columns;
  const roles = new Map(columns.roles);
  const accounts = roles.get('account') ?? [];
  roles.set(
    'account',
    accounts.filter((name) => !others.has(name)),
  );
  roles.set('otherAccount', [...(roles.get('otherAccount') ?? []), ...others]);
  return { ...columns, roles };
}
