import { hashKey } from '../../import/read/hash-key.ts';
import { type ColumnRole, readColumnName } from './column-words.ts';

/** Which columns of a statement hold what. One role may have several: purposes often do. */
export interface StatementColumns {
  readonly names: readonly string[];
  readonly roles: ReadonlyMap<ColumnRole, readonly string[]>;
  /** By column: the currency that its name has. */
  readonly currencies: ReadonlyMap<string, string>;
  /** The same for all statements with these columns, which are of one bank. */
  readonly shape: string;
}

/** Tables of other things that also have days and amounts. */
const ELSEWHERE =
  /(?<!(?:konst|var|spec)\p{L}* )\bsymbol\b|\b(ticker|isin|shares|quantity|invoice|order (id|number|no)|sku|isbn|asset|activity id|calories|tax)\b/iu;
/** Cash App and Venmo, which have columns for such things beside their payments. */
const STILL_OURS = /^(name of sender\/receiver|amount \(total\))$/i;
/** Names of amounts that are as often names of something else, so that more must say that it is money. */
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
  // Beside a number of the bank's own, a reference is what somebody wrote.
  const references = roles.has('id') ? (roles.get('reference') ?? []) : [];
  if (references.length > 0) roles.set('memo', [...(roles.get('memo') ?? []), ...references]);
  if (references.length > 0) roles.delete('reference');
  // `Details` is a text, but where there is another it only repeats the kind of payment; `Description` beside a
  // `Description 1` is that of the account.
  const isLesser = (name: string) => /^details$/i.test(name) || header.includes(`${name} 1`);
  roles.get('memo')?.sort((a, b) => Number(isLesser(a)) - Number(isLesser(b)));
  const has = (...some: ColumnRole[]) => some.some((role) => roles.has(role));
  // What has no name of its own is called by its number.
  const named = header.filter((name) => name.trim() !== '' && !/^Column \d+$/.test(name));
  const isVague = (roles.get('amount') ?? []).every((name) => VAGUE.test(name)) && !has('debit', 'credit');
  const isStatement =
    has('date', 'paidOn', 'valueDate') &&
    has('amount', 'debit', 'credit') &&
    (!isVague || has('balance', 'currency', 'account', 'id')) &&
    has('payee', 'memo', 'payer', 'recipient', 'balance') &&
    (known >= 5 || known >= 0.6 * named.length) &&
    (named.some((name) => STILL_OURS.test(name)) ||
      !named.some((name) => ELSEWHERE.test(name.replaceAll('_', ' '))));
  if (!isStatement) return undefined;
  const shape = hashKey(...named.map((name) => name.trim().toLowerCase()).sort());
  return { names: header, roles, shape, currencies };
}

/**
 * Cards whose statements write what was bought without a minus. Nothing in the rows tells, so the columns of these
 * banks are known by name: American Express, Apple Card, Discover, PC Financial, Rakuten.
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

export const countsPurchasesUp = (columns: StatementColumns) => hasAnyOf(columns, CARDS);

/** Revolut, PayPal and Wise, which hold money in several currencies side by side, each with a balance of its own. */
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

/** The same columns, with some that look like the owner's account as that of the other side. */
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
