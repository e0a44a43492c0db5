import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectBothChannels, readRefusal } from '../support/answers.ts';
import { connect } from '../support/mcp-clients.ts';
import { notesSource, smallNotes } from '../support/notes-source.ts';
import { createWorld, type ToolResult, type World } from '../support/world.ts';
import { createWorldOfFiftyAccounts, createWorldOfFiftyConnectors } from '../support/worlds/broad-worlds.ts';
import { createGeneratedWorld } from '../support/worlds/generated-world.ts';

const calls: [tool: string, args: Record<string, unknown>][] = [
  ['schema', {}],
  ['schema', { connection_id: 'slack_work' }],
  ['schema', { connection_id: '*' }],
  ['schema', { stream: 'messages' }],
  ['schema', { stream: 'transactions' }],
  ['schema', { stream: 'messages', connection_id: 'slack_work' }],
  ['schema', { stream: 'transactions', detail: 'full' }],
  ['schema', { stream: 'messages', connection_id: 'slack_work', detail: 'full' }],
  ['query_records', { stream: 'transactions' }],
  ['query_records', { stream: 'transactions', limit: 1 }],
  ['query_records', { stream: 'transactions', limit: 100, count: 'exact' }],
  ['query_records', { stream: 'transactions', limit: 5_000 }],
  ['query_records', { stream: 'transactions', fields: ['id'] }],
  ['query_records', { stream: 'messages', connection_id: 'slack_work', limit: 100 }],
  ['query_records', { stream: 'messages', connection_id: 'slack_work', expand: ['replies', 'user'] }],
  [
    'query_records',
    { stream: 'messages', connection_id: 'slack_work', changes_since: 'beginning', limit: 100 },
  ],
  ['query_records', { stream: 'messages', connection_id: 'slack_work', changes_since: 'now' }],
  ['aggregate', { stream: 'transactions' }],
  ['aggregate', { stream: 'transactions', metric: 'sum', field: 'amount', limit: 200 }],
  ['aggregate', { stream: 'transactions', interval: 'day', limit: 200 }],
  ['aggregate', { stream: 'transactions', interval: 'month', sort: '-value' }],
  ['aggregate', { stream: 'transactions', interval: 'week', time_zone: 'Asia/Tokyo' }],
  ['search', { query: 'ferry' }],
  ['search', { query: 'the', limit: 50 }],
  ['search', { query: 'lunch', since: 'last_30_days' }],
  ['search', { query: 'meeting', streams: ['messages', 'events'] }],
  ['search', { query: 'nothing has these wrods xyzzy' }],
];

/** Answers without a word of a record: the index, and numbers that stand alone or by time. */
const wordless = new Set(
  calls
    .filter(
      ([tool, args]) =>
        (tool === 'schema' && args.stream === undefined) ||
        (tool === 'aggregate' && (args.group_by === undefined || args.interval !== undefined)),
    )
    .map(([tool, args]) => `${tool} ${JSON.stringify(args)}`),
);

const refusals: [tool: string, args: Record<string, unknown>, code: string][] = [
  ['schema', { detail: 'full' }, 'invalid_argument'],
  ['schema', { stream: 'nosuch' }, 'unknown_stream'],
  ['schema', { connection_id: 'nosuch' }, 'unknown_connection'],
  ['schema', { stream: 'messages', detail: 'full' }, 'ambiguous_connection'],
  ['query_records', {}, 'invalid_argument'],
  ['query_records', { stream: 'transactions', nosuch: 1 }, 'unknown_argument'],
  ['query_records', { stream: 'messages' }, 'ambiguous_connection'],
  ['query_records', { stream: 'messages', connection_id: '*' }, 'ambiguous_connection'],
  ['query_records', { stream: 'transactions', filter: {} }, 'invalid_filter'],
  ['query_records', { stream: 'transactions', filter: { nosuch: 1 } }, 'unknown_field'],
  ['query_records', { stream: 'transactions', sort: 'nosuch' }, 'unknown_field'],
  ['query_records', { stream: 'transactions', cursor: 'nosuch' }, 'invalid_cursor'],
  ['query_records', { stream: 'transactions', changes_since: 'nosuch' }, 'invalid_cursor'],
  ['aggregate', { stream: 'transactions', metric: 'sum' }, 'invalid_argument'],
  ['search', { query: '' }, 'invalid_argument'],
  ['search', { query: 'x', since: 'soon' }, 'invalid_argument'],
  ['search', { query: 'x', cursor: 'nosuch' }, 'invalid_cursor'],
  ['fetch', { id: 'nosuch' }, 'invalid_argument'],
  ['fetch', { id: 'slack_work/messages/nosuch' }, 'not_found'],
];

