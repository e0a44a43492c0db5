import { describe, expect, it } from 'vitest';
import { normalise, readAnswer, readRefusal } from '../support/answers.ts';
import { createNotesWorld } from '../support/notes-source.ts';
import { useWorld } from '../support/use-world.ts';
import { callBadly } from './bad-calls.ts';

const world = await useWorld(createNotesWorld({ connections: ['home', 'work'] }));
const narrow = (await world.grant([{ connection_id: 'home', stream: 'notes', fields: ['title', 'stars'] }]))
  .token;
const bad = (tool: string, args: unknown) => callBadly(world, narrow, tool, args);
const tools = [
  ['query_records', { stream: 'notes' }],
  ['aggregate', { stream: 'notes' }],
  ['search', { query: 'ferry' }],
] as const;

describe.each(tools)('the filter of %s', (tool, args) => {
  it.each([
    ['a string', 'author = ana'],
    ['JSON in a string', '{"stars": 5}'],
    ['a list', [{ stars: 5 }]],
    ['a number', 5],
    ['nothing', {}],
    ['a key with brackets', { 'stars[gte]': 3 }],
    ['an operator that does not exist', { stars: { between: [1, 2] } }],
    ['an operator with a dollar', { stars: { $gte: 3 } }],
    ['an empty condition', { stars: {} }],
    ['an empty list', { stars: [] }],
    ['a list in a list', { stars: [[1]] }],
    ['an object in a list', { stars: [{ gte: 1 }] }],
    ['text for a number', { stars: 'many' }],
    ['a number for text', { title: 5 }],
    ['text for a range', { stars: { gte: 'many' } }],
    ['no time', { created_at: 'soon' }],
    ['a month without a day', { created_at: { gte: '2026-13-45' } }],
    ['exists without yes or no', { stars: { exists: 'maybe' } }],
    ['a value of 5,000 characters', { title: 'x'.repeat(5_000) }],
    ['300 values', { stars: Array.from({ length: 300 }, (_, index) => index) }],
    ['deep nesting', { stars: nest(50) }],
  ])('refuses %s as a filter, and shows how one is written', async (_, filter) => {
    const refusal = readRefusal(await bad(tool, { ...args, filter }));
    expect(refusal.code).toBe('invalid_filter');
    expect(refusal.hint).toMatch(/\S/);
  });

  it('says of each mistake what it is', async () => {
    const filters = ['author = ana', {}, { 'stars[gte]': 3 }, { nosuch: 1 }];
    const messages = [];
    for (const filter of filters) messages.push(readRefusal(await bad(tool, { ...args, filter })).message);
    expect(new Set(messages).size).toBe(filters.length);
  });

  it('refuses text compared by order', async () => {
    expect(readRefusal(await bad(tool, { ...args, filter: { title: { gt: 'a' } } })).code).toBe(
      'unsupported_field',
    );
  });

  it('does not drop a key that JavaScript treats as special', async () => {
    const filter = JSON.parse('{"__proto__": 1, "stars": 5}');
    expect(readRefusal(await bad(tool, { ...args, filter })).code).toBe('unknown_field');
  });

  it('answers a field that is not granted and one that does not exist alike', async () => {
    const hidden = readRefusal(await bad(tool, { ...args, filter: { secret: 'x' } }));
    const unknown = readRefusal(await bad(tool, { ...args, filter: { zzzzzz: 'x' } }));
    expect(normalise(hidden)).toEqual(normalise(unknown));
    expect(JSON.stringify(hidden)).not.toContain('secret');
  });
});

