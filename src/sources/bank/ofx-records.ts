import { readDay, readTime } from '../../import/read/read-time.ts';
import { dropEmpty } from '../values/json.ts';
import { wordTable } from '../values/words.ts';
import { makeAccountId, nameAccount } from './account-book.ts';
import type { OfxPart } from './ofx-statement.ts';
import { parseAmount } from './parse-amount.ts';

const METHODS = wordTable(`INT=interest|DIV=dividend|FEE=fee|SRVCHG=fee|
  DEP=deposit|DIRECTDEP=deposit|ATM=cash|CASH=cash|POS=card|XFER=transfer|CHECK=check|
  DIRECTDEBIT=direct_debit`);
const KINDS: Record<string, string> = {
  CHECKING: 'checking',
  SAVINGS: 'savings',
  MONEYMRKT: 'money_market',
  CREDITLINE: 'credit_line',
};
const LABELS: Record<string, string> = {
  CCACCTFROM: 'Credit card',
  INVACCTFROM: 'Investment account',
};

const readOfxDay = (text: string | undefined) => readDay(text ?? '');

/** Returns the time if the file has a real one: with a zone, and not noon or midnight. */
function readBookingTime(text = ''): string | undefined {
  const isReal = text.includes('[') && !/^\d{8}(000000|120000)/.test(text);
  return isReal ? readTime(text, { timeZone: 'UTC' }) : undefined;
}

const amountOf = (values: OfxPart['values'], name: string) => parseAmount(values.get(name) ?? '')?.value;

export function readAccount(
  { name, values }: OfxPart,
  bank: string | undefined,
  currency: string | undefined,
) {
  const number = values.get('ACCTID');
  if (number === undefined) return undefined;
  const code = values.get('BANKID') ?? values.get('BROKERID');
  const kind = name === 'CCACCTFROM' ? 'credit_card' : name === 'INVACCTFROM' ? 'investment' : undefined;
  const type = values.get('ACCTTYPE')?.toUpperCase() ?? '';
  const label = bank ?? LABELS[name] ?? (KINDS[type] === 'savings' ? 'Savings' : 'Account');
  return {
    id: makeAccountId(code, number),
    name: nameAccount(label, number),
    kind: kind ?? KINDS[type] ?? 'other',
    account_number: number,
    ...dropEmpty({ currency, bank: bank ?? code }),
  } as { id: string; name: string; [field: string]: string };
}

export function readTransaction(values: OfxPart['values'], account: string, currency: string | undefined) {
  const date = readOfxDay(values.get('DTPOSTED')) ?? readOfxDay(values.get('DTUSER'));
  const amount = amountOf(values, 'TRNAMT');
  if (date === undefined || amount === undefined) return undefined;
  const name = values.get('NAME');
  const memo = values.get('MEMO');
  const type = values.get('TRNTYPE')?.toUpperCase();
  return dropEmpty({
    account_id: account,
    merchant: name ?? memo,
    description: name === undefined ? undefined : (values.get('EXTDNAME') ?? memo),
    date,
    booked_at: readBookingTime(values.get('DTPOSTED')),
    value_date: readOfxDay(values.get('DTAVAIL')),
    amount,
    currency: values.get('CURSYM') ?? currency,
    city: values.get('CITY'),
    method: METHODS[type ?? ''],
    type,
    status: 'booked',
    reference: values.get('FITID') ?? values.get('REFNUM'),
    check_number: values.get('CHECKNUM'),
  });
}

export function readTrade(
  { name, values }: OfxPart,
  account: string,
  currency: string | undefined,
  papers: ReadonlyMap<string, string>,
) {
  const paper = values.get('UNIQUEID');
  const date = readOfxDay(values.get('DTTRADE')) ?? readOfxDay(values.get('DTSETTLE'));
  if (date === undefined) return undefined;
  return dropEmpty({
    account_id: account,
    date,
    security: papers.get(paper ?? '') ?? paper ?? values.get('MEMO'),
    security_id: paper,
    action: (values.get('INCOMETYPE') ?? name.replace(/(DEBT|MF|OPT|OTHER|STOCK)$/, '')).toLowerCase(),
    quantity: amountOf(values, 'UNITS'),
    price: amountOf(values, 'UNITPRICE'),
    amount: amountOf(values, 'TOTAL'),
    commission: amountOf(values, 'COMMISSION'),
    currency: values.get('CURSYM') ?? currency,
    description: values.get('MEMO'),
  });
}

export function readHolding({ values }: OfxPart, account: string, currency: string | undefined) {
  const date = readOfxDay(values.get('DTPRICEASOF'));
  if (date === undefined) return undefined;
  return dropEmpty({
    account_id: account,
    date,
    security_id: values.get('UNIQUEID'),
    quantity: amountOf(values, 'UNITS'),
    price: amountOf(values, 'UNITPRICE'),
    amount: amountOf(values, 'MKTVAL'),
    currency: values.get('CURSYM') ?? currency,
  });
}

export function readBalance({ name, values }: OfxPart) {
  const amount = amountOf(values, 'BALAMT');
  const date = readOfxDay(values.get('DTASOF'));
  if (amount === undefined || date === undefined) return undefined;
  return { kind: name === 'AVAILBAL' ? 'available' : 'closing', amount, date };
}
