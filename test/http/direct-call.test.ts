import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { createDirectServer, LEGACY_VERSIONS, parseDirectCall } from '../../src/http/mcp/direct-call.ts';
import { createMcp } from '../../src/http/mcp/mcp.ts';
import type { Caller } from '../../src/reads/admission.ts';
import type { RunRead } from '../../src/reads/run-read.ts';
import { createDraw, type Draw } from '../support/draw.ts';

const MODERN = '2026-07-28';
const caller: Caller = { kind: 'owner' };
/** Answers with what the tool was given: this test compares the protocol, not the data. */
const runRead = (async (read: { name: string }, input: unknown) => {
  const isError = read.name === 'search';
  const body = { tool: read.name, input: input ?? null, line: 'a\u2028b\u0085c' };
  return { text: JSON.stringify(body), body, isError, status: 200, parts: {} };
}) as unknown as RunRead;
const onListed = async () => {};
const serveBySdk = createMcp(runRead, { version: '9.9.9', origin: 'http://127.0.0.1' }, onListed);
const direct = createDirectServer(runRead, '9.9.9', onListed);

interface Posted {
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

async function askSdk({ headers, body }: Posted): Promise<{ status: number; message: string }> {
  const request = new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const { response } = await serveBySdk(request, body, caller);
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  return { status: response.status, message: isStream ? (/^data: ([^\n]*)$/m.exec(text)?.[1] ?? '') : text };
}

async function askDirect({ headers, body }: Posted): Promise<string | undefined> {
  const call = parseDirectCall((name) => headers[name], body);
  return call && direct.serve(call, caller, new AbortController());
}

const escaped = (json: string) =>
  json.replace(/[\u0085\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

function modern(method: string, params: Record<string, unknown> = {}): Posted {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { roots: {}, elicitation: {} },
  };
  const name = typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
  return {
    headers: { accept: ACCEPT, 'mcp-protocol-version': MODERN, 'mcp-method': method, ...name },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
  };
}

function legacy(method: string, params?: Record<string, unknown>): Posted {
  return {
    headers: { accept: ACCEPT, 'mcp-protocol-version': '2025-11-25' },
    body: { jsonrpc: '2.0', id: 'a\u2028"b', method, ...(params && { params }) },
  };
}

const ACCEPT = 'application/json, text/event-stream';
const fetchOne = { name: 'fetch', arguments: { id: 'mine/entries/one' } };
const failing = { name: 'search', arguments: { query: 'x' } };

it('supports the versions that the protocol library supports', () => {
  expect(LEGACY_VERSIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
});

describe('a well-formed message', () => {
  it.each([
    ['tools/list of 2026', modern('tools/list')],
    ['tools/call of 2026', modern('tools/call', fetchOne)],
    ['a tool error of 2026', modern('tools/call', failing)],
    ['tools/list of 2025', legacy('tools/list')],
    ['tools/list of 2025 with empty parameters', legacy('tools/list', {})],
    ['tools/call of 2025', legacy('tools/call', fetchOne)],
    ['a tool error of 2025', legacy('tools/call', failing)],
    ['a call without arguments', legacy('tools/call', { name: 'schema' })],
    ['a progress token', legacy('tools/call', { ...fetchOne, _meta: { progressToken: 3 } })],
    ['no version header', { ...legacy('tools/list'), headers: { accept: ACCEPT } }],
  ])('is answered directly with the bytes of the protocol library: %s', async (_, posted) => {
    const { status, message } = await askSdk(posted);
    expect(status).toBe(200);
    expect(await askDirect(posted)).toBe(escaped(message));
  });
});

describe('a long envelope', () => {
  it('is left to the protocol library, so that the cache of envelopes stays small', async () => {
    const { headers, body } = modern('tools/list');
    const meta = (body as { params: { _meta: Record<string, unknown> } }).params._meta;
    meta['example.com/note'] = 'x'.repeat(1_000);
    expect(await askDirect({ headers, body })).toBeDefined();
    meta['example.com/note'] = 'x'.repeat(2_000);
    expect(await askDirect({ headers, body })).toBeUndefined();
    expect((await askSdk({ headers, body })).status).toBe(200);
  });
});

/** Changes a message in one way, mostly one that the protocol forbids. */
const changes: ((posted: Posted, draw: Draw) => Posted)[] = [
  ({ headers, body }, draw) => ({ headers, body: setSomewhere(body, drawValue(draw), draw) }),
  ({ headers, body }, draw) => ({
    headers: { ...headers, [draw.pick(HEADERS)]: draw.pick(HEADER_VALUES) },
    body,
  }),
  ({ headers, body }, draw) => {
    const { [draw.pick(HEADERS)]: _, ...rest } = headers;
    return { headers: rest, body };
  },
];
const HEADERS = ['accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];
const HEADER_VALUES = [
  MODERN,
  ` ${MODERN}`,
  '2025-06-18',
  '2024-11-05',
  '1.0',
  '',
  'tools/list',
  'tools/call',
  'fetch',
  'schema',
  '=?base64?ZmV0Y2g=?=',
  'application/json',
  'text/event-stream',
  '*/*',
  'text/event-stream;q=0.5, application/json',
];
const KEYS = [
  'jsonrpc',
  'id',
  'method',
  'params',
  'name',
  'arguments',
  '_meta',
  'task',
  'cursor',
  'progressToken',
  'roots',
  'version',
  '__proto__',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientInfo',
  'io.modelcontextprotocol/clientCapabilities',
  'io.modelcontextprotocol/logLevel',
  'io.modelcontextprotocol/related-task',
  'traceparent',
];

function drawValue(draw: Draw): unknown {
  return draw.pick([
    undefined,
    null,
    0,
    1.5,
    2 ** 60,
    true,
    '',
    'x',
    'fetch',
    'tools/list',
    'tools/call',
    MODERN,
    '2.0',
    [],
    [1],
    {},
    { a: 1 },
    { name: 'n', version: 'v' },
  ]);
}

/** Sets a key at a random depth of a JSON object. */
function setSomewhere(value: unknown, leaf: unknown, draw: Draw): unknown {
  if (typeof value !== 'object' || value === null) return leaf;
  const inner = Object.entries(value).filter(([, one]) => typeof one === 'object' && one !== null);
  const copy = structuredClone(value) as Record<string, unknown>;
  const chosen = inner.length > 0 && draw.chance(60) ? draw.pick(inner) : undefined;
  const key = chosen?.[0] ?? draw.pick(draw.chance(50) ? KEYS : [...Object.keys(value), 'x']);
  const set = chosen === undefined ? leaf : setSomewhere(chosen[1], leaf, draw);
  Object.defineProperty(copy, key, { value: set, enumerable: true, writable: true, configurable: true });
  return JSON.parse(JSON.stringify(copy));
}

describe('a randomly changed message', () => {
  it('is answered directly only where the protocol library gives the same bytes', async () => {
    let directly = 0;
    let otherwise = 0;
    for (let seed = 0; seed < 6_000; seed++) {
      const draw = createDraw(seed);
      const era = draw.chance(50) ? modern : legacy;
      const params = draw.pick([fetchOne, failing, { name: 'schema' }, {}]);
      let posted = 'name' in params ? era('tools/call', params) : era('tools/list', params);
      for (let times = draw.pick([0, 1, 1, 1, 2, 2, 3]); times > 0; times--)
        posted = draw.pick(changes)(posted, draw);
      const text = await askDirect(posted);
      if (text === undefined) {
        otherwise += 1;
        continue;
      }
      directly += 1;
      const { status, message } = await askSdk(posted);
      expect({ seed, status, text }).toEqual({ seed, status: 200, text: escaped(message) });
    }
    expect(directly).toBeGreaterThan(1_000);
    expect(otherwise).toBeGreaterThan(1_000);
  });
});
