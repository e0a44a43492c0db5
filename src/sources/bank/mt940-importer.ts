import type { ImportItem, InputFile } from '../../import/importer.ts';
import { makeProblem, makeRecord } from '../files/import-items.ts';
import { dropEmpty } from '../values/json.ts';
import { createKeyGuard } from '../values/unique-key.ts';
import { wordTable } from '../values/words.ts';
import { type Account, type AccountBook, type Balance, makeAccountId, nameAccount } from './account-book.ts';
import { defineBankImporter, recogniseByNumber } from './bank-importer.ts';
import { IBAN, type Mt940Details, readMt940Details } from './mt940-details.ts';
import { type Mt940Field, readMt940Fields } from './mt940-fields.ts';

export const mt940Importer = defineBankImporter({
  format: 'mt940',
  title: 'Bank statement (MT940)',
  guide: {
    steps: [
      'Sign in at your bank and open Statements, Documents or Export.',
      'Choose MT940 (also called SWIFT or STA) and the period.',
    ],
    waiting: 'Immediately.',
    choose: 'CAMT.053, if available: it has more details of each payment.',
  },
  recognise: (files) => recogniseByNumber(files, (head) => ACCOUNT.test(head) && MONEY.test(head), NUMBER),
  read,
});

const ACCOUNT = /(?:^|[\r\n])\s*:25[A-Z]?:/;
const NUMBER = /(?:^|[\r\n])\s*:25[A-Z]?:([^\r\n]+)/g;
const MONEY = /[\r\n]\s*:(?:60[FM]:[CD]\d{6}[A-Z]{3}\d|61:\d{6}(?:\d{4})?(?:R[CD]|E[CD]|[CD]))/;
/** Balances that are stored. Intermediate ones (60M, 62M) are left out: every page of a statement repeats them. */
const BALANCES: Readonly<Record<string, string>> = { '60F': 'opening', '62F': 'closing', 64: 'available' };

async function* read(files: readonly InputFile[], book: AccountBook): AsyncGenerator<ImportItem> {
  const takeKey = createKeyGuard();
  for (const file of files) {
    const statement = new Statement(file, book, takeKey);
    for await (const field of readMt940Fields(file)) yield* statement.take(field);
    yield* statement.finish();
  }
}

/** Handles the fields in order: the account precedes its payments, and details follow their payment. */
class Statement {
  readonly #file: InputFile;
  readonly #book: AccountBook;
  readonly #takeKey: (key: string) => string | undefined;
  #account: string | undefined;
  #currency: string | undefined;
  #payment: Mt940Field | undefined;
  #details: Mt940Details = {};

  constructor(file: InputFile, book: AccountBook, takeKey: (key: string) => string | undefined) {
    this.#file = file;
    this.#book = book;
    this.#takeKey = takeKey;
  }

