import { afterAll, describe, expect, it } from 'vitest';
import { createDiaryWorld } from '../support/diary-world.ts';
import { LEGACY, MODERN } from '../support/mcp-post.ts';
import { startListening } from '../support/servers/servers.ts';
import { useWorld } from '../support/use-world.ts';

const world = await useWorld(createDiaryWorld({ clock: 'real' }));
const server = await startListening(world);
afterAll(() => server.close());

const clients = { mine: world.mine, theirs: world.theirs };
const calls = [
  { name: 'search', arguments: { query: 'marker' } },
  { name: 'query_records', arguments: { stream: 'entries' } },
  { name: 'schema', arguments: {} },
];

async function callTool(token: string, id: number | string, version: string, call: (typeof calls)[number]) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await fetch(`${server.origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      ...(version === MODERN ? { 'mcp-method': 'tools/call', 'mcp-name': call.name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { ...call, ...(version === MODERN ? { _meta } : {}) },
    }),
  });
  return response.text();
}

describe('two clients that send equal JSON-RPC ids at the same moment', () => {
  it.each([MODERN, LEGACY])('each get their own answers, by %s', async (version) => {
    const asked = Array.from({ length: 20 }, (_, round) =>
      Object.entries(clients).flatMap(([own, token]) =>
        // Equal ids also within a client: answers belong to requests, not to ids.
        calls.map(async (call) => {
          const id = round % 2 === 0 ? 1 : 'one';
          return { own, name: call.name, id, text: await callTool(token, id, version, call) };
        }),
      ),
    );
    for (const { own, name, id, text } of await Promise.all(asked.flat())) {
      const other = own === 'mine' ? 'theirs' : 'mine';
      const [, body = text] = /^data: (.*)$/m.exec(text) ?? [];
      const answer = JSON.parse(body);
      expect(answer.id).toBe(id);
      expect(answer.result.isError ?? false).toBe(false);
      expect([name, body.includes(own), body.includes(other)]).toEqual([name, true, false]);
      const { results, data } = answer.result.structuredContent;
      expect([Array.isArray(results), Array.isArray(data)]).toEqual([
        name === 'search',
        name === 'query_records',
      ]);
    }
  });
});
