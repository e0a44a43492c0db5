import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { signInByBrowser } from '../../src/client/browser-sign-in.ts';
import { signInByDevice } from '../../src/client/device-sign-in.ts';
import { explainError } from '../../src/client/explain-error.ts';
import { createGuardedFetch } from '../../src/client/guarded-fetch.ts';
import { greetServer } from '../../src/client/mcp-client.ts';
import type { Manners } from '../support/servers/tiny-server.ts';
import { useTinyServer } from '../support/servers/use-tiny-server.ts';

const at = useTinyServer();

/** Signs in where the owner follows each page that is printed. Says how it ended, and which pages there were. */
async function signIn() {
  const url = new URL(`${at.server.origin}/mcp`);
  const pages: string[] = [];
  const say = (text: string) => {
    if (!text.startsWith('\n')) return;
    pages.push(text.trim());
    void fetch(text.trim()).then((response) => response.text());
  };
  const contact = { browser: undefined, input: Readable.from([]), print: say };
  const fetchFn = createGuardedFetch(url);
  try {
    const { credentials } = await signInByBrowser(url, contact, fetchFn, undefined, greetServer);
    return { credentials, pages };
  } catch (thrown) {
    return { error: explainError(thrown, url) as Error & { code?: string }, pages };
  }
}

const asked = (pattern: RegExp) => at.server.requests.filter((request) => pattern.test(request));
const evil = 'https://evil.example';
/** Codes of refusals that are not for the safety's sake. */
const codes: Record<string, string> = { 'invalid answer': 'not_a_server', register: 'sign_in_refused' };

