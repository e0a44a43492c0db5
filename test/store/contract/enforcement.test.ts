import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolList } from '../../../src/http/mcp/tool-list.ts';
import {
  canaryTerms,
  diary,
  everyCall,
  home,
  openCanaryWorld,
  put,
  work,
} from '../../support/canary-world.ts';
import type { ToolResult } from '../../support/world.ts';

describe('a grant', () => {
  let world: Awaited<ReturnType<typeof openCanaryWorld>>;
  beforeAll(async () => {
    world = await openCanaryWorld();
  });
  afterAll(() => world.close());

  const call = (tool: string, args: Record<string, unknown>) => world.call(world.token, tool, args);
  const read = async (tool: string, args: Record<string, unknown>) =>
    (await call(tool, args)).structuredContent;
  const letters = { stream: 'letters', connection_id: 'post_home' };

  it('G-01 covers every tool there is: a new one must be added to the table of calls', () => {
    expect(Object.keys(everyCall).sort()).toEqual(toolList.map((tool) => tool.name).sort());
  });

  it.each(Object.entries(everyCall).flatMap(([tool, all]) => all.map((args) => [tool, args] as const)))(
    'G-01 G-03 I-01 I-06 lets nothing hidden into %s %j',
    async (tool, args) => {
      const answer = JSON.stringify(await call(tool, args));
      expect(answer).not.toContain('"internal"');
      // What was sent may stand in a suggestion or an echo; what is stored may not.
      expect(answer.replaceAll('canary folder', '')).not.toContain('canary');
    },
  );

  it.each([
    '/v1/schema',
    '/v1/streams/letters',
    '/v1/streams/letters/records?connection_id=post_home&count=exact',
    '/v1/streams/letters/records/unseen-key?connection_id=post_home',
    '/v1/streams/letters/records/seen-1?connector_instance_id=post_work',
    '/v1/streams/letters/aggregate?group_by=title',
    '/v1/streams/boxes/records',
    '/v1/search?query=canary',
  ])('G-01 lets nothing hidden into %s', async (path) => {
    const response = await world.request(path, { headers: { authorization: `Bearer ${world.token}` } });
    expect(await response.text()).not.toContain('canary');
  });

  it('G-01 shows what it does allow', async () => {
    const { data, count } = await read('query_records', { ...letters, count: 'exact' });
    expect(data.map((row: { id: string }) => row.id)).toEqual([
      'post_home/letters/seen-2',
      'post_home/letters/seen-1',
    ]);
    expect(count).toBe(2);
    expect(data[1].record).toEqual({
      id: 'seen-1',
      sent_at: '2026-01-15T12:00:00Z',
      box_id: 'box-1',
      title: 'lantern one',
      size: 1,
    });
  });

  it.each(['schema', 'query_records', 'aggregate'])(
    'G-02 answers %s of a stream that is not granted as of one that does not exist',
    async (tool) => {
      expect(bare(await call(tool, { stream: 'entries' }))).toEqual(
        bare(await call(tool, { stream: 'zzzzzzz' })),
      );
    },
  );

  it('G-02 answers search in a stream that is not granted as in one that does not exist', async () => {
    const [hidden, none] = await Promise.all(
      ['entries', 'zzzzzzz'].map((name) => call('search', { query: 'lantern', streams: [name] })),
    );
    expect(bare(hidden)).toEqual(bare(none));
  });

  it('G-03 makes no title out of a field that is not granted', async () => {
    const token = await world.issue([{ ...canaryTerms, fields: ['id', 'size'] }]);
    const answer = await world.call(token, 'fetch', { id: 'post_home/letters/seen-1' });
    expect(answer.structuredContent).toMatchObject({ title: 'letters seen-1', text: 'id: seen-1\nsize: 1' });
  });

  it.each(['schema', 'query_records', 'aggregate', 'search'])(
    'G-04 refuses the other connection in %s like one that does not exist',
    async (tool) => {
      const target = tool === 'search' ? { query: 'lantern' } : { stream: 'letters' };
      const [hidden, none] = await Promise.all(
        ['post_work', 'post_zzzz'].map((connection_id) => call(tool, { ...target, connection_id })),
      );
      expect(hidden?.structuredContent.error.code).toBe('unknown_connection');
      expect(bare(hidden)).toEqual(bare(none));
      expect(JSON.stringify(hidden)).not.toContain('Post at work');
    },
  );

  it('G-06 counts, sums, finds and fetches only the listed keys', async () => {
    const token = await world.issue([
      { ...canaryTerms, since: undefined, until: undefined, keys: ['seen-1', 'seen-2'] },
    ]);
    const ask = async (tool: string, args: object) => (await world.call(token, tool, args)).structuredContent;
    expect((await ask('aggregate', letters)).data.total).toBe(2);
    expect((await ask('aggregate', { ...letters, metric: 'sum', field: 'size' })).data.total).toBe(3);
    expect((await ask('search', { query: 'lantern' })).results).toHaveLength(2);
    expect((await ask('query_records', { ...letters, changes_since: 'beginning' })).data).toHaveLength(2);
    expect((await ask('schema', {})).data.connectors[0].connections[0].streams[0].records).toBe(2);
    const [other, none] = await Promise.all(
      ['unseen-key', 'no-such-key'].map((key) =>
        world.call(token, 'fetch', { id: `post_home/letters/${key}` }),
      ),
    );
    expect(bare(other)).toEqual(bare(none));
  });

  it.each([
    ['query_records', { filter: { folder: 'canary folder' } }, { filter: { folder: 'zzz' } }],
    ['query_records', { filter: { folder: { gte: 'a' } } }, { filter: { folder: { gte: 'd' } } }],
    ['query_records', { sort: 'folder' }, { sort: 'xolder' }],
    ['query_records', { fields: ['folder'] }, { fields: ['xolder'] }],
    ['query_records', { expand: ['box'] }, { expand: ['xox'] }],
    ['aggregate', { group_by: ['folder'] }, { group_by: ['xolder'] }],
    [
      'aggregate',
      { metric: 'count_distinct', field: 'folder' },
      { metric: 'count_distinct', field: 'xolder' },
    ],
    ['aggregate', { metric: 'min', field: 'read_at' }, { metric: 'min', field: 'xead_at' }],
    ['aggregate', { group_by: ['read_at'], interval: 'day' }, { group_by: ['xead_at'], interval: 'day' }],
  ])('G-07 refuses %s with %j before looking, as it refuses %j', async (tool, hidden, other) => {
    const [a, b] = await Promise.all([hidden, other].map((more) => call(tool, { ...letters, ...more })));
    expect(a?.structuredContent.error.code).toBe('unknown_field');
    expect(bare(a)).toEqual(bare(b));
  });

  it('G-08 finds nothing by a word that is only in a field that is not granted, and shows no scores', async () => {
    expect((await read('search', { query: 'body' })).results).toEqual([]);
    const { results } = await read('search', { query: 'lantern' });
    expect(results).toHaveLength(2);
    for (const hit of results)
      expect(Object.values(hit).filter((value) => typeof value === 'number')).toEqual([]);
  });

  it('G-09 counts visible records only, wherever a number is shown', async () => {
    const { data } = await read('aggregate', {
      ...letters,
      metric: 'sum',
      field: 'size',
      group_by: ['id'],
      limit: 1,
    });
    expect(data).toMatchObject({ total: 3, records: 2, other: { groups: 1, records: 1, value: 1 } });
    const { sources } = (await read('schema', { stream: 'letters' })).data;
    expect(sources[0].connections).toMatchObject([{ records: 2, first: '2026-01-15', last: '2026-01-16' }]);
  });

  it.each([
    ['a record outside the window', 'post_home/letters/seen-early'],
    ['a record that is not listed', 'post_home/letters/unseen-key'],
    ['a record of another connection', 'post_work/letters/seen-1'],
    ['a record of another stream', 'log_main/entries/seen-1'],
  ])('G-11 answers fetch of %s as of one that does not exist', async (_, id) => {
    const none = await call('fetch', { id: 'post_home/letters/no-such-key' });
    expect(bare(await call('fetch', { id }))).toEqual(bare(none));
  });

  it('G-15 is not told about others: suggestions and labels name granted things only', async () => {
    await world.apply([put(work, 'k', { sent_at: 'x' }), put(diary, 'k', { mood: 'x' }), put(home, 'k', {})]);
    const answers = await Promise.all([
      call('query_records', { stream: 'entrie' }),
      call('query_records', { ...letters, filter: { folde: 'x' } }),
      call('query_records', { stream: 'letters', connection_id: 'post_wor' }),
      call('schema', {}),
    ]);
    for (const name of ['entries', 'folder', 'post_work', 'Post at work', 'log_main'])
      expect(JSON.stringify(answers)).not.toContain(name);
    const other = await world.issue([{ connection_id: 'log_main', stream: 'entries', fields: ['id'] }]);
    const lists = await Promise.all([world.token, other].map((token) => world.rpc(token, 'tools/list')));
    expect(JSON.stringify(lists[1])).toBe(JSON.stringify(lists[0]));
  });
});

/** An answer without the id of its request. */
function bare(answer: ToolResult | undefined): string {
  return JSON.stringify(answer?.structuredContent).replace(/"request_id":"[^"]*"/, '');
}
