import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { DayOrder } from '../../import/read/day-order.ts';
import { DecimalMarkCounter } from '../../import/read/decimal-mark.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readDay } from '../../import/read/read-time.ts';
import { parseAmount } from '../bank/parse-amount.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import { makeNote, makeProblem, makeRecord, readEach } from '../files/yielded.ts';
import { dropEmpty } from '../values/json.ts';
import { type Cells, createCellFinder, isBlank, openTableWith } from '../values/table-cells.ts';
import { ynabDeclaration } from './ynab-declaration.ts';
import { readYnabJson } from './ynab-json.ts';

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
    waiting: 'At once.',
  },
  identity: {
    transactions: ['account', 'date', 'payee', 'memo', 'amount', 'category', 'category_group'],
    budgets: ['month', 'category_group', 'category'],
  },
  recognise: (files) => recogniseFiles(files, async (file) => (await findReader(file)) !== undefined),
  declare: async () => ynabDeclaration,
  async *read({ files }, options) {
    for (const file of files) yield* (await findReader(file))?.(options) ?? [];
  },
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

/** How the file writes days and amounts, which single rows leave open. */
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
    // Less than nothing flows in where money that was spent comes back.
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

/** `Aug 2023` as the first day of that month. */
function readMonth(text: string | undefined): string | undefined {
  return text === undefined ? undefined : readDay(`1 ${text}`);
}
