import { describe, expect, it } from 'vitest';
import { OAuthClient, readAnswer, register } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const { world, owner: browser } = await useSignedInWorld();

/** Both diaries: they are sensitive and therefore not ticked by themselves. */
const everything = { stream: ['0', '1', '2', '3'] };

const codeAndRefresh = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

/** What clients were seen to register, and from where they then ask. */
const registering: [name: string, body: Record<string, unknown>, redirectUri: string][] = [
  [
    'Claude Code, where a client id is not wanted',
    {
      ...codeAndRefresh,
      client_name: 'Claude Code (pdpp)',
      application_type: 'native',
      redirect_uris: ['http://localhost:54321/callback'],
      scope: 'pdpp:read offline_access',
    },
    'http://localhost:54321/callback',
  ],
  [
    'Codex, where a client id is not wanted',
    { client_name: 'Codex', application_type: 'native', redirect_uris: ['http://127.0.0.1:40001/callback'] },
    'http://127.0.0.1:40001/callback',
  ],
  [
    'mcporter',
    { ...codeAndRefresh, client_name: 'mcporter (pdpp)', redirect_uris: ['http://127.0.0.1:41999/callback'] },
    'http://127.0.0.1:41999/callback',
  ],
  [
    'Inspector',
    {
      ...codeAndRefresh,
      client_name: 'MCP Inspector',
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1:6276/oauth/callback'],
    },
    'http://127.0.0.1:6276/oauth/callback',
  ],
  [
    'Gemini CLI',
    {
      ...codeAndRefresh,
      client_name: 'Gemini CLI MCP Client',
      redirect_uris: ['http://localhost:38001/oauth/callback'],
      code_challenge_method: ['S256'],
      scope: '',
    },
    'http://localhost:38001/oauth/callback',
  ],
  [
    'Copilot CLI, where a client id is not wanted',
    { client_name: 'GitHub Copilot CLI', redirect_uris: ['http://127.0.0.1:33333/'] },
    'http://127.0.0.1:33333/',
  ],
  [
    'opencode',
    {
      ...codeAndRefresh,
      client_name: 'OpenCode',
      client_uri: 'https://opencode.ai',
      redirect_uris: ['http://127.0.0.1:19876/mcp/oauth/callback'],
    },
    'http://127.0.0.1:19876/mcp/oauth/callback',
  ],
  [
    'mcp-remote and amp',
    {
      ...codeAndRefresh,
      client_name: 'MCP CLI Proxy',
      client_uri: 'https://github.com/modelcontextprotocol/mcp-cli',
      software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d',
      software_version: '0.15.1',
      redirect_uris: ['http://localhost:12121/oauth/callback'],
    },
    'http://localhost:12121/oauth/callback',
  ],
  [
    'Cursor, with a scheme of its own',
    {
      ...codeAndRefresh,
      client_name: 'Cursor',
      redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://localhost:8787/callback'],
    },
    'cursor://anysphere.cursor-mcp/oauth/callback',
  ],
  [
    'ChatGPT, where a client id is not wanted',
    {
      ...codeAndRefresh,
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    },
    'https://chatgpt.com/connector_platform_oauth_redirect',
  ],
  [
    'Claude.ai, where a client id is not wanted',
    {
      ...codeAndRefresh,
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'client_secret_post',
    },
    'https://claude.ai/api/mcp/auth_callback',
  ],
];

