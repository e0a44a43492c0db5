import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDiaryWorld } from '../support/diary-world.ts';
import { LEGACY } from '../support/mcp-post.ts';
import { type Listening, startListening } from '../support/servers/servers.ts';

let world: Awaited<ReturnType<typeof createDiaryWorld>>;
let server: Listening;
beforeAll(async () => {
  world = await createDiaryWorld({ clock: 'real' });
  server = await startListening(world);
});
afterAll(async () => {
  await server.close();
  world.close();
});

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const head = (path: string, lines: string[]) =>
  `${[`POST ${path} HTTP/1.1`, `Host: ${server.host}`, ...lines].join('\r\n')}\r\n\r\n`;
const ANSWERED = /\r\n\r\n[\s\S]/;

/** A call on a connection that stays open for the next one. */
function read(token: string, agent: Agent): Promise<{ status: number | undefined; text: string }> {
  const params = { name: 'query_records', arguments: { stream: 'entries', fields: ['body'] } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return new Promise((resolve, reject) => {
    const sent = request(
      `${server.origin}/mcp`,
      {
        method: 'POST',
        agent,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': LEGACY,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('connections that stay open', () => {
  it('T-01 carry 200 interleaved calls of two callers, each answered with its own grant', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 10 });
    const names = Array.from({ length: 100 }, () => ['mine', 'theirs'] as const).flat();
    const answers = await Promise.all(names.map((name) => read(world[name], agent)));
    const sockets = Object.values(agent.freeSockets).flat().length;
    agent.destroy();
    expect(sockets).toBeLessThanOrEqual(10);
    for (const [i, { status, text }] of answers.entries()) {
      expect(status).toBe(200);
      expect(text).toContain(`marker-${names[i]}`);
      expect(text).not.toContain(names[i] === 'mine' ? 'marker-theirs' : 'marker-mine');
    }
  });

  it('T-11 B-03 have no identity: each call uses its own token, and revocation takes effect on open ones', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { grantId, token } = await world.grant([{ connection_id: 'mine' }]);
    expect((await read(token, agent)).text).toContain('marker-mine');
    expect((await read(world.theirs, agent)).text).toContain('marker-theirs');
    world.store.write.raw
      .prepare('update grants set revoked_at = ? where grant_id = ?')
      .run(new Date().toISOString(), grantId);
    expect((await read(token, agent)).status).toBe(401);
    expect((await read(world.theirs, agent)).status).toBe(200);
    agent.destroy();
  });
});

describe('a body', () => {
  it('T-04 of 100 MB without a token is refused before it is received, and the connection is closed', async () => {
    const before = process.memoryUsage().rss;
    const answer = await server.raw(
      head('/mcp', ['Content-Type: application/json', 'Content-Length: 100000000']),
    );
    expect(answer.text).toMatch(/^HTTP\/1\.1 401/);
    expect(answer.closed).toBe(true);
    expect(answer.ms).toBeLessThan(4_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(90e6);
  });

  const chunks = (count: number) => `${`4000\r\n${' '.repeat(0x4000)}\r\n`.repeat(count)}0\r\n\r\n`;
  const limits: [path: string, type: string, chunks: number][] = [
    ['/mcp', 'application/json', 19],
    ['/oauth/token', 'application/x-www-form-urlencoded', 5],
    ['/oauth/register', 'application/json', 5],
    ['/oauth/par', 'application/x-www-form-urlencoded', 5],
    ['/login', 'application/x-www-form-urlencoded', 5],
  ];
  it.each(limits)('T-05 at %s has a limit, announced or in chunks', async (path, type, count) => {
    const lines = [
      `Authorization: Bearer ${world.mine}`,
      `Content-Type: ${type}`,
      'Sec-Fetch-Site: same-origin',
    ];
    const size = count * 0x4000;
    const announced = await server.raw(
      `${head(path, [...lines, `Content-Length: ${size}`])}${' '.repeat(size)}`,
      { until: ANSWERED },
    );
    expect(announced.text).toMatch(/^HTTP\/1\.1 413/);
    const chunked = await server.raw(
      `${head(path, [...lines, 'Transfer-Encoding: chunked'])}${chunks(count)}`,
      { until: ANSWERED },
    );
    expect(chunked.text).toMatch(/^HTTP\/1\.1 413/);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  });

  it('T-05 with two lengths is refused', async () => {
    const lines = [`Authorization: Bearer ${world.mine}`, 'Content-Type: application/json'];
    const smuggled = await server.raw(
      `${head('/mcp', [...lines, `Content-Length: ${list.length}`, 'Transfer-Encoding: chunked'])}${list}`,
    );
    expect(smuggled.text).toMatch(/^HTTP\/1\.1 400/);
  });
});

describe('a slow sender', () => {
  it('T-13 loses the connection: slow headers, a slow form, and silence', async () => {
    const waits = { waitMs: 20_000 };
    const [headers, form, idle] = await Promise.all([
      server.raw('GET /healthz HTTP/1.1\r\nX-Drip: ', { ...waits, drip: 'a' }),
      server.raw(
        `${head('/oauth/token', [
          'Content-Type: application/x-www-form-urlencoded',
          'Content-Length: 5000',
        ])}grant_type=`,
        { ...waits, drip: 'a' },
      ),
      server.raw(`GET /healthz HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`, waits),
    ]);
    // The limits are 10, 10 and 5 seconds; the rest is for a machine that is busy with other tests.
    expect([headers.closed, form.closed, idle.closed]).toEqual([true, true, true]);
    expect(headers.text).toMatch(/^HTTP\/1\.1 408/);
    expect(headers.ms).toBeLessThan(14_000);
    expect(form.text).toMatch(/^HTTP\/1\.1 400/);
    expect(form.ms).toBeLessThan(16_000);
    expect(idle.text).toMatch(/^HTTP\/1\.1 200/);
    expect(idle.ms).toBeLessThan(12_000);
  });
});

describe('duplicate headers', () => {
  const jsonLines = (more: string[]) => [
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'Connection: close',
    ...more,
  ];

  it('B-09 do not authorize', async () => {
    for (const second of [world.mine, world.theirs, 'other']) {
      const lines = [`Authorization: Bearer ${world.mine}`, `Authorization: Bearer ${second}`];
      const answer = await server.raw(
        `${head('/mcp', jsonLines([...lines, `Content-Length: ${list.length}`]))}${list}`,
      );
      expect([second, answer.text.slice(9, 12)]).toEqual([second, '401']);
    }
  });

  it('T-06 do not name a tool', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name: 'schema', arguments: {}, _meta };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const send = (names: string[]) =>
      server.raw(
        `${head(
          '/mcp',
          jsonLines([
            `Authorization: Bearer ${world.mine}`,
            `Content-Length: ${body.length}`,
            'MCP-Protocol-Version: 2026-07-28',
            'Mcp-Method: tools/call',
            ...names.map((name) => `Mcp-Name: ${name}`),
          ]),
        )}${body}`,
      );
    expect((await send(['schema'])).text).toMatch(/^HTTP\/1\.1 200/);
    for (const names of [['schema', 'schema'], ['schema', 'fetch'], []]) {
      const { text } = await send(names);
      expect(text).toMatch(/^HTTP\/1\.1 400/);
      expect(text).toContain('-32020');
    }
  });
});
