import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDiaryWorld } from '../support/diary-world.ts';
import { type Listening, startListening } from '../support/servers/servers.ts';
import { useWorld } from '../support/use-world.ts';

const world = await useWorld(createDiaryWorld());
let server: Listening;
beforeAll(async () => {
  const now = new Date();
  server = await startListening(world, { now: () => now });
});
afterAll(() => server.close());

interface Sent {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

/** Sends a request in one piece, and returns the answer with its random parts replaced. */
async function send({ path = '/mcp', headers = {}, body }: Sent, more = ''): Promise<string> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = {
    host: server.host,
    connection: 'close',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${world.mine}`,
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const answer = await server.raw(`POST ${path} HTTP/1.1\r\n${head.join('')}${more}\r\n${text}`);
  return answer.text.replace(/\r\ndate: [^\r]*/i, '').replaceAll(/req_[0-9a-f]{16}/g, 'req_0');
}

/** A repeated header makes Hono answer. */
const sendThroughHono = (sent: Sent) => send(sent, 'x-repeated: 1\r\nx-repeated: 2\r\n');

/** Compares answers whatever the case and the order of their headers. */
function parseAnswer(answer: string) {
  const [head = '', ...body] = answer.split('\r\n\r\n');
  const [status, ...headers] = head.split('\r\n');
  return {
    status,
    headers: headers.map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase())).sort(),
    body: body.join('\r\n\r\n'),
  };
}

const call = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const schema = call('tools/call', { name: 'schema', arguments: {} });
const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const answered: [string, Sent][] = [
  ['tools/list', { body: call('tools/list') }],
  ['a call', { body: schema }],
  [
    'a call that the tool refuses',
    { body: call('tools/call', { name: 'fetch', arguments: { id: 'x/y/z' } }) },
  ],
  [
    'a call of the 2026 protocol',
    {
      headers: {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'schema',
      },
      body: call('tools/call', { name: 'schema', arguments: {}, _meta: modern }),
    },
  ],
];

const passedOn: [string, Sent][] = [
  ['initialize without parameters', { body: call('initialize') }],
  ['a method of the library', { body: call('ping') }],
  ['an unknown tool', { body: call('tools/call', { name: 'none', arguments: {} }) }],
  ['a batch', { body: [schema, call('tools/list', {}, 2)] }],
  ['a batch with equal ids', { body: [schema, schema] }],
  [
    'a notification',
    { body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } } },
  ],
  ['no token', { headers: { authorization: '' }, body: schema }],
  ['a wrong token', { headers: { authorization: 'Bearer pdpp_wrong' }, body: schema }],
  ['another host', { headers: { host: 'evil.example' }, body: schema }],
  ['a page of another origin', { headers: { origin: 'https://evil.example' }, body: schema }],
  ['a body that is no JSON', { body: '{"jsonrpc":' }],
  ['a body that is too deep', { body: '['.repeat(100) + ']'.repeat(100) }],
  ['an empty body', { body: '' }],
  ['another media type', { headers: { 'content-type': 'text/plain' }, body: schema }],
  ['a body that is too long', { body: `"${'x'.repeat(257 * 1024)}"` }],
  ['a path with a query', { path: '/mcp?x=1', body: schema }],
];

describe('a call that is answered before Hono', () => {
  it.each(answered)('has the same answer as through Hono: %s', async (_, sent) => {
    // The library is loaded, because it checks the messages of 2026.
    await sendThroughHono(sent);
    const early = await send(sent);
    expect(early).toContain('\r\ncontent-length: ');
    expect(parseAnswer(early)).toEqual(parseAnswer(await sendThroughHono(sent)));
  });

  it.each(passedOn)('leaves this to Hono: %s', async (_, sent) => {
    expect(parseAnswer(await send(sent))).toEqual(parseAnswer(await sendThroughHono(sent)));
  });

  it('leaves a body to Hono that arrives after its head', async () => {
    const body = JSON.stringify(schema);
    const head = `POST /mcp HTTP/1.1\r\nhost: ${server.host}\r\nconnection: close\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nauthorization: Bearer ${world.mine}\r\ncontent-length: ${body.length + 2}\r\n\r\n${body}`;
    const { text } = await server.raw(head, { drip: ' ', waitMs: 8_000 });
    expect(text).toContain('HTTP/1.1 200 OK');
    expect(text).toContain('\r\nContent-Length: ');
  });
});
