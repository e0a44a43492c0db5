import type { ImportItem, ImportOptions, InputFile, Recognised } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { openTable, type Table } from '../../import/read/read-table.ts';
import { sniffTable, splitRows } from '../../import/read/sniff-table.ts';
import { makeNote, makeProblem, readEach } from '../files/import-items.ts';
import { type AccountBook, makeAccountId, nameAccount } from './account-book.ts';
import { IBAN } from './account-columns.ts';
import { defineBankImporter } from './bank-importer.ts';
import { groupByAccount, type StatementFile } from './group-statements.ts';
import { nameHeadlessColumns } from './headless-statement.ts';
import {
  findStatementColumns,
  hasPositivePurchases,
  moveAccounts,
  type StatementColumns,
} from './statement-columns.ts';
import { createRowReader } from './statement-row.ts';
import { surveyStatement } from './survey-statement.ts';

export const bankCsvImporter = defineBankImporter({
  format: 'bank-csv',
  title: 'Bank statement (CSV)',
  guide: {
    steps: [
      'Sign in at your bank, PayPal, Wise or Revolut and open the account.',
      'Look for Export, Download or Statement, and choose CSV.',
    ],
    waiting: 'Immediately; PayPal takes a few minutes.',
    choose:
      'OFX or CAMT.053, if available: a CSV has no payment ids. Otherwise all columns and a long period.',
  },
  recognise,
  read,
});

const openStatement = async (
  file: InputFile,
): Promise<{ table: Table; columns: StatementColumns } | undefined> => {
  const table =
    (await openTable(file, { isHeader: (cells) => findStatementColumns(cells) !== undefined })) ??
    (await openHeadless(file));
  const columns = table === undefined ? undefined : findStatementColumns(table.columns);
  return table === undefined || columns === undefined ? undefined : { table, columns };
};

async function openHeadless(file: InputFile): Promise<Table | undefined> {
  const head = await peekText(file);
  const sniffed = /^\s*[[{<]/.test(head) ? undefined : sniffTable(head);
  if (sniffed === undefined || !sniffed.isHeadless) return undefined;
  const { delimiter } = sniffed;
  const columns = nameHeadlessColumns(splitRows(head, delimiter));
  return columns === undefined ? undefined : openTable(file, { delimiter, columns });
}

/** Statements with the same columns are from one bank. Another number above the columns is another account. */
async function recognise(files: readonly InputFile[]): Promise<readonly Recognised[]> {
  const banks = new Map<string, StatementFile[]>();
  for (const file of files) {
    const statement = await openStatement(file);
    if (statement === undefined) continue;
    const { shape } = statement.columns;
    const iban = findIban(await peekText(file), statement.table.columns);
    const numbers = iban === undefined ? [] : [makeAccountId(iban)];
    banks.set(shape, [...(banks.get(shape) ?? []), { file, accountNumbers: numbers }]);
  }
  return [...banks.values()].flatMap((own) =>
    groupByAccount(own).map((some): Recognised => ({ files: some, certainty: 'likely' })),
  );
}

async function* read(
  files: readonly InputFile[],
  book: AccountBook,
  options: ImportOptions,
): AsyncGenerator<ImportItem> {
  for (const file of files) {
    const statement = await openStatement(file);
    if (statement === undefined) yield makeProblem(file, 'has no date, amount and text columns');
    else yield* readStatement(file, statement, book, options);
  }
}

async function* readStatement(
  file: InputFile,
  { table, columns }: { table: Table; columns: StatementColumns },
  book: AccountBook,
  options: ImportOptions,
): AsyncGenerator<ImportItem> {
  const iban = findIban(await peekText(file), table.columns);
  const reading = await surveyStatement(table, columns, options, iban);
  for (const note of reading.notes) yield makeNote(file, note);
  const own = moveAccounts(columns, reading.otherAccounts);
  const findAccount = createAccountFinder(own, iban, reading.isByCurrency);
  const findLegacyAccount = createAccountFinder(columns, iban, false);
  const readRow = createRowReader(own, reading, options);
  const balanceOn = new Map<string, string>();
  let sums = 0;
  yield* readEach(file, table.rows(), function* (row) {
    if (Object.values(row.values).every((cell) => cell.trim() === '')) return;
    const place = `line ${row.line}`;
    if (Object.values(row.values).some((cell) => SUMS.test(cell.trim()))) {
      sums += 1;
      return;
    }
    const read = readRow(row.values);
    if (read === undefined) return yield makeProblem(file, 'has no date or no amount', place);
    const { data, legacyData } = read;
    const { date, balance, currency } = data as { date: string; balance?: number; currency?: string };
    const account = findAccount(row.values, currency);
    const legacyId = findLegacyAccount(row.values, undefined).id;
    book.add({ ...account, ...(currency === undefined ? {} : { currency }) });
    // The newest row of a day is first or last, depending on the order of the file.
    const isOlder = reading.newestFirst && balanceOn.get(account.id) === date;
    if (balance !== undefined && !isOlder) {
      book.addBalance(account.id, { kind: 'closing', amount: balance, date });
      balanceOn.set(account.id, date);
    }
    yield {
      kind: 'record',
      stream: 'transactions',
      data: { account_id: account.id, account_name: account.name, ...data },
      legacyData: { ...legacyData, account_id: legacyId },
      place,
      file,
    };
  });
  if (sums > 0) yield makeNote(file, `${sums} rows are balances or totals, not payments`);
}

/** Banks of the Baltic states write balances and totals as rows among the payments. */
const SUMS =
  /^(?:likutis (?:pradžiai|pabaigai)|apyvarta|algsaldo|lõppsaldo|käive|sākuma atlikums|beigu atlikums|apgrozījums)$/i;

/** Banks that name the account above the columns write its IBAN. */
function findIban(head: string, columns: readonly string[]): string | undefined {
  const header = head.indexOf(columns[0] ?? '');
  return header <= 0 ? undefined : IBAN.exec(head.slice(0, header))?.[0];
}

/**
 * Finds the account of a row: by its own columns, then by the text above the table, then one account for all
 * statements of this layout. Each currency is a separate account with its own balance.
 */
function createAccountFinder(columns: StatementColumns, iban: string | undefined, isByCurrency: boolean) {
  const names = columns.roles.get('account') ?? [];
  const kind = hasPositivePurchases(columns) ? 'credit_card' : 'other';
  return (values: Readonly<Record<string, string>>, currency: string | undefined) => {
    const cells = names.map((name) => values[name]?.trim() ?? '').filter((cell) => cell !== '');
    const own = cells.find((cell) => IBAN.test(cell)) ?? (cells.length === 0 ? iban : undefined);
    const wallet = isByCurrency && currency !== undefined ? [currency] : [];
    if (own !== undefined)
      return {
        id: makeAccountId(own, ...wallet),
        name: [nameAccount('Account', own), ...wallet].join(' '),
        kind,
        iban: own,
      };
    const name = cells.find((cell) => !/\d{4}/.test(cell));
    const number = cells.find((cell) => /\d{4}/.test(cell));
    return {
      id: makeAccountId(columns.shape, ...cells, ...wallet),
      name: [name ?? nameAccount('Account', cells[0]), ...wallet].join(' '),
      kind,
      ...(number === undefined ? {} : { account_number: number }),
    };
  };
}