describe('on a store of everyday data', () => {
  let world: Awaited<ReturnType<typeof createGeneratedWorld>>;
  beforeAll(async () => {
    world = await createGeneratedWorld(3_000);
  });
  afterAll(() => world.close());

  it.each(calls)('%s(%j) says the same in both channels, within the bound', async (tool, args) => {
    const result = await world.call(world.token, tool, args);
    expectBothChannels(result);
    expect(result.isError, result.content[0]?.text.slice(0, 200)).toBeUndefined();
    const { meta } = result.structuredContent;
    expect(meta.request_id).toMatch(/^req_/);
    // Numbers and names of ours need no warning; whatever quotes a record has it.
    if (wordless.has(`${tool} ${JSON.stringify(args)}`)) expect(meta).not.toHaveProperty('notice');
    else expect(meta.notice).toContain('untrusted');
  });

  it.each(refusals)('%s(%j) refuses in both channels: %s', async (tool, args, code) => {
    const refusal = readRefusal(await world.call(world.token, tool, args));
    expect(refusal.code).toBe(code);
    expect(refusal.request_id).toMatch(/^req_/);
  });

  it.each([2025, 2026] as const)('reaches a published client of %i unchanged', async (era) => {
    const { client } = await connect(world, world.token, era);
    for (const [name, args] of [...calls.slice(0, 12), ...refusals.slice(0, 6)]) {
      expectBothChannels((await client.callTool({ name, arguments: args })) as unknown as ToolResult);
    }
    await client.close();
  });

  it('follows every hit and every listed record to a document', async () => {
    const { results } = (await world.call(world.token, 'search', { query: 'the', limit: 50 }))
      .structuredContent;
    const { data } = (await world.call(world.token, 'query_records', { stream: 'transactions' }))
      .structuredContent;
    for (const { id } of [...results, ...data].slice(0, 40)) {
      const result = await world.call(world.token, 'fetch', { id });
      expectBothChannels(result);
      expect(result.structuredContent.id).toBe(id);
    }
  });
});

describe('over a thousand streams', () => {
  it.each([
    ['fifty accounts', createWorldOfFiftyAccounts],
    ['fifty connectors', createWorldOfFiftyConnectors],
  ])('answers and refuses within the bound: %s', async (_, create) => {
    const world = await create();
    const [name] = world.names as [string];
    for (const [tool, args] of [
      ['schema', {}],
      ['schema', { stream: name }],
      ['schema', { stream: 'nosuch' }],
      ['schema', { connection_id: 'nosuch' }],
      ['query_records', { stream: name }],
      ['query_records', { stream: name, connection_id: '*' }],
      ['aggregate', { stream: name, connection_id: '*' }],
      ['search', { query: 'anything' }],
      ['fetch', { id: `${name}/1` }],
    ] as const) {
      expectBothChannels(await world.call(world.token, tool, args));
    }
    world.close();
  });
});

describe('over sixty accounts with names as long as names may be', () => {
  let world: World;
  let token: string;
  const ids = Array.from({ length: 60 }, (_, index) => `${'account_'.repeat(7)}${index}`);
  beforeAll(async () => {
    world = await createWorld();
    await world.addSource(notesSource, Object.fromEntries(ids.map((id) => [id, '👩‍👩‍👧‍👦𐍈'.repeat(14)])));
    for (const id of ids) await world.ingest(id, 'notes', smallNotes);
    token = (await world.grant(ids.map((connection_id) => ({ connection_id })))).token;
  });
  afterAll(() => world.close());

  it.each([
    ['query_records', { stream: 'notes' }],
    ['aggregate', { stream: 'notes' }],
    ['fetch', { id: 'notes/n1' }],
    ['schema', { stream: 'notes', detail: 'full' }],
  ])('%s offers a bounded choice and says how many there are', async (tool, args) => {
    const result = await world.call(token, tool, args);
    expectBothChannels(result);
    const { error } = result.structuredContent;
    expect(error).toMatchObject({ code: 'ambiguous_connection', total: 60, truncated: true });
    expect(error.available_connections.length).toBeGreaterThan(0);
    expect(error.available_connections.length).toBeLessThanOrEqual(10);
  });

  it.each([
    ['schema', {}],
    ['schema', { stream: 'notes' }],
    ['query_records', { stream: 'notes', connection_id: '*', limit: 100 }],
    ['query_records', { stream: 'notes', connection_id: '*', limit: 100, changes_since: 'beginning' }],
    ['aggregate', { stream: 'notes', connection_id: '*', group_by: ['author'] }],
    ['search', { query: 'ferry', limit: 50 }],
  ])('%s(%j) answers within the bound', async (tool, args) => {
    const result = await world.call(token, tool, args);
    expectBothChannels(result);
    const body = result.structuredContent;
    if (tool === 'schema') expect(findIds(result, ids)).toEqual(ids);
    if (body.has_more) expect(body.next_cursor).toMatch(/\S/);
    if (tool === 'search') expect(body.results.length).toBeGreaterThan(0);
    if (tool === 'query_records') expect(body.data.length).toBeGreaterThan(0);
  });
});

/** An index must name every account, or the agent cannot ask about the ones it leaves out. */
function findIds(result: ToolResult, ids: readonly string[]): string[] {
  const words = new Set(result.content[0]?.text.match(/[a-z0-9_]+/g));
  return ids.filter((id) => words.has(id));
}
