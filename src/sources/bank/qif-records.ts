import type { DecimalMark } from '../../import/read/decimal-mark.ts';
import { dropEmpty } from '../values/json.ts';
import { parseAmount } from './parse-amount.ts';
import { findField, type QifEntry } from './qif-entries.ts';

export interface QifReading {
  readonly mark: DecimalMark;
  readonly readDay: (text: string) => string | undefined;
}

/** Sections that hold payments, with the type of their account. */
export const QIF_ACCOUNTS: Readonly<Record<string, { kind: string; name: string }>> = {
  bank: { kind: 'checking', name: 'Bank account' },
  cash: { kind: 'cash', name: 'Cash' },
  ccard: { kind: 'credit_card', name: 'Credit card' },
  'oth a': { kind: 'asset', name: 'Asset' },
  'oth l': { kind: 'loan', name: 'Loan' },
  invst: { kind: 'investment', name: 'Investment account' },
  port: { kind: 'investment', name: 'Investment account' },
  invoice: { kind: 'other', name: 'Invoices' },
};

export function readPayment(entry: QifEntry, account: string, { mark, readDay }: QifReading) {
  const date = readDay(findField(entry, 'D') ?? '');
  const amount = readAmount(findField(entry, 'T', 'U'), mark);
  if (date === undefined || amount === undefined) return undefined;
  const number = findField(entry, 'N');
  const category = findField(entry, 'L');
  const [payee, memo] = [findField(entry, 'P'), findField(entry, 'M')];
  const isCheck = number !== undefined && /^\d+$/.test(number);
  return dropEmpty({
    account_id: account,
    merchant: payee ?? memo,
    description: payee === undefined ? undefined : memo,
    category: category?.startsWith('[') ? undefined : category,
    method: category?.startsWith('[') ? 'transfer' : isCheck ? 'check' : undefined,
    type: isCheck ? undefined : number,
    date,
    amount,
    status: 'booked',
    check_number: isCheck ? number : undefined,
    splits: readSplits(entry, mark),
    other_columns: readRest(entry, category),
  });
}

/** Where a transfer went, its cleared status, and the address on a cheque. */
function readRest(entry: QifEntry, category: string | undefined): Record<string, string> | undefined {
  const rest = dropEmpty({
    Transfer: /^\[(.+)\]/.exec(category ?? '')?.[1],
    Cleared: findField(entry, 'C'),
    Address: entry.fields.flatMap(([code, value]) => (code === 'A' ? [value] : [])).join('\n'),
  }) as Record<string, string>;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

export function readInvestment(entry: QifEntry, account: string, { mark, readDay }: QifReading) {
  const date = readDay(findField(entry, 'D') ?? '');
  if (date === undefined) return undefined;
  const action = findField(entry, 'N');
  const amount = readAmount(findField(entry, 'T', 'U', '$'), mark);
  const isPaid = /^(buy|cvrshrt|reinv|misc_?exp|margint|xout|withdrw)/i.test(action ?? '');
  const security = findField(entry, 'Y');
  return dropEmpty({
    account_id: account,
    date,
    security: security ?? findField(entry, 'P'),
    security_id: security,
    action: action?.toLowerCase(),
    quantity: readAmount(findField(entry, 'Q'), mark),
    price: readAmount(findField(entry, 'I'), mark),
    amount: amount !== undefined && isPaid ? -Math.abs(amount) : amount,
    commission: readAmount(findField(entry, 'O'), mark),
    description: findField(entry, 'M') ?? findField(entry, 'P'),
  });
}

function readSplits(entry: QifEntry, mark: DecimalMark): Record<string, unknown>[] {
  const splits: Record<string, unknown>[] = [];
  for (const [code, value] of entry.fields) {
    if (code === 'S') splits.push({ category: value });
    const last = splits.at(-1);
    if (last === undefined) continue;
    if (code === 'E') last.description = value;
    if (code === '$') last.amount = readAmount(value, mark);
  }
  return splits.map(dropEmpty);
}

export function readAmount(text: string | undefined, mark: DecimalMark): number | undefined {
  return text === undefined ? undefined : parseAmount(text, mark)?.value;
}
