import { describe, expect, it } from 'vitest';
import { createDiaryWorld } from '../support/diary-world.ts';
import { LEGACY, MODERN, post, postLegacy, postModern } from '../support/mcp-post.ts';
import { useWorld } from '../support/use-world.ts';

const world = await useWorld(createDiaryWorld());
const token = world.mine;

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const fetchOne = { name: 'fetch', arguments: { id: 'mine/entries/one' } };

describe('the body', () => {
  it.each([
    '',
    'text/plain',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'text/json',
    'application/json-seq',
    'xapplication/json',
  ])('T-09 of type "%s" is refused', async (type) => {
    const response = await world.request('/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        ...(type === '' ? {} : { 'content-type': type }),
      },
      body: new Blob([JSON.stringify(list)]),
    });
    expect(response.status).toBe(415);
    expect(JSON.parse(await response.text()).error.code).toBe('unsupported_media_type');
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
  ])('of type "%s" is taken', async (type) => {
    expect(
      (await post(world, token, list, { 'content-type': type, 'mcp-protocol-version': LEGACY })).status,
    ).toBe(200);
  });

  const big = JSON.stringify({ ...list, params: { filler: 'x'.repeat(300 * 1024) } });
  it('T-05 of 300 KiB is refused when its length is announced', async () => {
    expect((await post(world, token, big, { 'content-length': String(big.length) })).status).toBe(413);
  });

  it('T-05 of 300 KiB is refused when it comes in chunks, and the next call is served', async () => {
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < big.length; i += 8192) controller.enqueue(Buffer.from(big.slice(i, i + 8192)));
        controller.close();
      },
    });
    const response = await world.request('/mcp', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    expect((await postLegacy(world, token, 'tools/list')).status).toBe(200);
  });

  it.each([
    ['not JSON', '{"jsonrpc":'],
    ['empty', ''],
    ['nested 65 deep', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['brackets only', '['.repeat(200_000)],
    ['a number', '42'],
    ['null', 'null'],
    ['a batch of none', '[]'],
    ['no JSON-RPC', '{"a":1}'],
  ])('that is %s is refused with 400', async (_, body) => {
    expect((await post(world, token, body, { 'mcp-protocol-version': LEGACY })).status).toBe(400);
  });

  it('R-07 may nest its values 64 deep and no deeper, in a call that is otherwise good', async () => {
    const call = (deep: number) => {
      const value = `${'['.repeat(deep)}${']'.repeat(deep)}`;
      const params = `{"name":"query_records","arguments":{"stream":"entries","filter":{"title":${value}}}}`;
      return post(world, token, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`, {
        'mcp-protocol-version': LEGACY,
      });
    };
    expect((await call(60)).status).toBe(200);
    const refused = await call(61);
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text).error.message).toMatch(/nested too deeply/);
  });

  it('T-10 refuses an answer from a client', async () => {
    expect(
      (await post(world, token, { jsonrpc: '2.0', id: 1, result: {} }, { 'mcp-protocol-version': LEGACY }))
        .status,
    ).toBe(400);
  });
});

describe('batches', () => {
  const batch = (length: number) => Array.from({ length }, (_, id) => ({ ...list, id }));

  it('T-10 of the 2025 protocol have at most twenty messages', async () => {
    const twenty = await post(world, token, batch(20), { 'mcp-protocol-version': '2025-03-26' });
    expect([twenty.status, twenty.messages.length]).toEqual([200, 20]);
    expect((await post(world, token, batch(21), { 'mcp-protocol-version': '2025-03-26' })).status).toBe(400);
  });

  it('T-10 are refused in the 2026 protocol', async () => {
    const { status } = await post(world, token, batch(1), {
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/list',
    });
    expect(status).toBe(400);
  });
});

describe('versions and methods', () => {
  it('T-12 that are not known are refused by name', async () => {
    const modern = await postModern(world, token, 'tools/list', {}, {}, '2099-01-01');
    expect(modern.status).toBe(400);
    expect(modern.messages[0].error).toMatchObject({ code: -32022, data: { supported: [MODERN] } });
    const legacy = await post(world, token, list, { 'mcp-protocol-version': '1999-01-01' });
    expect(legacy.status).toBe(400);
    expect(legacy.text).toContain(LEGACY);
  });

  it.each([
    'nope',
    '__proto__',
    'resources/subscribe',
    'prompts/list',
    'logging/setLevel',
    'sampling/createMessage',
    'tasks/list',
    'elicitation/create',
  ])('T-12 refuses %s as a method it does not have', async (method) => {
    const modern = await postModern(world, token, method);
    expect([modern.status, modern.messages[0].error.code]).toEqual([404, -32601]);
    expect((await postLegacy(world, token, method)).messages[0].error.code).toBe(-32601);
  });

  it('T-07 refuses subscriptions/listen: a stream would outlive its token', async () => {
    const notifications = { toolsListChanged: true };
    const { messages } = await postModern(world, token, 'subscriptions/listen', { notifications });
    expect(messages[0].error.code).toBe(-32601);
  });

  it('T-12 offers tools, records to pick, and nothing else', async () => {
    const modern = await postModern(world, token, 'server/discover');
    expect(modern.messages[0].result.capabilities).toEqual({
      tools: {},
      resources: {},
      completions: {},
    });
    expect(modern.messages[0].result.cacheScope).toBe('private');
    const clientInfo = { name: 'test', version: '1' };
    const legacy = await postLegacy(world, token, 'initialize', {
      protocolVersion: LEGACY,
      capabilities: {},
      clientInfo,
    });
    expect(legacy.messages[0].result).toMatchObject({ protocolVersion: LEGACY, capabilities: { tools: {} } });
    expect(Object.keys(legacy.messages[0].result.capabilities).sort()).toEqual([
      'completions',
      'resources',
      'tools',
    ]);
  });

  it('T-06 must agree in headers and body', async () => {
    for (const headers of [{ 'mcp-name': 'schema' }, { 'mcp-method': 'tools/list' }, { 'mcp-name': '' }]) {
      const { status, messages } = await postModern(world, token, 'tools/call', fetchOne, headers);
      expect([status, messages[0].error.code]).toEqual([400, -32020]);
    }
    const encoded = `=?base64?${Buffer.from('fetch').toString('base64')}?=`;
    expect((await postModern(world, token, 'tools/call', fetchOne, { 'mcp-name': encoded })).status).toBe(
      200,
    );
  });
});

describe('sessions', () => {
  it('T-11 do not exist: no session id is sent, and one that comes is ignored', async () => {
    const headers = { 'mcp-session-id': 'abc', 'last-event-id': '7' };
    const answers = [
      await postModern(world, token, 'tools/call', fetchOne, headers),
      await post(world, token, list, { 'mcp-protocol-version': LEGACY, ...headers }),
      await postLegacy(world, token, 'initialize', {
        protocolVersion: LEGACY,
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('mcp-session-id')).toBeNull();
      expect(answer.text).not.toContain('"error"');
    }
  });
});

describe('every answer', () => {
  it('T-15 has no-store and nosniff in both protocols, also for errors', async () => {
    const answers = [
      await postModern(world, token, 'tools/list'),
      await postLegacy(world, token, 'tools/list'),
      await postLegacy(world, token, 'nope'),
      await post(world, 'bad', list),
      await post(world, token, '{'),
    ];
    for (const { headers } of answers) {
      expect(headers.get('cache-control')).toContain('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('T-01 goes to its own caller when calls interleave', async () => {
    const callers = Array.from(
      { length: 200 },
      (_, i) => (i % 2 === 0 ? 'mine' : 'theirs') as 'mine' | 'theirs',
    );
    const answers = await Promise.all(
      callers.map((name, i) => {
        const params = { name: 'query_records', arguments: { stream: 'entries', fields: ['body'] } };
        const call = i % 4 < 2 ? postModern : postLegacy;
        return call(world, world[name], 'tools/call', params);
      }),
    );
    for (const [i, { status, text }] of answers.entries()) {
      expect(status).toBe(200);
      expect(text).toContain(`marker-${callers[i]}`);
      expect(text).not.toContain(callers[i] === 'mine' ? 'marker-theirs' : 'marker-mine');
    }
  });
});

describe('the parts of a refusal', () => {
  it('are sent to a client that asks for them, and to no other', async () => {
    const params = { name: 'fetch', arguments: { id: 'mine/entries/none' } };
    const plain = await postLegacy(world, token, 'tools/call', params);
    const parted = await postLegacy(world, token, 'tools/call', {
      ...params,
      _meta: { 'pdpp.dev/parts': true },
    });
    expect(plain.messages[0].result).not.toHaveProperty('_meta');
    expect(parted.messages[0].result._meta['pdpp.dev/parts']).toEqual({
      message: 'There is no such record.',
      hint: ['Find ids with ', { tool: 'search' }, ' or ', { tool: 'query_records' }, '.'],
    });
  });
});
