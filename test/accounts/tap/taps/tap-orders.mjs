#!/usr/bin/env node
// An incremental tap: writes the orders that were changed since its state. Its config names a JSON file of orders.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    config: { type: 'string' },
    state: { type: 'string' },
    catalog: { type: 'string' },
    discover: { type: 'boolean' },
  },
});
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const { orders: file, failAfter = Infinity, columns = {} } = read(values.config);
const schema = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    customer: { type: ['null', 'string'] },
    total: { type: ['null', 'number'], multipleOf: 0.01 },
    updated_at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
    address: { type: ['null', 'object'], properties: { city: { type: ['null', 'string'] } } },
    ...columns,
  },
};
if (values.discover) {
  const metadata = [{ breadcrumb: [], metadata: { inclusion: 'available' } }];
  write({
    streams: [{ tap_stream_id: 'orders', stream: 'orders', schema, key_properties: ['id'], metadata }],
  });
  process.exit(0);
}
const [stream] = read(values.catalog).streams;
if (stream.schema.selected !== true || stream.metadata[0].metadata.selected !== true) process.exit(0);
const since = values.state === undefined ? '' : read(values.state).bookmarks.orders.updated_at;
write({
  type: 'SCHEMA',
  stream: 'orders',
  schema,
  key_properties: ['id'],
  bookmark_properties: ['updated_at'],
});
const orders = read(file)
  .filter((order) => order.updated_at > since)
  .sort((a, b) => (a.updated_at < b.updated_at ? -1 : 1));
for (const [index, record] of orders.entries()) {
  if (index === failAfter) process.exit(1);
  write({ type: 'RECORD', stream: 'orders', record, time_extracted: '2026-11-18T00:00:00Z' });
  write({ type: 'STATE', value: { bookmarks: { orders: { updated_at: record.updated_at } } } });
}
