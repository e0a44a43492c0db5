import { describe, expect, it } from 'vitest';
import { readFilter } from '../../src/cli/run/where.ts';

const fields = [
  { name: 'amount', type: 'number' },
  { name: 'code', type: 'string' },
  { name: 'open', type: 'boolean' },
  { name: 'size', type: 'integer' },
];
const asked: unknown[] = [];
const tools = async (_: string, args: unknown) => {
  asked.push(args);
  return { data: { sources: [{ connector_key: 'x', stream: 's', fields }] } };
};

const read = (values: Record<string, string | string[]>) =>
  readFilter({ positionals: [], values }, tools, ['s']);

describe('--where', () => {
  it.each<[conditions: string[], filter: object]>([
    [['code=abc'], { code: 'abc' }],
    [['code = with spaces '], { code: 'with spaces' }],
    [['code=a=b'], { code: 'a=b' }],
    [['code='], { code: '' }],
    [['code=123'], { code: '123' }],
    [['code=true'], { code: 'true' }],
    [['code=a', 'code=b'], { code: ['a', 'b'] }],
    [['code!=a'], { code: { ne: 'a' } }],
    [['code=null'], { code: null }],
    [['amount<-12.5'], { amount: { lt: -12.5 } }],
    [['amount>=1', 'amount<=9'], { amount: { gte: 1, lte: 9 } }],
    [['size>3'], { size: { gt: 3 } }],
    [['size=90071992547409931'], { size: '90071992547409931' }],
    [['open=true'], { open: true }],
    [['ts>=2026-01-01', 'ts<2026-02-01'], { ts: { gte: '2026-01-01', lt: '2026-02-01' } }],
    [['unknown=5'], { unknown: 5 }],
    [['a=1', 'b=x'], { a: 1, b: 'x' }],
  ])('%j is %j', async (where, filter) => {
    expect(await read({ where })).toEqual(filter);
  });

  it('accepts any name as an own key', async () => {
    expect(JSON.stringify(await read({ where: ['__proto__=x'] }))).toBe('{"__proto__":"x"}');
  });

  it('asks for the types of fields only when they matter', async () => {
    asked.length = 0;
    await read({ where: ['code=abc'] });
    expect(asked).toEqual([]);
    await read({ where: ['code=1'], connection: 'c' });
    expect(asked).toEqual([{ stream: 's', connection_id: 'c' }]);
  });

  it.each<[what: string, values: Record<string, string | string[]>]>([
    ['no sign', { where: ['code'] }],
    ['no field', { where: ['=x'] }],
    ['equal and greater at once', { where: ['amount=1', 'amount>2'] }],
    ['a filter beside it', { where: ['code=x'], filter: '{}' }],
    ['a filter that is not JSON', { filter: '{code' }],
  ])('is refused with %s', async (_, values) => {
    await expect(read(values)).rejects.toThrow(/--(where|filter)/);
  });

  it('is optional: a filter can be JSON or absent', async () => {
    expect(await read({ filter: '{"a":{"gt":1}}' })).toEqual({ a: { gt: 1 } });
    expect(await read({})).toBeUndefined();
  });
});
