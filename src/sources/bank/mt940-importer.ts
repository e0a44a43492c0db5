import type { InputFile, Yielded } from '../../import/importer.ts';
import { makeProblem, makeRecord } from '../files/yielded.ts';
import { createKeyGuard } from '../values/unique-key.ts';
import type { AccountBook } from './account-book.ts';
import { defineBankImporter, recogniseByNumber } from './bank-importer.ts';
import { type Mt940Details, readMt940Details } from './mt940-details.ts';
import { type Mt940Field, readMt940Fields } from './mt940-fields.ts';
import { readMt940Account, readMt940Balance, readMt940Payment } from './mt940-records.ts';

export const mt940Importer = defineBankImporter({
  format: 'mt940',
  title: 'Bank statement (MT940)',
  guide: {
    steps: [
      'Sign in at your bank and open Statements, Documents or Export.',
      'Choose MT940 (also called SWIFT or STA) and the period.',
    ],
    waiting: 'At once.',
    choose: 'CAMT.053, if it is offered too: it says more of each payment.',
  },
  recognise: (files) => recogniseByNumber(files, (head) => ACCOUNT.test(head) && MONEY.test(head), NUMBER),
  read,
});

const ACCOUNT = /(?:^|[\r\n])\s*:25[A-Z]?:/;
const NUMBER = /(?:^|[\r\n])\s*:25[A-Z]?:([^\r\n]+)/g;
const MONEY = /[\r\n]\s*:(?:60[FM]:[CD]\d{6}[A-Z]{3}\d|61:\d{6}(?:\d{4})?(?:R[CD]|E[CD]|[CD]))/;
/** What is on the account in between is told on every page of a statement. */
const BALANCES: Readonly<Record<string, string>> = { '60F': 'opening', '62F': 'closing', 64: 'available' };

async function* read(files: readonly InputFile[], book: AccountBook): AsyncGenerator<Yielded> {
  const takeKey = createKeyGuard();
  for (const file of files) {
    const statement = new Statement(file, book, takeKey);
    for await (const field of readMt940Fields(file)) yield* statement.take(field);
    yield* statement.finish();
  }
}

/** The fields of a file as they come: the account before its payments, and what is told of a payment after it. */
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

  *take(field: Mt940Field): Generator<Yielded> {
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

  /** Gives out the payment that was waiting for what is told about it. */
  *finish(): Generator<Yielded> {
    const [payment, account, file] = [this.#payment, this.#account, this.#file];
    if (payment === undefined) return;
    const found = readMt940Payment(payment.lines, this.#details);
    this.#payment = undefined;
    this.#details = {};
    const place = `line ${payment.line}`;
    if (found === undefined) yield makeProblem(file, 'lacks a day or an amount', place);
    else if (account === undefined) yield makeProblem(file, 'stands before its account', place);
    else {
      const account_name = this.#book.nameOf(account);
      const currency = this.#currency === undefined ? {} : { currency: this.#currency };
      const data = { account_id: account, account_name, ...found, ...currency };
      yield makeRecord(file, 'transactions', data, place);
    }
  }

  *#readBalance({ tag, line }: Mt940Field, text: string): Generator<Yielded> {
    const [account, file, place] = [this.#account, this.#file, `line ${line}`];
    const balance = readMt940Balance(text, BALANCES[tag] ?? 'interim');
    if (balance === undefined || account === undefined)
      return yield makeProblem(file, 'lacks a day, an amount or its account', place);
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
