import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createBrowser } from '../support/browser.ts';
import { PASSPHRASE, readAnswer } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const { world, owner: browser, client } = await useSignedInWorld();

const everything = { stream: ['0', '1', '2', '3'] };
const plain = createHash('sha256').update('x').digest('base64url');

describe('an authorization request', () => {
  const accepted: [name: string, change: Record<string, string | undefined>][] = [
    ['prompt=consent', { prompt: 'consent' }],
    ['prompt=login', { prompt: 'login' }],
    ['prompt=select_account', { prompt: 'select_account' }],
    ['a prompt nobody knows', { prompt: 'surprise' }],
    ['unknown parameters', { foo: 'bar', audience: 'x', utm_source: 'y', code_challenge_methods: 'S256' }],
    ['OpenID parameters', { nonce: 'n', max_age: '0', ui_locales: 'de', claims: '{}', acr_values: 'a' }],
    ['access_type=offline', { access_type: 'offline' }],
    ['scope pdpp:read', { scope: 'pdpp:read' }],
    ['scope offline_access alone', { scope: 'offline_access' }],
    ['an empty scope', { scope: '' }],
    ['no scope', { scope: undefined }],
    ['the union scope of a step-up', { scope: 'pdpp:read offline_access pdpp:more' }],
    ['OpenID scopes', { scope: 'openid profile email' }],
    ['no resource', { resource: undefined }],
    ['the resource with a slash', { resource: `${ORIGIN}/mcp/` }],
    ['the origin as resource', { resource: ORIGIN }],
    ['the origin with a slash as resource', { resource: `${ORIGIN}/` }],
    ['response_mode=query', { response_mode: 'query' }],
    ['a long state', { state: 's'.repeat(1_500) }],
    ['a state of every printable character', { state: ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ä' }],
  ];
  it.each(accepted)('with %s is shown, and its token reads', async (_, change) => {
    const { code, verifier, page, iss, returnedState, state } = await client.approve(
      browser,
      everything,
      change,
    );
    expect([page.status, iss, returnedState]).toEqual([200, ORIGIN, state]);
    const response = await client.redeem(code as string, verifier);
    expect(response.status).toBe(200);
    const { access_token, refresh_token, scope } = (await response.json()) as Record<string, string>;
    // Staying connected does not depend on having asked for offline_access.
    expect(refresh_token).toMatch(/^pdppr_/);
    expect(scope?.split(' ')).toContain('pdpp:read');
    expect((await world.call(access_token as string, 'schema')).isError).toBeUndefined();
  });

  it('without state comes back without state', async () => {
    const { code, returnedState, iss } = await client.approve(browser, everything, { state: undefined });
    expect([typeof code, returnedState, iss]).toEqual(['string', undefined, ORIGIN]);
  });

  it('in a browser that is not signed in leads over the sign-in page to the same question', async () => {
    const fresh = createBrowser(world.request, ORIGIN);
    const { url, state } = client.startUrl();
    const login = await fresh.open(url);
    expect(new URL(login.url).pathname).toBe('/login');
    const page = await fresh.submit(login, { passphrase: PASSPHRASE });
    expect(page.text).toContain('Test app wants to read your data');
    const done = await fresh.submit(page, { decision: 'approve', ...everything });
    expect(readAnswer(done)).toMatchObject({ code: expect.any(String), iss: ORIGIN, returnedState: state });
  });

  const refused: [name: string, change: Record<string, string | undefined>, error: string][] = [
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['with PKCE plain', { code_challenge: plain, code_challenge_method: 'plain' }, 'invalid_request'],
    ['without a challenge method', { code_challenge_method: undefined }, 'invalid_request'],
    ['without response_type', { response_type: undefined }, 'invalid_request'],
    ['for the resource of another server', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['for a deeper path', { resource: `${ORIGIN}/mcp/deeper` }, 'invalid_target'],
    ['that must not show a page', { prompt: 'none' }, 'consent_required'],
    [
      'with authorization details of another type',
      { authorization_details: '[{"type":"x"}]' },
      'invalid_authorization_details',
    ],
    [
      'with authorization details that are no JSON',
      { authorization_details: '[' },
      'invalid_authorization_details',
    ],
    ['with a request object', { request: 'eyJ.eyJ.x' }, 'request_not_supported'],
  ];
  it.each(refused)('%s goes back to the app with the error, iss and state', async (_, change, error) => {
    const { url, state } = client.startUrl(change);
    const page = await browser.open(url);
    expect(new URL(page.url).origin).toBe(new URL(client.redirectUri).origin);
    expect(readAnswer(page)).toMatchObject({ code: undefined, error, iss: ORIGIN, returnedState: state });
    // Some clients print what they get: a plus sign would be shown as one.
    expect(page.headers.get('location')).not.toContain('+');
  });

  it.each(['token', 'id_token', 'code token'])(
    'with response_type=%s goes back with the error where such answers go',
    async (response_type) => {
      const { url, state } = client.startUrl({ response_type });
      const location = (await browser.open(url)).headers.get('location') as string;
      const answer = new URLSearchParams(new URL(location).hash.slice(1));
      expect(answer.get('error')).toBe('unsupported_response_type');
      expect([answer.get('iss'), answer.get('state')]).toEqual([ORIGIN, state]);
      expect(location).not.toContain('+');
    },
  );

  it.each([
    ['without a client id', { client_id: undefined }],
    ['of a client nobody registered', { client_id: 'nobody' }],
    ['without a redirect URI', { redirect_uri: undefined }],
    ['with the redirect URI of somebody else', { redirect_uri: 'https://evil.example/' }],
  ])('%s ends on a page of ours', async (_, change) => {
    const page = await browser.open(client.startUrl(change).url);
    expect(page.status).toBe(400);
    expect(page.headers.get('location')).toBeNull();
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  });
});

describe('Deny', () => {
  it('tells the app access_denied, with spaces as %20, iss and state', async () => {
    const { url, state } = client.startUrl();
    const done = await browser.submit(await browser.open(url), { decision: 'deny' });
    expect(readAnswer(done)).toEqual({
      code: undefined,
      error: 'access_denied',
      iss: ORIGIN,
      returnedState: state,
    });
    expect(new URL(done.url).search).toContain('error_description=Access%20denied%20by%20the%20owner');
  });

  it('leaves nothing behind: the same app is asked about again', async () => {
    const page = await browser.open(client.startUrl().url);
    expect(page.text).toContain('Test app wants to read your data');
  });
});