describe('signing in', () => {
  it('returns the data needed to read, renew and revoke, and nothing else', async () => {
    const { credentials } = await signIn();
    expect(credentials).toEqual({
      server: `${at.server.origin}/mcp`,
      issuer: at.server.origin,
      resource: `${at.server.origin}/mcp`,
      client: {
        client_id: expect.stringMatching(/^client-/),
        client_secret: undefined,
        token_endpoint_auth_method: 'none',
      },
      tokens: {
        access_token: expect.stringMatching(/^pdpp_/),
        refresh_token: expect.stringMatching(/^refresh-/),
        token_type: 'Bearer',
        scope: 'pdpp:read',
      },
      expires_at: expect.stringMatching(/^\d{4}-/),
    });
  });

  it.each<[what: string, manners: Manners, says: RegExp]>([
    [
      'a resource elsewhere',
      { resource: { resource: `${evil}/mcp` } },
      /reports a different address for itself/,
    ],
    [
      'a resource beside it',
      { resource: { resource: 'http://127.0.0.1:1/mcp' } },
      /a different address for itself/,
    ],
    ['an issuer that is not the one asked', { metadata: { issuer: evil } }, /another issuer/],
    ['no PKCE', { metadata: { code_challenge_methods_supported: undefined } }, /PKCE/],
    ['plain PKCE only', { metadata: { code_challenge_methods_supported: ['plain'] } }, /PKCE/],
    ['no way to register', { metadata: { registration_endpoint: undefined } }, /register/],
    ['its page elsewhere', { metadata: { authorization_endpoint: `${evil}/authorize` } }, /not safe/],
    [
      'a command in its page',
      { metadata: { authorization_endpoint: 'https://a.example/$(touch x)' } },
      /not safe/,
    ],
    ['a page without https', { metadata: { authorization_endpoint: 'http://intranet/a' } }, /not safe/],
    ['a file as its page', { metadata: { authorization_endpoint: 'file:///etc/passwd' } }, /not safe/],
    [
      'a script as its page',
      { metadata: { authorization_endpoint: 'javascript:alert(1)' } },
      /invalid answer/,
    ],
    ['an option as its page', { metadata: { authorization_endpoint: '--flag' } }, /invalid answer/],
    ['its token endpoint elsewhere', { metadata: { token_endpoint: `${evil}/token` } }, /not safe/],
    ['its registration elsewhere', { metadata: { registration_endpoint: `${evil}/r` } }, /not safe/],
    ['its revocation elsewhere', { metadata: { revocation_endpoint: `${evil}/r` } }, /not safe/],
    [
      'an issuer beyond this computer without https',
      { resource: { authorization_servers: ['http://evil.example'] } },
      /not safe/,
    ],
    ['metadata that is not understood', { metadata: { token_endpoint: 7 } }, /invalid answer/],
  ])('is refused to a server with %s', async (_, manners, says) => {
    Object.assign(at.server.manners, manners);
    const { error, pages } = await signIn();
    expect(error?.message).toMatch(says);
    expect(error?.code).toBe(codes[says.source] ?? 'unsafe_server');
    expect(pages).toEqual([]);
    expect(asked(/authorize|token|register/)).toEqual([]);
  });

  it.each<[what: string, answer: NonNullable<Manners['answer']>, says: RegExp]>([
    ['the name of another issuer', (right) => ({ ...right, iss: evil }), /another issuer/],
    ['no issuer though it promised one', ({ iss: _, ...right }) => right, /another issuer/],
    ['an issuer that differs by a slash', (right) => ({ ...right, iss: `${right.iss}/` }), /another issuer/],
    ['neither a code nor an error', ({ code: _, ...right }) => right, /refused the sign-in/],
    [
      'a refusal',
      ({ code: _, ...right }) => ({ ...right, error: 'access_denied' }),
      /The owner denied access/,
    ],
    [
      'a refusal of another issuer',
      ({ code: _, ...right }) => ({ ...right, iss: evil, error: 'x' }),
      /another issuer/,
    ],
    [
      'another error',
      ({ code: _, ...right }) => ({ ...right, error: 'server_error' }),
      /refused the sign-in/,
    ],
  ])('sends no code anywhere when the answer has %s', async (_, answer, says) => {
    at.server.manners.answer = answer;
    const { error } = await signIn();
    expect(error?.message).toMatch(says);
    expect(asked(/POST \/token/)).toEqual([]);
  });

  it.each([
    ['what it is', /protected-resource/],
    ['who signs in for it', /authorization-server/],
    ['the introduction', /register/],
    ['the tokens', /POST \/token/],
    ['the first call', /POST \/mcp/],
  ])('says that the server cannot be reached where an answer breaks off: %s', async (_, cutOff) => {
    at.server.manners.cutOff = cutOff;
    const { error } = await signIn();
    expect(asked(cutOff)).not.toEqual([]);
    expect(error).toMatchObject({ code: 'unreachable' });
  });

  it('C-02 ignores a response with another state and accepts the right one', async () => {
    at.server.manners.answer = (right) => {
      delete at.server.manners.answer;
      return { ...right, state: 'other' };
    };
    const url = new URL(`${at.server.origin}/mcp`);
    const said: string[] = [];
    const contact = {
      browser: undefined,
      input: Readable.from([]),
      print: (text: string) => said.push(text),
    };
    const signedIn = signInByBrowser(url, contact, createGuardedFetch(url), undefined, greetServer);
    await expect.poll(() => said.find((text) => text.startsWith('\n'))).toBeDefined();
    const page = said.find((text) => text.startsWith('\n'))?.trim() as string;
    expect((await fetch(page)).status).toBe(400);
    expect(asked(/POST \/token/)).toEqual([]);
    expect((await fetch(page)).status).toBe(200);
    expect((await signedIn).credentials.issuer).toBe(at.server.origin);
    expect(asked(/POST \/token/)).toHaveLength(1);
  });
});

describe('signing in from another device', () => {
  const run = () => {
    const url = new URL(`${at.server.origin}/mcp`);
    return signInByDevice(url, createGuardedFetch(url), undefined, () => {});
  };

  it('adds five seconds to the polling interval on slow_down (RFC 8628 §3.5)', async () => {
    at.server.manners.device = ['slow_down'];
    const started = Date.now();
    await run();
    expect(Date.now() - started).toBeGreaterThan(5_000);
    expect(asked(/POST \/token/)).toHaveLength(2);
  });

  it('stops polling when the code has expired', async () => {
    at.server.manners.device = Array(100).fill('authorization_pending');
    at.server.manners.deviceExpiresIn = 0.5;
    await expect(run()).rejects.toThrow(/The code expired/);
  });

  it('shows only pages of the issuer', async () => {
    at.server.manners.metadata = { device_authorization_endpoint: `${evil}/device` };
    await expect(run()).rejects.toThrow(/not safe/);
    at.server.manners.metadata = {};
    at.server.manners.verificationUri = `${evil}/device`;
    await expect(run()).rejects.toThrow(/not safe/);
  });

  it('reports a server without a device endpoint', async () => {
    at.server.manners.metadata = { device_authorization_endpoint: undefined };
    await expect(run()).rejects.toThrow(/does not support approval on another device/);
  });
});
