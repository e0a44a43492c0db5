import type { Importer, ImportOptions } from '../../import/importer.ts';
import { declareSource, declareStream } from '../declare.ts';
import { readFileByFile } from '../files/recognise-files.ts';
import { createFieldReader } from '../values/read-fields.ts';
import { cellNumber, type Get, openTableWith, readRecords } from '../values/table-cells.ts';

const amazonDeclaration = declareSource('amazon', 'Amazon', [
  declareStream('order_items', 'Orders', {
    description: 'Things ordered at Amazon, one record for each item of an order.',
    detail: 'What you ordered, when and for how much.',
    time: 'ordered_at',
    isSensitive: true,
    view: { label: 'What and when', fields: ['id', 'title', 'quantity', 'ordered_at'] },
    fields: {
      id: 'text',
      order_id: 'text < Order ID',
      title: 'text, search < Product Name|Title|Item Title',
      category: 'text, search < Category|Item Category',
      brand: 'text, search < Item Brand',
      asin: 'text < ASIN|ASIN/ISBN|Item ASIN: Number of the article at Amazon',
      quantity: 'integer < Quantity|Original Quantity|Item Quantity',
      unit_price: 'number',
      total: 'number: For the item, with tax and shipping if the file has them',
      currency: 'text < Currency',
      status: 'text < Order Status|Status|Shipment/Order Status',
      website: 'text < Website: amazon.de, amazon.com, …',
      seller: 'text, search < Seller',
      recipient: 'text < Shipping Address|Ship To: Name and address it was sent to',
      payment: 'text < Payment Instrument Type|Payment Method Type: How it was paid',
      ordered_at: 'time < Order Date',
      shipped_at: 'time < Ship Date|Shipment Date',
    },
  }),
]);

/** Columns of the current export, of older reports, and of third-party tools. */
const REQUIRED_COLUMNS = [
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
      'Confirm in the email you receive, wait for the second email and download the zip.',
    ],
    waiting: 'A few days.',
  },
  identity: { order_items: ['order_id', 'asin', 'title'] },
  ...readFileByFile(async (file) => {
    const table = await openTableWith(file, ...REQUIRED_COLUMNS);
    return table && ((options) => readRecords(file, table, 'order_items', (get) => readItem(get, options)));
  }),
  declare: async () => amazonDeclaration,
};

const readFields = createFieldReader(amazonDeclaration, 'order_items');

function readItem(find: Get, options: ImportOptions): Record<string, unknown> | string {
  // Amazon writes these words for unknown values.
  const get = (...names: readonly string[]) => {
    const cell = find(...names);
    return cell === 'Not Available' || cell === 'Not Applicable' ? undefined : cell;
  };
  const amount = (...names: readonly string[]) => cellNumber(get(...names)?.replace(/[^\d.,-]/g, ''));
  const data = readFields(get, options);
  if (data.title === undefined) return 'has no product name';
  return {
    ...data,
    unit_price: amount('Unit Price', 'Purchase Price Per Unit', 'Item Price'),
    total: amount('Total Owed', 'Total Amount', 'Item Total'),
  };
}
