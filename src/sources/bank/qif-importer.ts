import type { ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { DayOrder } from '../../import/read/day-order.ts';
import { DecimalMarkCounter } from '../../import/read/decimal-mark.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readTextLines } from '../../import/read/read-lines.ts';
import { readDay } from '../../import/read/read-time.ts';
import { makeNote, makeProblem, makeRecord } from '../files/import-items.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import { dropEmpty } from '../values/json.ts';
import { type AccountBook, makeAccountId } from './account-book.ts';
import { defineBankImporter } from './bank-importer.ts';
import { findField, normaliseDate, type QifEntry, readQifEntries } from './qif-entries.ts';
import { QIF_ACCOUNTS, type QifReading, readAmount, readInvestment, readPayment } from './qif-records.ts';

export const qifImporter = defineBankImporter({
  format: 'qif',
  title: 'Bank statement (QIF)',
  guide: {
    steps: [
      'Sign in at your bank, or open Quicken or GnuCash, and open the account.',
      'Choose Export or Download, and QIF (Quicken Interchange Format).',
    ],
    waiting: 'Immediately.',
    choose: 'OFX, if available: QIF has no transaction ids and no currency.',
  },
  recognise: (files) => recogniseFiles(files, async (file) => HEADLINE.test(await peekText(file))),
  read,
});

const HEADLINE = /^\s*!\s*(type\s*:|account\b|option\s*:|clear\s*:)/i;

async function* read(
  files: readonly InputFile[],
  book: AccountBook,
  options: ImportOptions,
): AsyncGenerator<ImportItem> {
  for (const file of files) {
    const { reading, note } = await findReading(file, options);
    if (note !== undefined) yield makeNote(file, note);
    yield* readFile(file, book, reading);
  }
}

/** Reads all dates and amounts first: the last of them may decide the date order and the decimal mark. */
async function findReading(
  file: InputFile,
  options: ImportOptions,
): Promise<{ reading: QifReading; note?: string }> {
  const order = new DayOrder();
  const marks = new DecimalMarkCounter();
  for await (const entry of readQifEntries(readTextLines(file))) {
    if (QIF_ACCOUNTS[entry.section] === undefined) continue;
    for (const [code, value] of entry.fields) {
      if (code === 'D') order.add(normaliseDate(value));
      if (code === 'T' || code === '$') marks.add(value);
    }
  }
  const { dayFirst, note } = order.decide(options);
  const reading = {
    mark: marks.decide(),
    readDay: (text: string) => readDay(normaliseDate(text), { dayFirst }),
  };
  return { reading, ...(note === undefined ? {} : { note }) };
}

async function* readFile(
  file: InputFile,
  book: AccountBook,
  reading: QifReading,
): AsyncGenerator<ImportItem> {
  let named: QifEntry | undefined;
  let skipped = 0;
  for await (const entry of readQifEntries(readTextLines(file))) {
    const place = `line ${entry.line}`;
    if (entry.section === 'account') {
      named = entry;
      addAccount(entry, book, reading);
    } else if (entry.section === 'security') {
      const name = findField(entry, 'N');
      if (name === undefined) continue;
      const data = dropEmpty({ id: name, name, ticker: findField(entry, 'S') });
      yield makeRecord(file, 'securities', data, place);
    } else if (QIF_ACCOUNTS[entry.section] === undefined) {
      skipped += 1;
    } else {
      const account = addSection(entry.section, named, book);
      const isTrade = QIF_ACCOUNTS[entry.section]?.kind === 'investment';
      const data = (isTrade ? readInvestment : readPayment)(entry, account, reading);
      if (!entry.isWhole) yield makeProblem(file, 'has no end mark; it may be cut off', place);
      if (data === undefined) yield makeProblem(file, 'has no date or no amount', place);
      else if (isTrade) yield makeRecord(file, 'trades', data, place);
      else {
        const named = { ...data, account_name: book.nameOf(account) };
        yield makeRecord(file, 'transactions', named, place);
      }
    }
  }
  if (skipped === 0) return;
  const reason = `${skipped} entries of lists (categories, prices and the like) are not payments and were skipped`;
  yield makeProblem(file, reason);
}

function addAccount(entry: QifEntry, book: AccountBook, { mark, readDay }: QifReading): void {
  const name = findField(entry, 'N');
  if (name === undefined) return;
  const id = makeAccountId('qif', name);
  const kind = QIF_ACCOUNTS[findField(entry, 'T')?.toLowerCase() ?? '']?.kind ?? 'other';
  book.add({ id, name, kind });
  const amount = readAmount(findField(entry, '$'), mark);
  const date = readDay(findField(entry, '/') ?? '');
  if (amount !== undefined && date !== undefined) book.addBalance(id, { kind: 'closing', amount, date });
}

/** Payments without a named account belong to an account named after its type. */
function addSection(section: string, named: QifEntry | undefined, book: AccountBook): string {
  const { kind, name: usual } = QIF_ACCOUNTS[section] as { kind: string; name: string };
  const isOwn = named !== undefined && (findField(named, 'T')?.toLowerCase() ?? section) === section;
  const name = (isOwn ? findField(named, 'N') : undefined) ?? usual;
  const account = { id: makeAccountId('qif', name), name, kind };
  book.add(account);
  return account.id;
}
