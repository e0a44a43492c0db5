import { dropEmpty } from '../values/drop-empty.ts';
import { wordTable } from '../values/words.ts';
import { type Account, type Balance, makeAccountId, nameAccount } from './account-book.ts';
import { IBAN, type Mt940Details } from './mt940-details.ts';

const METHODS = wordTable(`TRF=transfer|DDT=direct_debit|CHK=check|
  CHG=fee|COM=fee|INT=interest|DIV=dividend`);

/** `:25:`: an IBAN, a number, or both with the code of the bank, and perhaps the currency at the end. */
export function readMt940Account(text: string): Account | undefined {
  const [, written = '', currency] = /^(.*?\d)\s?([A-Z]{3})?$/.exec(text.trim()) ?? [];
  const [bank, number] = written.includes('/') ? written.split('/', 2) : [undefined, written];
  const plain = (number ?? '').replace(/\s/g, '');
  if (plain === '') return undefined;
  const iban = IBAN.test(plain) ? plain : undefined;
  const known = dropEmpty({ iban, account_number: iban === undefined ? plain : undefined, bank, currency });
  const id = makeAccountId(...(iban === undefined ? [bank, plain] : [iban]));
  return { id, name: nameAccount('Account', plain), kind: 'checking', ...(known as Record<string, string>) };
}

/** `:60F:C240115EUR100,5` */
export function readMt940Balance(text: string, kind: string): (Balance & { currency: string }) | undefined {
  const [, side, day, currency, amount] = /^([CD])(\d{6})([A-Z]{3})([\d.,]+)/.exec(text.trim()) ?? [];
  const [date, value] = [readShortDay(day), readAmount(amount)];
  if (date === undefined || value === undefined || currency === undefined) return undefined;
  return { kind, date, amount: side === 'D' && value !== 0 ? -value : value, currency };
}

const PAYMENT =
  /^(\d{6})(\d{4})?(R[CD]|E[CD]|[CD])([A-Z])?(\d[\d.,]*)(?:([NFS][A-Z0-9 ]{3}))?([^/]*(?:\/(?!\/)[^/]*)*)(?:\/\/(.*))?$/;

/** `:61:` and what is told about it: the day it counts from, the day it was booked, the side, the amount, its kind and numbers. */
export function readMt940Payment(
  [first = '', ...more]: readonly string[],
  details: Mt940Details,
): Record<string, unknown> | undefined {
  const [, day, booked, side = '', , digits, code, own, banks] = PAYMENT.exec(first.trim()) ?? [];
  const [valued, amount] = [readShortDay(day), readAmount(digits)];
  if (valued === undefined || amount === undefined) return undefined;
  // What takes back a credit takes money away.
  const isPaid = side === 'D' || side === 'ED' || side === 'RC';
  const beside = more.join(' ').trim();
  const { name, text, type, iban } = details;
  const words = text || (IBAN.test(beside) ? undefined : beside);
  const kind = code?.slice(1).trim();
  const reference = [details.reference, own?.trim(), banks?.trim()].find(
    (one) => one !== undefined && !/^(?:NONREF|[EK]REF\+?|)$/.test(one),
  );
  return dropEmpty({
    merchant: name || words || type,
    description: name ? words : undefined,
    date: booked === undefined ? valued : nearDay(valued, booked),
    value_date: valued,
    amount: isPaid && amount !== 0 ? -amount : amount,
    method: METHODS[kind ?? ''],
    type: type || kind,
    status: side.startsWith('E') ? 'pending' : 'booked',
    reference,
    counterparty_iban: iban || (IBAN.test(beside) ? beside : undefined),
  });
}

const readAmount = (text: string | undefined) =>
  text === undefined ? undefined : Number(text.replace(/\.(?=.*,)/g, '').replace(',', '.')) || 0;

/** `240115`. Interest is counted in months of thirty days, so that there is a 30th of February. */
function readShortDay(text: string | undefined): string | undefined {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(text ?? '') ?? [];
  const [full, number] = [Number(year) + (Number(year) < 80 ? 2_000 : 1_900), Number(month)];
  if (day === undefined || number < 1 || number > 12 || Number(day) < 1 || Number(day) > 31) return undefined;
  const last = new Date(Date.UTC(full, number, 0)).getUTCDate();
  return `${full}-${month}-${String(Math.min(Number(day), last)).padStart(2, '0')}`;
}

/** The day of booking has no year: it is the one nearest to the other day. */
function nearDay(valued: string, booked: string): string {
  const years = [-1, 0, 1].map((more) => String(Number(valued.slice(0, 4)) + more).slice(2));
  const days = years.flatMap((year) => readShortDay(`${year}${booked}`) ?? []);
  const gap = (day: string) => Math.abs(Date.parse(day) - Date.parse(valued));
  return days.sort((a, b) => gap(a) - gap(b))[0] ?? valued;
}
