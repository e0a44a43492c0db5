import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { DayOrder } from '../../import/read/day-order.ts';
import { DecimalMarkCounter } from '../../import/read/decimal-mark.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readDay } from '../../import/read/read-time.ts';
import { parseAmount } from '../bank/parse-amount.ts';
import { declareSource, declareStream, hasMany, hasOne } from '../declare.ts';
import { makeNote, makeProblem, makeRecord, readEach } from '../files/import-items.ts';
import { readFileByFile } from '../files/recognise-files.ts';
import { dropEmpty } from '../values/json.ts';
import { type Cells, createCellFinder, isBlank, openTableWith } from '../values/table-cells.ts';
import { readYnabJson } from './ynab-json.ts';

const ynabDeclaration = declareSource('ynab', 'YNAB', [
  declareStream('accounts', 'Accounts', {
    description: 'Accounts of the budget with their balance.',
    detail: 'Your accounts with their balances.',
    isSensitive: true,
    view: { label: 'Name and kind', fields: ['id', 'name', 'kind'] },
    relations: [hasMany('transactions', 'transactions', 'account_id')],
    fields: {
      id: 'text',
      name: 'text, search',
      kind: 'text: checking, savings, creditCard, …',
      budget: 'text',
      currency: 'text',
      balance: 'number',
      cleared_balance: 'number',
      is_closed: 'flag',
      is_on_budget: 'flag',
      note: 'text, search',
    },
  }),
  declareStream('transactions', 'Transactions', {
    description: 'Money in and out, with payee and category; parts of a split are records of their own.',
    detail: 'What you spent and earned, with payee and category.',
    time: 'date',
    isSensitive: true,
    view: { label: 'Payee and amount', fields: ['id', 'date', 'payee', 'amount', 'currency'] },
    relations: [hasOne('account_record', 'accounts', 'account_id')],
    search: ['payee', 'memo', 'category', 'account'],
    fields: {
      id: 'text',
      account_id: 'text',
      account: 'text: Name of the account',
      budget: 'text',
      date: 'date',
      payee: 'text',
      category: 'text',
      category_group: 'text',
      memo: 'text',
      amount: 'number: Below zero for money out',
      currency: 'text',
      cleared: 'text: cleared, uncleared or reconciled',
      flag: 'text: Name or color',
      split_of: 'text: The transaction that this is a part of',
    },
  }),
  declareStream('scheduled_transactions', 'Planned transactions', {
    description: 'Transactions that are planned, once or again and again.',
    detail: 'What you plan to spend and to earn.',
    time: 'next_on',
    isSensitive: true,
    view: { label: 'Payee and amount', fields: ['id', 'next_on', 'payee', 'amount'] },
    search: ['payee', 'memo', 'category'],
    fields: {
      id: 'text',
      account_id: 'text',
      account: 'text: Name of the account',
      budget: 'text',
      next_on: 'date: The next day it is due',
      first_on: 'date: The first day it was due',
      frequency: 'text: never, monthly, every4Weeks, …',
      payee: 'text',
      category: 'text',
      category_group: 'text',
      memo: 'text',
      amount: 'number: Below zero for money out',
      currency: 'text',
    },
  }),
  declareStream('budgets', 'Budget', {
    description: 'What was budgeted and spent for each category in each month.',
    detail: 'How much you planned and spent for each category.',
    time: 'month',
    isSensitive: true,
    view: { label: 'Category and amounts', fields: ['id', 'month', 'category', 'budgeted'] },
    fields: {
      id: 'text',
      budget: 'text',
      month: 'date: First day of the month',
      category: 'text, search',
      category_group: 'text, search',
      budgeted: 'number',
      activity: 'number: Spent or earned',
      available: 'number: Left at the end of the month',
      currency: 'text',
    },
  }),
]);

const REGISTER = ['Account', 'Flag', 'Date', 'Payee', 'Memo', 'Outflow', 'Inflow', 'Cleared'];
const PLAN = ['Month', 'Category Group', 'Category', 'Activity', 'Available'];

export const ynabImporter: Importer = {
  format: 'ynab',
  title: 'YNAB',
  guide: {
    steps: [
      'Open your budget on app.ynab.com, click its name and choose “Export Plan”.',
      'Download the zip.',
    ],
    waiting: 'Immediately.',
  },
  identity: {
    transactions: ['account', 'date', 'payee', 'memo', 'amount', 'category', 'category_group'],
    budgets: ['month', 'category_group', 'category'],
  },
  ...readFileByFile(findReader),
  declare: async () => ynabDeclaration,
};

