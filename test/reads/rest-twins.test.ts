import { describe, expect, it } from 'vitest';
import { normalise } from '../support/answers.ts';
import { createNotesWorld } from '../support/notes-source.ts';
import { useWorld } from '../support/use-world.ts';

const world = await useWorld(createNotesWorld({ connections: ['home', 'work'] }));
const owner = await world.ownerToken();

async function get(path: string, token: string | undefined = world.token) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await world.request(path, { headers: headers as Record<string, string> });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const body = (await response.json()) as any;
  return { status: response.status, headers: response.headers, body };
}
const filter = (value: object) => `filter=${encodeURIComponent(JSON.stringify(value))}`;

describe('the REST twin of a tool', () => {
  it.each([
    ['/v1/schema', 'schema', {}],
    ['/v1/streams', 'schema', {}],
    ['/v1/schema?stream=notes', 'schema', { stream: 'notes' }],
    ['/v1/streams/codes?connection_id=home', 'schema', { stream: 'codes', connection_id: 'home' }],
    [
      '/v1/streams/codes?connection_id=home&detail=full',
      'schema',
      { stream: 'codes', connection_id: 'home', detail: 'full' },
    ],
    [
      '/v1/streams/notes/records?connection_id=home&limit=2&count=exact',
      'query_records',
      { stream: 'notes', connection_id: 'home', limit: 2, count: 'exact' },
    ],
    [
      '/v1/streams/notes/records?connector_instance_id=home&fields=title,stars&sort=-stars',
      'query_records',
      { stream: 'notes', connection_id: 'home', fields: ['title', 'stars'], sort: '-stars' },
    ],
    [
      `/v1/streams/notes/records?connection_id=home&${filter({ stars: { gte: 2 }, author: ['ana', 'bo'] })}`,
      'query_records',
      { stream: 'notes', connection_id: 'home', filter: { stars: { gte: 2 }, author: ['ana', 'bo'] } },
    ],
    [
      '/v1/streams/notes/records?connection_id=home&expand=comments,writer',
      'query_records',
      { stream: 'notes', connection_id: 'home', expand: ['comments', 'writer'] },
    ],
    [
      '/v1/streams/codes/records?connection_id=home&changes_since=beginning',
      'query_records',
      { stream: 'codes', connection_id: 'home', changes_since: 'beginning' },
    ],
    ['/v1/streams/notes/records/n1?connection_id=home', 'fetch', { id: 'home/notes/n1' }],
    [
      '/v1/streams/notes/records/n1?connector_instance_id=home&field=body&offset=5',
      'fetch',
      { id: 'home/notes/n1', field: 'body', offset: 5 },
    ],
    [
      '/v1/streams/notes/aggregate?connection_id=home&metric=sum&field=price&group_by=author,pinned',
      'aggregate',
      {
        stream: 'notes',
        connection_id: 'home',
        metric: 'sum',
        field: 'price',
        group_by: ['author', 'pinned'],
      },
    ],
    [
      '/v1/streams/notes/aggregate?connection_id=*&interval=month',
      'aggregate',
      { stream: 'notes', connection_id: '*', interval: 'month' },
    ],
    [
      '/v1/search?query=ferry&streams=notes&limit=1',
      'search',
      { query: 'ferry', streams: ['notes'], limit: 1 },
    ],
    [
      `/v1/streams/notes/aggregate?connection_id=home&group_by=author&ranges=${encodeURIComponent('{"early":{"lt":"2026-02"}}')}`,
      'aggregate',
      {
        stream: 'notes',
        connection_id: 'home',
        group_by: ['author'],
        ranges: { early: { lt: '2026-02' } },
      },
    ],
    [
      '/v1/search?query=boat&also=ferry&also=museum%2C%20gallery',
      'search',
      { query: 'boat', also: ['ferry', 'museum, gallery'] },
    ],
    ['/v1/search?query=ferry&since=2026-02-01', 'search', { query: 'ferry', since: '2026-02-01' }],
  ])('GET %s says what the tool says', async (path, tool, args) => {
    const { status, body, headers } = await get(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    const { structuredContent } = await world.call(world.token, tool, args);
    expect(normalise(body)).toEqual(normalise(structuredContent));
  });

  it('takes a cursor of its own to the next page', async () => {
    const path = '/v1/streams/notes/records?connection_id=home&limit=3';
    const { body } = await get(path);
    const next = await get(`${path}&cursor=${encodeURIComponent(body.next_cursor)}`);
    expect(next.body.data.map((row: { id: string }) => row.id)).toEqual(['home/notes/n1']);
  });

  it.each([
    ['/v1/schema?nosuch=1', 400, 'unknown_argument'],
    ['/v1/schema?detail=full', 400, 'invalid_argument'],
    ['/v1/streams/notes/records?connection_id=home&limit=many', 400, 'invalid_argument'],
    ['/v1/streams/notes/records?connection_id=home&limit=', 400, 'invalid_argument'],
    ['/v1/streams/notes/records?connection_id=home&filter=x', 400, 'invalid_filter'],
    ['/v1/streams/notes/records?connection_id=home&filter=%22x%22', 400, 'invalid_filter'],
    ['/v1/streams/notes/records?connection_id=home&cursor=x', 400, 'invalid_cursor'],
    ['/v1/streams/notes/records?connection_id=home&sort=place', 400, 'unsupported_field'],
    ['/v1/streams/notes/records?connection_id=home&fields=nosuch', 400, 'unknown_field'],
    ['/v1/streams/nosuch/records', 404, 'unknown_stream'],
    ['/v1/streams/notes/records?connection_id=nosuch', 404, 'unknown_connection'],
    ['/v1/streams/notes/records/nosuch?connection_id=home', 404, 'not_found'],
    ['/v1/streams/notes/records', 409, 'ambiguous_connection'],
    ['/v1/search', 400, 'invalid_argument'],
    ['/v1/streams/notes/aggregate?connection_id=home&ranges=may', 400, 'invalid_argument'],
    ['/v1/nosuch', 404, 'not_found'],
  ])('GET %s is refused with %i %s', async (path, status, code) => {
    expect(await get(path)).toMatchObject({ status, body: { error: { code } } });
    expect(world.logged.filter((line) => line.includes('"event":"error"'))).toEqual([]);
  });

  it('wants a token, and takes the one of the owner', async () => {
    const without = await world.request('/v1/schema');
    expect(without.status).toBe(401);
    expect(without.headers.get('www-authenticate')).toContain('resource_metadata=');
    expect((await get('/v1/schema', 'nonsense')).status).toBe(401);
    const { status, body } = await get('/v1/streams/notes/records?connection_id=home', owner);
    expect(status).toBe(200);
    expect(body.data).toHaveLength(4);
  });
});
