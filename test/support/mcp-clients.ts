import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientOf2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportOf2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ORIGIN, type World } from './world.ts';

/** Every app sees these, in this order. */
export const FIVE_TOOLS = ['schema', 'query_records', 'aggregate', 'search', 'fetch'];

/** A published client, of the 2026 protocol or of the 2025 one, without a network between. */
export async function connect(world: World, token: string, era: 2025 | 2026) {
  const bodies: string[] = [];
  const options = {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (url: string | URL, init?: RequestInit) => {
      const headers = Object.fromEntries(new Headers(init?.headers));
      const response = await world.request(new URL(url).pathname, { ...init, headers });
      bodies.push(await response.clone().text());
      return response;
    },
  };
  const url = new URL(`${ORIGIN}/mcp`);
  if (era === 2026) {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(new StreamableHTTPClientTransport(url, options));
    return { client, bodies };
  }
  const client = new ClientOf2025({ name: 'test', version: '1' });
  await client.connect(new TransportOf2025(url, options) as Parameters<typeof client.connect>[0]);
  return { client, bodies };
}

/** The same over a real network, to a server that runs as a process of its own. */
export async function connectOverHttp(url: string, token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}