type Read = (options: ImportOptions) => AsyncIterable<ImportItem>;

async function findReader(file: InputFile): Promise<Read | undefined> {
  const head = await peekText(file);
  if (/^\s*\{/.test(head))
    return /"budget"\s*:\s*\{/.test(head) && /"(currency_format|date_format|accounts)"\s*:/.test(head)
      ? () => readYnabJson(file)
      : undefined;
  for (const [columns, read] of [
    [REGISTER, readTransaction],
    [PLAN, readPlanned],
  ] as const)
    if ((await openTableWith(file, columns)) !== undefined)
      return (options) => readRows(file, columns, read, options);
  return undefined;
}

interface Row {
  readonly get: (...names: readonly string[]) => string | undefined;
  readonly day: (name: string) => string | undefined;
  readonly amount: (name: string) => number | undefined;
  readonly currency: string | undefined;
}

type ReadRow = (row: Row) => { readonly stream: string; readonly data: Record<string, unknown> };

async function* readRows(
  file: InputFile,
  columns: readonly string[],
  read: ReadRow,
  options: ImportOptions,
): AsyncGenerator<ImportItem> {
  const survey = await surveyRows(file, columns);
  const { dayFirst, note } = survey.order.decide(options);
  if (note !== undefined) yield makeNote(file, note);
  const table = await openTableWith(file, columns);
  const find = createCellFinder(table?.columns ?? []);
  yield* readEach(file, table?.rows() ?? [], function* (row) {
    if (!isBlank(row.values)) {
      const get = (...names: readonly string[]) => find(row.values, ...names);
      const day = (name: string) =>
        readDay(get(name) ?? '', dayFirst === undefined ? {} : { dayFirst }) ?? readMonth(get(name));
      const amount = (name: string) => parseAmount(get(name) ?? '', survey.mark)?.value;
      const { stream, data } = read({ get, day, amount, currency: survey.currency });
      const place = `line ${row.line}`;
      if (data.date === undefined && data.month === undefined) yield makeProblem(file, 'has no date', place);
      else yield makeRecord(file, stream, dropEmpty(data), place);
    }
  });
}

/** Detects date order, decimal mark and currency, which single rows leave open. */
async function surveyRows(file: InputFile, columns: readonly string[]) {
  const order = new DayOrder();
  const marks = new DecimalMarkCounter();
  let currency: string | undefined;
  const table = await openTableWith(file, columns);
  for await (const row of table?.rows() ?? []) {
    if (row.kind === 'problem') continue;
    order.add(row.values.Date ?? '');
    for (const cell of listAmounts(row.values)) {
      marks.add(cell);
      currency ??= parseAmount(cell)?.currency;
    }
  }
  return { order, mark: marks.decide(), currency };
}

const listAmounts = (cells: Cells) =>
  ['Outflow', 'Inflow', 'Budgeted', 'Assigned', 'Activity', 'Available'].flatMap((name) => cells[name] ?? []);

const readTransaction: ReadRow = ({ get, day, amount, currency }) => ({
  stream: 'transactions',
  data: {
    account: get('Account'),
    date: day('Date'),
    payee: get('Payee'),
    category: get('Category'),
    category_group: get('Category Group'),
    memo: get('Memo'),
    // A refund makes the inflow negative.
    amount: Math.round(((amount('Inflow') ?? 0) - (amount('Outflow') ?? 0)) * 1_000) / 1_000,
    currency,
    cleared: get('Cleared')?.toLowerCase(),
    flag: get('Flag'),
  },
});

const readPlanned: ReadRow = ({ get, day, amount, currency }) => ({
  stream: 'budgets',
  data: {
    month: day('Month'),
    category: get('Category'),
    category_group: get('Category Group'),
    budgeted: amount('Budgeted') ?? amount('Assigned'),
    activity: amount('Activity'),
    available: amount('Available'),
    currency,
  },
});

/** `Aug 2023` is the first day of that month. */
function readMonth(text: string | undefined): string | undefined {
  return text === undefined ? undefined : readDay(`1 ${text}`);
}
