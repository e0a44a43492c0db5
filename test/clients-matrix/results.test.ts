import { describe, expect, it } from 'vitest';
import { expectBothChannels, MAX_BYTES, readRefusal } from '../support/answers.ts';
import { connect, FIVE_TOOLS } from '../support/mcp-clients.ts';
import { MODERN, post, postLegacy, postModern } from '../support/mcp-post.ts';
import { OAuthClient } from '../support/oauth-client.ts';
import { useWorld } from '../support/use-world.ts';
import type { ToolResult } from '../support/world.ts';
import { createSignedInDemo } from '../support/worlds/connected-demo.ts';

const world = await useWorld(createSignedInDemo());
const token = await world.connect(await OAuthClient.register(world));

const calls: [tool: string, args: Record<string, unknown>][] = [
  ['schema', {}],
  ['schema', { stream: 'messages' }],
  ['query_records', { stream: 'transactions', limit: 100, count: 'exact' }],
  ['query_records', { stream: 'messages', connection_id: 'slack_work', limit: 100 }],
  ['aggregate', { stream: 'transactions', interval: 'month' }],
  ['search', { query: 'the', limit: 50 }],
];
const refusals: [tool: string, args: Record<string, unknown>][] = [
  ['query_records', { stream: 'nothing' }],
  ['fetch', { id: 'nothing' }],
  ['search', {}],
];

describe('both protocol versions', () => {
  it.each([2025, 2026] as const)(
    'a published client of %s lists and calls with an OAuth token',
    async (era) => {
      const { client } = await connect(world, token, era);
      expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(FIVE_TOOLS);
      expectBothChannels((await client.callTool({ name: 'schema', arguments: {} })) as unknown as ToolResult);
      await client.close();
    },
  );

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'initialize with %s is answered, and so is what follows with and without that header',
    async (version) => {
      const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      const hello = await post(world, token, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
      expect(hello.status).toBe(200);
      expect(hello.messages[0].result.protocolVersion).toBe(version);
      expect(hello.headers.get('mcp-session-id')).toBeNull();
      const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
      // Gemini never sends the header after initialize.
      for (const headers of [{ 'mcp-protocol-version': version }, {} as Record<string, string>]) {
        const listed = await post(world, token, list, headers);
        expect(listed.messages[0].result.tools.map((tool: { name: string }) => tool.name)).toEqual(
          FIVE_TOOLS,
        );
      }
      const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
      expect((await post(world, token, note, { 'mcp-protocol-version': version })).status).toBe(202);
    },
  );

  it('server/discover is answered, and announces no list changes', async () => {
    const { messages } = await postModern(world, token, 'server/discover');
    expect(messages[0].result.supportedVersions).toContain(MODERN);
    expect(messages[0].result.capabilities.tools?.listChanged ?? false).toBe(false);
  });

  it('ping is answered in the 2025 protocol, as `mcp list` of Gemini and qwen wants it', async () => {
    expect((await postLegacy(world, token, 'ping')).messages[0].result).toEqual({});
  });

  it.each(['prompts/list', 'resources/subscribe'])(
    '%s, asked unasked, is an orderly JSON-RPC error',
    async (method) => {
      const answer = await postLegacy(world, token, method);
      expect(answer.messages[0]).toMatchObject({ id: 1, error: { code: -32601 } });
    },
  );

  it('GET with a token is 405, which clients of 2025 accept for "no stream"', async () => {
    const response = await world.request('/mcp', {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('result body', () => {
  it.each(calls)('%s %j says the same in both channels, under 19 KB', async (tool, args) => {
    const modern = await world.call(token, tool, args);
    expect(modern.isError).toBeUndefined();
    expectBothChannels(modern);
    const legacy = await postLegacy(world, token, 'tools/call', { name: tool, arguments: args });
    expectBothChannels(legacy.messages[0].result);
    expect(Buffer.byteLength(legacy.messages[0].result.content[0].text)).toBeLessThan(MAX_BYTES + 1);
  });

  it.each(refusals)('a refusal of %s %j is in both channels too', async (tool, args) => {
    readRefusal(await world.call(token, tool, args));
  });
});

describe('unknown arguments', () => {
  it('that Gemini adds by itself are ignored', async () => {
    expect((await world.call(token, 'schema', { wait_for_previous: true })).isError).toBeUndefined();
  });

  it('of other clients are refused with the nearest known name', async () => {
    const error = readRefusal(await world.call(token, 'query_records', { stream: 'transactions', limt: 1 }));
    expect(error.code).toBe('unknown_argument');
    expect(JSON.stringify(error)).toContain('limit');
  });
});

describe('input schemas', () => {
  it('use no keywords that Codex removes, and state limits in words', async () => {
    const { body } = await world.rpc(token, 'tools/list');
    const { tools } = (body as { result: { tools: { inputSchema: object }[] } }).result;
    for (const { inputSchema } of tools) {
      expect(JSON.stringify(inputSchema)).not.toMatch(/"(default|minimum|maximum|pattern|format)":/);
      // The Inspector's portability check warns of schemas that say nothing.
      expect(JSON.stringify(inputSchema)).not.toMatch(/:\{\}/);
    }
    const limits = JSON.stringify(tools).match(/"limit":\{"description":"[^"]*\d[^"]*"/g);
    expect(limits).toHaveLength(3);
  });
});
