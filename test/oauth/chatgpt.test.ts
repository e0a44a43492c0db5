import { beforeAll, describe, expect, it } from 'vitest';
import { readAnswer as readResult } from '../support/answers.ts';
import { createBrowser } from '../support/browser.ts';
import { FIVE_TOOLS } from '../support/mcp-clients.ts';
import { OAuthClient, register } from '../support/oauth-client.ts';
import { queryTables } from '../support/stores/tables.ts';
import { useWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';
import { createSignedInDemo } from '../support/worlds/connected-demo.ts';

const world = await useWorld(createSignedInDemo());

const read = async (url: string) => {
  const response = await world.request(new URL(url).pathname);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
};

/** What a connector finds out before it opens a browser, beginning with the address that was pasted. */
async function discover() {
  const refused = await world.request('/mcp', { method: 'POST' });
  expect(refused.status).toBe(401);
  const challenge = refused.headers.get('www-authenticate') ?? '';
  const resource = await read(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] as string);
  expect(resource.resource).toBe(`${ORIGIN}/mcp`);
  const [issuer] = resource.authorization_servers as [string];
  const server = await read(`${issuer}/.well-known/oauth-authorization-server`);
  expect(server.issuer).toBe(issuer);
  return { resource, server };
}

describe('a connector before it signs in', () => {
  it('finds the metadata it needs: S256, public clients, metadata documents and iss', async () => {
    const { server } = await discover();
    expect(server.code_challenge_methods_supported).toContain('S256');
    expect(server.token_endpoint_auth_methods_supported).toContain('none');
    expect(server.client_id_metadata_document_supported).toBe(true);
    expect(server.authorization_response_iss_parameter_supported).toBe(true);
    expect(server.registration_endpoint).toBe(`${ORIGIN}/oauth/register`);
    // It asks for every OpenID scope that is advertised.
    expect(server.scopes_supported).toEqual(['pdpp:read', 'offline_access']);
  });
});

const CALLBACK_ID = 'c_a1B2-c3D4_e5';
const ways: [name: string, clientId: string, redirectUri: string, shown: string][] = [
  [
    'ChatGPT under its one document',
    'https://chatgpt.com/oauth/client.json',
    'https://chatgpt.com/connector_platform_oauth_redirect',
    'ChatGPT',
  ],
  [
    'ChatGPT under a document per callback',
    `https://chatgpt.com/oauth/${CALLBACK_ID}/client.json`,
    `https://chatgpt.com/connector/oauth/${CALLBACK_ID}`,
    'ChatGPT',
  ],
  [
    'Claude.ai',
    'https://claude.ai/oauth/mcp-oauth-client-metadata',
    'https://claude.ai/api/mcp/auth_callback',
    'Claude',
  ],
  [
    'Claude.ai at its other name',
    'https://claude.ai/oauth/mcp-oauth-client-metadata',
    'https://claude.com/api/mcp/auth_callback',
    'Claude',
  ],
];

