import { readDay } from '../../import/read/read-time.ts';
import { findCurrency, parseAmount } from './parse-amount.ts';

type Rows = readonly (readonly string[])[];

const MONEY = /^[-+(]?\s?\p{Sc}?\s?\d[\d.,'’ ]*[.,]\d\d\)?[-+]?(?: [A-Z]{3})?$/u;
const IBAN = /^[A-Z]{2}\d\d[A-Z0-9 ]*$/;
const SIGNED = /^[-+(]|[-+)]$/;

/**
 * Names the columns of a statement without a header, by their content: dates, amounts with two decimals, texts.
 * Returns undefined if the rows could be something else: debits must differ from credits by sign or column.
 */
export function nameHeadlessColumns(rows: Rows): readonly string[] | undefined {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ''));
  // The account and its balance may be above the payments.
  return nameColumns(filled) ?? nameColumns(filled.slice(1));
}

function nameColumns(body: Rows): readonly string[] | undefined {
  const width = Math.max(0, ...body.slice(0, 50).map((row) => row.length));
  if (body.length < 2 || width < 3) return undefined;
  const columns = Array.from({ length: width }, (_, index) => body.map((row) => row[index]?.trim() ?? ''));
  const find = (fits: (cell: string) => boolean, fewest: number) =>
    columns.flatMap((cells, index) => {
      const filled = cells.filter((cell) => cell !== '');
      const good = filled.filter(fits).length;
      return good >= 0.9 * filled.length && good >= fewest * body.length ? [index] : [];
    });
  const days = find(isDay, 0.9);
  const money = splitMoney(
    columns,
    find((cell) => MONEY.test(cell), 1 / body.length),
  );
  const texts = find((cell) => /\p{L}{2}/u.test(cell) && !isCurrency(cell) && !IBAN.test(cell), 0.5);
  if (days.length === 0 || money === undefined || texts.length === 0) return undefined;
  const names = columns.map((_, index) => `Column ${index + 1}`);
  const name = (index: number | undefined, as: string) => {
    if (index !== undefined) names[index] = as;
  };
  name(days[0], 'Date');
  name(days[1], 'Value Date');
  for (const [as, index] of Object.entries(money)) name(index, as);
  const length = (index: number) => (columns[index] ?? []).join('').length;
  const [memo, ...others] = [...texts].sort((a, b) => length(b) - length(a));
  name(memo, 'Description');
  // A second text is the counterparty if it is longer than the bank's payment codes.
  name(
    others.find((index) => length(index) >= 5 * body.length),
    'Payee',
  );
  name(find(isCurrency, 0.9)[0], 'Currency');
  const [iban] = find((cell) => IBAN.test(cell), 0.9).filter((index) => new Set(columns[index]).size === 1);
  name(iban, 'Account');
  return names;
}

const isCurrency = (cell: string) => cell.length === 3 && findCurrency(cell) === cell;

function isDay(cell: string): boolean {
  return /^\d/.test(cell.trim()) && cell.length <= 30 && readDay(cell) !== undefined;
}

/** Two amount columns of which one is always empty are debit and credit. A running amount is a balance. */
function splitMoney(
  columns: Rows,
  found: readonly number[],
): Partial<Record<'Amount' | 'Debit' | 'Credit' | 'Balance', number>> | undefined {
  const values = (index: number) => (columns[index] ?? []).map((cell) => parseAmount(cell)?.value);
  const pair = found.find((index, at) => {
    const [one, two] = [values(index), values(found[at + 1] ?? -1)];
    return (
      one.length === two.length &&
      one.every((value, row) => (value === undefined) !== (two[row] === undefined))
    );
  });
  if (pair !== undefined) {
    const next = found[found.indexOf(pair) + 1] as number;
    const rest = found.filter((index) => index !== pair && index !== next);
    return { Debit: pair, Credit: next, ...(rest.length === 0 ? {} : { Balance: rest.at(-1) as number }) };
  }
  const signed = found.filter((index) => columns[index]?.some((cell) => SIGNED.test(cell)));
  const running = (amount: number) =>
    found.filter((one) => one !== amount && runsOn(values(one), values(amount)));
  const amount =
    signed.find((index) => running(index).length > 0) ?? (signed.length === 1 ? signed[0] : undefined);
  if (amount === undefined) return undefined;
  const balance = running(amount).at(-1);
  return { Amount: amount, ...(balance === undefined ? {} : { Balance: balance }) };
}

/** Returns whether each balance differs from a neighbour by the amount of its row. */
function runsOn(
  balances: readonly (number | undefined)[],
  amounts: readonly (number | undefined)[],
): boolean {
  const steps = balances.slice(1).map((balance, at) => Math.abs((balance ?? 0) - (balances[at] ?? 0)));
  const fitting = steps.filter((step, at) =>
    [amounts[at], amounts[at + 1]].some((amount) => Math.abs(step - Math.abs(amount ?? 0)) < 0.006),
  );
  return steps.length > 0 && fitting.length >= 0.6 * steps.length;
}