  *take(field: Mt940Field): Generator<ImportItem> {
    if ((field.tag === '86' || field.tag === 'NS') && this.#payment !== undefined) {
      this.#details = readMt940Details(field);
      return;
    }
    yield* this.finish();
    const first = field.lines[0] ?? '';
    if (field.tag === '61') this.#payment = field;
    else if (/^25/.test(field.tag)) {
      const account = readMt940Account(first);
      if (account !== undefined) this.#book.add(account);
      [this.#account, this.#currency] = [account?.id, account?.currency as string | undefined];
    } else if (/^(?:60|62|64)/.test(field.tag)) yield* this.#readBalance(field, first);
  }

  /** Yields the current payment once its details are complete. */
  *finish(): Generator<ImportItem> {
    const [payment, account, file] = [this.#payment, this.#account, this.#file];
    if (payment === undefined) return;
    const found = readMt940Payment(payment.lines, this.#details);
    this.#payment = undefined;
    this.#details = {};
    const place = `line ${payment.line}`;
    if (found === undefined) yield makeProblem(file, 'has no date or no amount', place);
    else if (account === undefined) yield makeProblem(file, 'comes before its account', place);
    else {
      const account_name = this.#book.nameOf(account);
      const currency = this.#currency === undefined ? {} : { currency: this.#currency };
      const data = { account_id: account, account_name, ...found, ...currency };
      yield makeRecord(file, 'transactions', data, place);
    }
  }

  *#readBalance({ tag, line }: Mt940Field, text: string): Generator<ImportItem> {
    const [account, file, place] = [this.#account, this.#file, `line ${line}`];
    const balance = readMt940Balance(text, BALANCES[tag] ?? 'interim');
    if (balance === undefined || account === undefined)
      return yield makeProblem(file, 'has no date, amount or account', place);
    this.#currency = balance.currency;
    this.#book.add({
      id: account,
      name: this.#book.nameOf(account) ?? 'Account',
      currency: balance.currency,
    });
    const id = this.#takeKey(`${account}-${balance.date}-${balance.kind}`);
    if (BALANCES[tag] === undefined || id === undefined) return;
    this.#book.addBalance(account, balance);
    yield makeRecord(file, 'balances', { id, account_id: account, ...balance }, place);
  }
}

const METHODS = wordTable(`TRF=transfer|DDT=direct_debit|CHK=check|
  CHG=fee|COM=fee|INT=interest|DIV=dividend`);

/** `:25:`: an IBAN, a number, or a bank code with a number, and perhaps a currency at the end. */
function readMt940Account(text: string): Account | undefined {
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
function readMt940Balance(text: string, kind: string): (Balance & { currency: string }) | undefined {
  const [, side, day, currency, amount] = /^([CD])(\d{6})([A-Z]{3})([\d.,]+)/.exec(text.trim()) ?? [];
  const [date, value] = [readShortDay(day), readAmount(amount)];
  if (date === undefined || value === undefined || currency === undefined) return undefined;
  return { kind, date, amount: side === 'D' && value !== 0 ? -value : value, currency };
}

const PAYMENT =
  /^(\d{6})(\d{4})?(R[CD]|E[CD]|[CD])([A-Z])?(\d[\d.,]*)(?:([NFS][A-Z0-9 ]{3}))?([^/]*(?:\/(?!\/)[^/]*)*)(?:\/\/(.*))?$/;

/** Parses `:61:` with its details: value date, booking date, direction, amount, type and references. */
function readMt940Payment(
  [first = '', ...more]: readonly string[],
  details: Mt940Details,
): Record<string, unknown> | undefined {
  const [, day, booked, side = '', , digits, code, ownReference, bankReference] =
    PAYMENT.exec(first.trim()) ?? [];
  const [valued, amount] = [readShortDay(day), readAmount(digits)];
  if (valued === undefined || amount === undefined) return undefined;
  // Reversing a credit takes money away.
  const isDebit = side === 'D' || side === 'ED' || side === 'RC';
  const supplement = more.join(' ').trim();
  const { name, text, type, iban } = details;
  const words = text || (IBAN.test(supplement) ? undefined : supplement);
  const kind = code?.slice(1).trim();
  const reference = [details.reference, ownReference?.trim(), bankReference?.trim()].find(
    (one) => one !== undefined && !/^(?:NONREF|[EK]REF\+?|)$/.test(one),
  );
  return dropEmpty({
    merchant: name || words || type,
    description: name ? words : undefined,
    date: booked === undefined ? valued : toBookingDay(valued, booked),
    value_date: valued,
    amount: isDebit && amount !== 0 ? -amount : amount,
    method: METHODS[kind ?? ''],
    type: type || kind,
    status: side.startsWith('E') ? 'pending' : 'booked',
    reference,
    counterparty_iban: iban || (IBAN.test(supplement) ? supplement : undefined),
  });
}

const readAmount = (text: string | undefined) =>
  text === undefined ? undefined : Number(text.replace(/\.(?=.*,)/g, '').replace(',', '.')) || 0;

/** Parses `240115`. Banks that count 30 days a month write 30 February, which becomes the last day of the month. */
function readShortDay(text: string | undefined): string | undefined {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(text ?? '') ?? [];
  const [full, number] = [Number(year) + (Number(year) < 80 ? 2_000 : 1_900), Number(month)];
  if (day === undefined || number < 1 || number > 12 || Number(day) < 1 || Number(day) > 31) return undefined;
  const last = new Date(Date.UTC(full, number, 0)).getUTCDate();
  return `${full}-${month}-${String(Math.min(Number(day), last)).padStart(2, '0')}`;
}

/** The booking date has no year: the year nearest to the value date is used. */
function toBookingDay(valued: string, booked: string): string {
  const years = [-1, 0, 1].map((more) => String(Number(valued.slice(0, 4)) + more).slice(2));
  const days = years.flatMap((year) => readShortDay(`${year}${booked}`) ?? []);
  const gap = (day: string) => Math.abs(Date.parse(day) - Date.parse(valued));
  return days.sort((a, b) => gap(a) - gap(b))[0] ?? valued;
}