describe('names outside of the grant', () => {
  it.each([
    [
      'query_records fields',
      'query_records',
      { stream: 'notes', fields: ['secret'] },
      { stream: 'notes', fields: ['zzzzzz'] },
    ],
    [
      'query_records sort',
      'query_records',
      { stream: 'notes', sort: '-secret' },
      { stream: 'notes', sort: '-zzzzzz' },
    ],
    ['query_records stream', 'query_records', { stream: 'people' }, { stream: 'zzzzzz' }],
    [
      'query_records connection',
      'query_records',
      { stream: 'notes', connection_id: 'work' },
      { stream: 'notes', connection_id: 'zzzz' },
    ],
    [
      'query_records expand',
      'query_records',
      { stream: 'notes', expand: ['comments'] },
      { stream: 'notes', expand: ['zzzzzzzz'] },
    ],
    [
      'aggregate field',
      'aggregate',
      { stream: 'notes', metric: 'sum', field: 'price' },
      { stream: 'notes', metric: 'sum', field: 'zzzzz' },
    ],
    [
      'aggregate group',
      'aggregate',
      { stream: 'notes', group_by: ['author'] },
      { stream: 'notes', group_by: ['zzzzzz'] },
    ],
    ['schema stream', 'schema', { stream: 'people' }, { stream: 'zzzzzz' }],
    ['schema connection', 'schema', { connection_id: 'work' }, { connection_id: 'zzzz' }],
    [
      'search streams',
      'search',
      { query: 'ferry', streams: ['people'] },
      { query: 'ferry', streams: ['zzzzzz'] },
    ],
    [
      'search connection',
      'search',
      { query: 'ferry', connection_id: 'work' },
      { query: 'ferry', connection_id: 'zzzz' },
    ],
    ['fetch stream', 'fetch', { id: 'home/people/ana' }, { id: 'home/zzzzzz/ana' }],
    ['fetch connection', 'fetch', { id: 'work/notes/n1' }, { id: 'zzzz/notes/n1' }],
    [
      'fetch field',
      'fetch',
      { id: 'home/notes/n1', field: 'secret' },
      { id: 'home/notes/n1', field: 'zzzzzz' },
    ],
  ])('%s: not granted and not there are one answer', async (_, tool, hidden, unknown) => {
    const first = readRefusal(await bad(tool, hidden));
    expect(normalise(first)).toEqual(normalise(readRefusal(await bad(tool, unknown))));
  });
});

describe('input of great size', () => {
  const many = (length: number) => Array.from({ length }, (_, index) => `zq${index}`);

  it.each([
    ['query_records', { stream: 'notes', fields: many(10_000) }],
    ['query_records', { stream: 'notes', expand: many(10_000) }],
    ['query_records', { stream: 'notes', filter: Object.fromEntries(many(8_000).map((name) => [name, 1])) }],
    ['query_records', { stream: 'notes', filter: { title: many(10_000) } }],
    ['aggregate', { stream: 'notes', group_by: many(10_000) }],
    ['search', { query: 'ferry', streams: many(10_000) }],
    ['fetch', { id: 'home/notes/n1', fields: many(10_000) }],
  ])('%s refuses a list of thousands that is not its own', async (tool, args) => {
    readRefusal(await bad(tool, args));
  });

  it('answers a known name that is repeated a thousand times as if it were there once', async () => {
    const call = (args: object) =>
      callBadly(world, world.token, 'query_records', { stream: 'notes', connection_id: 'home', ...args });
    for (const [name, value] of [
      ['fields', 'title'],
      ['expand', 'comments'],
    ] as const) {
      const once = readAnswer(await call({ [name]: [value] }));
      const often = readAnswer(await call({ [name]: Array.from({ length: 1_000 }, () => value) }));
      expect(normalise(often), name).toEqual(normalise(once));
    }
  });

  it('refuses a message that is nested deeper than any call is', async () => {
    const { status, body } = await world.rpc(narrow, 'tools/call', {
      name: 'query_records',
      arguments: { stream: 'notes', filter: { stars: nest(200) } },
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { code: 'invalid_argument' } });
  });

  it('clamps a limit that is too high and says so', async () => {
    for (const [tool, args] of tools) {
      const { meta } = readAnswer(await bad(tool, { ...args, limit: 1_000_000 }));
      // What is asked for is not in the records that may be read here.
      const more = tool === 'search' ? ['also_may_help'] : [];
      expect(meta.warnings).toEqual(['limit_clamped', ...more]);
    }
  });
});

describe('what is not a call at all', () => {
  it.each([
    ['a string', 'x'],
    ['a list', ['x']],
    ['a number', 5],
    ['true', true],
  ])('refuses %s in place of the arguments', async (_, sent) => {
    const { status, body } = await world.rpc(narrow, 'tools/call', { name: 'schema', arguments: sent });
    expect(status).toBeLessThan(500);
    expect(JSON.stringify(body)).toMatch(/-32602|invalid_argument/);
  });

  it.each(['__proto__', 'constructor', 'toString', 'list_streams', 'fetch_blob', ''])(
    'knows no tool called %j',
    async (name) => {
      const { status, body } = await world.rpc(narrow, 'tools/call', { name, arguments: {} });
      expect(status).toBeLessThan(500);
      expect(body).toHaveProperty('error');
      expect(JSON.stringify(body)).not.toContain('structuredContent');
    },
  );
});

function nest(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { gte: value } : [value];
  return value;
}
