import type { Importer, ImportOptions, InputFile, Yielded } from '../../import/importer.ts';
import type { Table } from '../../import/read/read-table.ts';
import { readTime } from '../../import/read/read-time.ts';
import { recogniseFiles } from '../files/find-own.ts';
import { makeProblem, makeRecord, readEach } from '../files/yielded.ts';
import { dropEmpty } from '../values/drop-empty.ts';
import {
  type Cells,
  cellInteger,
  cellNumber,
  createCellFinder,
  isBlank,
  openTableWith,
} from '../values/table-cells.ts';
import { amazonDeclaration } from './amazon-declaration.ts';

/** Columns of the export of today, of the reports before it, and of what people make of them. */
const MARKS = [
  ['Order ID', 'Order Date', 'ASIN', 'Product Name'],
  ['Order ID', 'Order Date', 'ASIN/ISBN', 'Title'],
  ['Order ID', 'Order Date', 'Item ASIN', 'Item Title'],
];

export const amazonImporter: Importer = {
  format: 'amazon',
  title: 'Amazon orders',
  guide: {
    steps: [
      'Open amazon.com/hz/privacy-central/data-requests/preview.html (or your country’s) and choose “Your Orders”.',
      'Confirm in the mail that comes, wait for the second mail and download the zip.',
    ],
    waiting: 'Some days.',
  },
  identity: { order_items: ['order_id', 'asin', 'title'] },
  recognise: (files) => recogniseFiles(files, async (file) => (await openOrders(file)) !== undefined),
  declare: async () => amazonDeclaration,
  async *read({ files }, options) {
    for (const file of files) {
      const table = await openOrders(file);
      if (table !== undefined) yield* readOrders(file, table, options);
    }
  },
};

async function openOrders(file: InputFile): Promise<Table | undefined> {
  for (const marks of MARKS) {
    const table = await openTableWith(file, marks);
    if (table !== undefined) return table;
  }
  return undefined;
}

async function* readOrders(file: InputFile, table: Table, options: ImportOptions): AsyncGenerator<Yielded> {
  const find = createCellFinder(table.columns);
  yield* readEach(file, table.rows(), function* (row) {
    if (!isBlank(row.values)) {
      const place = `line ${row.line}`;
      const data = readItem(row.values, find, options);
      if (data.title === undefined) yield makeProblem(file, 'names no article', place);
      else yield makeRecord(file, 'order_items', dropEmpty(data), place);
    }
  });
}

function readItem(
  cells: Cells,
  find: ReturnType<typeof createCellFinder>,
  options: ImportOptions,
): Record<string, unknown> {
  // Amazon writes what it does not know as a word.
  const get = (...names: readonly string[]) => {
    const cell = find(cells, ...names);
    return cell === 'Not Available' || cell === 'Not Applicable' ? undefined : cell;
  };
  const amount = (...names: readonly string[]) => cellNumber(get(...names)?.replace(/[^\d.,-]/g, ''));
  const time = (...names: readonly string[]) => readTime(get(...names) ?? '', options);
  return {
    order_id: get('Order ID'),
    title: get('Product Name', 'Title', 'Item Title'),
    category: get('Category', 'Item Category'),
    brand: get('Item Brand'),
    asin: get('ASIN', 'ASIN/ISBN', 'Item ASIN'),
    quantity: cellInteger(get('Quantity', 'Original Quantity', 'Item Quantity')),
    unit_price: amount('Unit Price', 'Purchase Price Per Unit', 'Item Price'),
    total: amount('Total Owed', 'Total Amount', 'Item Total'),
    currency: get('Currency'),
    status: get('Order Status', 'Status', 'Shipment/Order Status'),
    website: get('Website'),
    seller: get('Seller'),
    recipient: get('Shipping Address', 'Ship To'),
    payment: get('Payment Instrument Type', 'Payment Method Type'),
    ordered_at: time('Order Date'),
    shipped_at: time('Ship Date', 'Shipment Date'),
  };
}