describe('DCR', () => {
  it.each(registering)('registers %s and gives it access', async (_, body, redirectUri) => {
    const response = await register(world, body);
    expect(response.status).toBe(201);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const registered = (await response.json()) as Record<string, unknown>;
    expect(registered).toMatchObject({
      client_id: expect.any(String),
      client_name: body.client_name,
      redirect_uris: body.redirect_uris,
      token_endpoint_auth_method: 'none',
      response_types: ['code'],
    });
    // Some clients fail on null, and a public client has no secret that could expire.
    expect(Object.values(registered)).not.toContain(null);
    expect(Object.keys(registered)).not.toContain('client_secret');
    const client = new OAuthClient(world, registered.client_id as string, redirectUri);
    const { access_token } = await client.connect(browser, everything);
    expect((await world.call(access_token, 'schema')).isError).toBeUndefined();
  });

  const refused: [name: string, body: unknown, code: string][] = [
    ['redirect_uris: []', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['no redirect_uris', { client_name: 'x' }, 'invalid_redirect_uri'],
    ['redirect_uris: null', { redirect_uris: null }, 'invalid_redirect_uri'],
    ['redirect_uris of another type', { redirect_uris: 'http://127.0.0.1/' }, 'invalid_redirect_uri'],
    ['a redirect URI of another type', { redirect_uris: [1] }, 'invalid_redirect_uri'],
    ['a redirect URI that is none', { redirect_uris: ['x'] }, 'invalid_redirect_uri'],
    ['eleven redirect URIs', { redirect_uris: Array(11).fill('http://127.0.0.1/') }, 'invalid_redirect_uri'],
    [
      'a name of another type',
      { redirect_uris: ['http://127.0.0.1/'], client_name: 7 },
      'invalid_client_metadata',
    ],
    ['an array', [], 'invalid_client_metadata'],
    ['null', null, 'invalid_client_metadata'],
    ['a string', 'x', 'invalid_client_metadata'],
  ];
  it.each(refused)('of %s is refused with 400 and no 500', async (_, body, error) => {
    const response = await register(world, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error, error_description: expect.any(String) });
  });

  it('of text that is not JSON is refused with 400', async () => {
    const response = await world.request('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^invalid_/) });
  });

  it('gives every registration its own id, also of the same client', async () => {
    const body = { client_name: 'opencode', redirect_uris: ['http://127.0.0.1:19876/mcp/oauth/callback'] };
    const answers = await Promise.all(Array.from({ length: 5 }, () => register(world, body)));
    const ids = await Promise.all(
      answers.map(async (one) => ((await one.json()) as { client_id: string }).client_id),
    );
    expect(new Set(ids).size).toBe(5);
  });
});

/** Ids under which clients come, and the address to which they want the answer. */
const documented: [name: string, clientId: string, redirectUri: string][] = [
  ['Claude Code', 'https://claude.ai/oauth/claude-code-client-metadata', 'http://localhost:54321/callback'],
  [
    'Claude Code on 127.0.0.1',
    'https://claude.ai/oauth/claude-code-client-metadata',
    'http://127.0.0.1:1/callback',
  ],
  ['Codex', 'https://chatgpt.com/oauth/codex/client.json', 'http://127.0.0.1:45678/callback'],
  ['Codex on localhost', 'https://chatgpt.com/oauth/codex/client.json', 'http://localhost:45678/callback'],
  [
    'Codex with an id per server',
    'https://chatgpt.com/oauth/codex/abc123/client.json',
    'http://127.0.0.1:45678/callback/abc123',
  ],
  ['Copilot CLI', 'https://github.com/copilot/cli/client-metadata.json', 'http://127.0.0.1:50505/callback'],
  [
    'Copilot CLI at the root',
    'https://github.com/copilot/cli/client-metadata.json',
    'http://127.0.0.1:50505/',
  ],
  ['VS Code', 'https://vscode.dev/oauth/client-metadata.json', 'http://127.0.0.1:33418/'],
  ['VS Code on the web', 'https://vscode.dev/oauth/client-metadata.json', 'https://vscode.dev/redirect'],
];

describe('CIMD', () => {
  it.each(documented)('gives %s access without a network', async (_, clientId, redirectUri) => {
    const client = new OAuthClient(world, clientId, redirectUri);
    const { page, code, verifier } = await client.approve(browser, everything);
    expect(page.text).toContain(`verified: ${new URL(clientId).host}`);
    const response = await client.redeem(code as string, verifier);
    expect(response.status).toBe(200);
    const { access_token, refresh_token } = (await response.json()) as Record<string, string>;
    expect((await world.call(access_token as string, 'schema')).isError).toBeUndefined();
    expect((await client.refresh(refresh_token as string)).status).toBe(200);
  });
});

describe('a loopback redirect', () => {
  it.each(['http://localhost/callback', 'http://127.0.0.1/callback', 'http://[::1]/callback'])(
    'registered as %s may come from any port',
    async (registered) => {
      const { clientId } = await OAuthClient.register(world, { redirect_uris: [registered] });
      for (const port of [80, 1024, 65535]) {
        const asked = registered.replace('/callback', `:${port}/callback`);
        const { code, done } = await new OAuthClient(world, clientId, asked).approve(browser, everything);
        expect(code).toBeDefined();
        expect(done.url.startsWith(new URL(asked).href)).toBe(true);
      }
    },
  );

  it('registered with a port may come from another one', async () => {
    const { clientId } = await OAuthClient.register(world, {
      redirect_uris: ['http://127.0.0.1:5555/callback'],
    });
    const client = new OAuthClient(world, clientId, 'http://127.0.0.1:6666/callback');
    expect((await client.approve(browser, everything)).code).toBeDefined();
  });

  it.each([
    ['another path', 'http://127.0.0.1:5555/callback2'],
    ['another loopback name', 'http://localhost:5555/callback'],
    ['another host', 'http://127.0.0.1.example.com:5555/callback'],
    ['https', 'https://127.0.0.1:5555/callback'],
    ['a query', 'http://127.0.0.1:5555/callback?x=1'],
    ['a user name', 'http://me@127.0.0.1:5555/callback'],
  ])('with %s is refused on a page of ours and never followed', async (_, asked) => {
    const { clientId } = await OAuthClient.register(world, {
      redirect_uris: ['http://127.0.0.1:5555/callback'],
    });
    const page = await browser.open(new OAuthClient(world, clientId, asked).startUrl().url);
    expect(page.status).toBe(400);
    expect(page.url.startsWith(ORIGIN)).toBe(true);
    expect(readAnswer(page).code).toBeUndefined();
  });
});