describe.each(ways)('%s', (_, clientId, redirectUri, name) => {
  it('is named with the host that publishes it, and the answer goes to the host of its redirect', async () => {
    const { server, resource } = await discover();
    const client = new OAuthClient(world, clientId, redirectUri);
    const { url } = client.startUrl({
      scope: (server.scopes_supported as string[]).join(' '),
      resource: resource.resource as string,
    });
    expect(url.startsWith(`${server.authorization_endpoint}?`)).toBe(true);
    const page = await world.browser.open(url);
    expect(page.text).toContain(`${name} wants to read your data`);
    expect(page.text).toContain(`verified: ${new URL(clientId).host}`);
    expect(page.text).toContain(`<b class="mono">${new URL(redirectUri).host}</b>`);
  });

  it('gets a code at exactly its redirect, a token, and the five tools with their hints', async () => {
    const client = new OAuthClient(world, clientId, redirectUri);
    const { done, code, iss, verifier } = await client.approve(world.browser);
    expect(done.url.startsWith(`${redirectUri}?`)).toBe(true);
    expect(iss).toBe(ORIGIN);
    const response = await client.redeem(code as string, verifier);
    const tokens = (await response.json()) as { access_token: string; refresh_token: string };
    const { body } = await world.rpc(tokens.access_token, 'tools/list');
    const { tools } = (body as { result: { tools: { name: string; annotations: object }[] } }).result;
    expect(tools.map((tool) => tool.name)).toEqual(FIVE_TOOLS);
    for (const tool of tools) {
      expect(tool.annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it.each(['https://chatgpt.com/elsewhere', 'https://claude.ai/', 'http://127.0.0.1:1/callback'])(
    'is not answered at %s',
    async (elsewhere) => {
      const page = await world.browser.open(new OAuthClient(world, clientId, elsewhere).startUrl().url);
      expect([page.status, page.headers.get('location')]).toEqual([400, null]);
    },
  );
});

describe('ChatGPT by registration', () => {
  it.each([
    'https://chatgpt.com/connector_platform_oauth_redirect',
    `https://chatgpt.com/connector/oauth/${CALLBACK_ID}`,
  ])('with %s is let in, is not verified, and its id does not run out once used', async (redirectUri) => {
    const response = await register(world, {
      client_name: 'ChatGPT',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    expect(response.status).toBe(201);
    const { client_id } = (await response.json()) as { client_id: string };
    const client = new OAuthClient(world, client_id, redirectUri);
    const page = await world.browser.open(client.startUrl().url);
    expect(page.text).toContain('not verified');
    await client.connect(world.browser);
    const clients = await queryTables(
      world.store,
      `select expires_at from oauth_items where kind = 'Client' and payload like ? order by created_at desc`,
      `%${redirectUri}%`,
    );
    expect(clients[0]).toEqual({ expires_at: null });
  });
});

describe('the search and fetch that ChatGPT knows', () => {
  let token: string;
  beforeAll(async () => {
    const [, clientId, redirectUri] = ways[0] as (typeof ways)[0];
    token = await world.connect(new OAuthClient(world, clientId, redirectUri));
  });

  it('need a query and an id and nothing else', async () => {
    const { body } = await world.rpc(token, 'tools/list');
    const { tools } = (
      body as {
        result: { tools: { name: string; inputSchema: { required: string[] } & Record<string, unknown> }[] };
      }
    ).result;
    const required = Object.fromEntries(tools.map((tool) => [tool.name, tool.inputSchema.required]));
    expect(required).toMatchObject({ search: ['query'], fetch: ['id'] });
  });

  it('answer with one text item of JSON: results of id, title and url', async () => {
    const { results } = readResult(await world.call(token, 'search', { query: 'Valencia' }));
    expect(results.length).toBeGreaterThan(0);
    for (const { id, title, url } of results) {
      expect(id).toEqual(expect.stringMatching(/\S/));
      expect(title).toEqual(expect.stringMatching(/\S/));
      expect(url).toBe(`${ORIGIN}/r/${id}`);
    }
  });

  it('answer with a document of id, title, text, url and metadata, and nothing else', async () => {
    const { results } = readResult(await world.call(token, 'search', { query: 'Valencia' }));
    for (const { id, url } of results) {
      const document = readResult(await world.call(token, 'fetch', { id }));
      expect(Object.keys(document)).toEqual(['id', 'title', 'text', 'url', 'metadata']);
      expect([document.id, document.url]).toEqual([id, url]);
      expect(document.text).toMatch(/\S/);
      // A citation can be read again by its address as well as by its id.
      expect(readResult(await world.call(token, 'fetch', { id: url })).id).toBe(id);
    }
  });

  it('cite addresses that open in the browser of the owner, as a page and as Markdown', async () => {
    const { results } = readResult(await world.call(token, 'search', { query: 'Valencia' }));
    for (const { url, title } of results.slice(0, 3)) {
      const page = await world.browser.open(url);
      expect([page.status, page.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/^text\/html/),
      ]);
      expect(page.text).toContain('<h1');
      const markdown = await world.browser.send(url, { headers: { accept: 'text/markdown' } });
      expect(markdown.headers.get('content-type')).toMatch(/^text\/markdown/);
      expect(markdown.text.length).toBeGreaterThan(title.length);
    }
  });

  it('cite addresses that show nothing to other people', async () => {
    const { results } = readResult(await world.call(token, 'search', { query: 'Valencia' }));
    const { url } = results[0];
    const stranger = createBrowser(world.request, ORIGIN);
    const page = await stranger.open(url);
    expect(new URL(page.url).pathname).toBe('/login');
    const bare = await world.request(new URL(url).pathname, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(bare.status).toBe(401);
    expect(await bare.text()).not.toContain('ferry');
  });

  it('bring the owner who was not signed in back to the citation', async () => {
    const { results } = readResult(await world.call(token, 'search', { query: 'Valencia' }));
    const { url } = results[0];
    const fresh = createBrowser(world.request, ORIGIN);
    const login = await fresh.open(url);
    const page = await fresh.submit(login, { passphrase: 'correct horse battery staple' });
    expect(page.url).toBe(url);
    expect(page.status).toBe(200);
  });
});
