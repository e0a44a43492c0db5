import { declareSource, declareStream } from '../declare.ts';

export const amazonDeclaration = declareSource('amazon', 'Amazon', [
  declareStream('order_items', 'Orders', {
    description: 'Things ordered at Amazon, one record for each item of an order.',
    detail: 'What you ordered, when and for how much.',
    time: 'ordered_at',
    isSensitive: true,
    view: { label: 'What and when', fields: ['id', 'title', 'quantity', 'ordered_at'] },
    fields: {
      id: 'text',
      order_id: 'text',
      title: 'text, search',
      category: 'text, search',
      brand: 'text, search',
      asin: 'text: Number of the article at Amazon',
      quantity: 'integer',
      unit_price: 'number',
      total: 'number: For the item, with tax and shipping where the file tells',
      currency: 'text',
      status: 'text',
      website: 'text: amazon.de, amazon.com, …',
      seller: 'text, search',
      recipient: 'text: Where it was sent',
      payment: 'text: How it was paid',
      ordered_at: 'time',
      shipped_at: 'time',
    },
  }),
]);
