// An incremental tap: writes the orders after its state, and a state after every second one.
import { readFileSync } from 'node:fs';

const option = (name) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : JSON.parse(readFileSync(process.argv[at + 1], 'utf8'));
};
const { orders, sleepMs = 0, secretsSeen } = option('--config');
const state = option('--state') ?? { last: 0 };
const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

if (secretsSeen !== undefined)
  (await import('node:fs')).writeFileSync(secretsSeen, JSON.stringify(process.env));
write({
  type: 'SCHEMA',
  stream: 'Orders',
  key_properties: ['id'],
  bookmark_properties: ['updated_at'],
  schema: {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      updated_at: { type: ['null', 'string'], format: 'date-time' },
      title: { type: ['null', 'string'] },
      total: { type: ['null', 'number'] },
      'ship-to': { type: ['null', 'object'], properties: { city: { type: 'string' } } },
    },
  },
});
for (let id = state.last + 1; id <= orders; id++) {
  write({
    type: 'RECORD',
    stream: 'Orders',
    time_extracted: '2026-11-18T00:00:00Z',
    record: {
      id,
      updated_at: `2026-03-0${1 + (id % 9)}T10:00:00.000000Z`,
      title: `order ${id}`,
      total: id * 1.5,
      'ship-to': { city: 'Bonn' },
    },
  });
  if (id % 2 === 0) write({ type: 'STATE', value: { last: id } });
  if (sleepMs > 0) await new Promise((done) => setTimeout(done, sleepMs));
}
write({ type: 'STATE', value: { last: orders } });
