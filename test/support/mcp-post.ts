import type { World } from './world.ts';

export interface Posted {
  status: number;
  headers: Headers;
  text: string;
  /** The JSON-RPC messages of the answer, however they came. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  messages: any[];
}

export const LEGACY = '2025-11-25';
export const MODERN = '2026-07-28';

/** A POST to /mcp with whatever body and headers, as the 2025 clients send it. */
export async function post(
  world: Pick<World, 'request'>,
  token: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Posted> {
  const response = await world.request('/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const pieces = response.headers.get('content-type')?.startsWith('text/event-stream')
    ? [...text.matchAll(/^data: (.*)$/gm)].map((match) => match[1] as string)
    : [text].filter(Boolean);
  return {
    status: response.status,
    headers: response.headers,
    text,
    messages: pieces.map((piece) => JSON.parse(piece)),
  };
}

/** The status with which the list of tools is answered: 401 where the token has ended. */
export async function askForTools(world: Pick<World, 'request'>, token: string): Promise<number> {
  return (await post(world, token, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })).status;
}

/** One request of the 2026 era: the version, the method and the name stand in the headers too. */
export function postModern(
  world: Pick<World, 'request'>,
  token: string,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
  version = MODERN,
): Promise<Posted> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const called = params.name ?? params.uri;
  const name = typeof called === 'string' ? { 'mcp-name': called } : {};
  return post(
    world,
    token,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    { 'mcp-protocol-version': version, 'mcp-method': method, ...name, ...headers },
  );
}

export function postLegacy(
  world: Pick<World, 'request'>,
  token: string,
  method: string,
  params: Record<string, unknown> = {},
) {
  return post(world, token, { jsonrpc: '2.0', id: 1, method, params }, { 'mcp-protocol-version': LEGACY });
}
