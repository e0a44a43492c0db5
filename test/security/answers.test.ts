import { describe, expect, it, vi } from 'vitest';
import { createBrowser, decode } from '../support/browser.ts';
import { OAuthClient, readAnswer } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const { world, owner } = await useSignedInWorld();
const client = await OAuthClient.register(world, { redirect_uris: ['https://app.example/cb'] });

const stranger = () => createBrowser(world.request, ORIGIN);

/** Requests with something wrong that the client is to be told. */
const wrong: [error: string, change: Record<string, string | undefined>][] = [
  ['unsupported_response_type', { response_type: 'bad' }],
  ['unsupported_response_type', { response_type: 'token' }],
  ['unsupported_response_type', { response_type: 'code id_token' }],
  ['invalid_request', { response_type: undefined }],
  ['invalid_request', { code_challenge: undefined }],
  ['invalid_target', { resource: 'https://other.example/mcp' }],
  ['consent_required', { prompt: 'none' }],
  ['request_not_supported', { request: 'e30.e30.' }],
  ['request_uri_not_supported', { request_uri: 'https://evil.example/request' }],
  ['invalid_request_uri', { request_uri: 'urn:ietf:params:oauth:request_uri:nope' }],
  ['registration_not_supported', { registration: '{}' }],
  ['unsupported_response_mode', { response_mode: 'fragment' }],
  ['unsupported_response_mode', { response_mode: 'form_post' }],
  ['unsupported_response_mode', { response_mode: 'web_message' }],
  ['unsupported_response_mode', { response_mode: 'jwt' }],
  ['unsupported_response_mode', { response_mode: 'form_post', response_type: 'bad' }],
  ['invalid_authorization_details', { authorization_details: '[{"type":"x"}]' }],
];

describe('an error at the authorization endpoint', () => {
  it.each(wrong)('A-17 %s %j does not redirect a browser that is not signed in', async (_, change) => {
    const { url } = client.startUrl(change);
    const page = await stranger().send(url);
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
    expect(page.headers.get('refresh')).toBeNull();
    expect(page.text).not.toMatch(/http-equiv="refresh"|<form|submit\(\)|location\./i);
    // There is a way back, for a person who clicks.
    const links = [...page.text.matchAll(/href="(https?:[^"]*)"/g)].map((match) =>
      decode(match[1] as string),
    );
    expect(links).toHaveLength(1);
    expect(links[0]).toMatch(/^https:\/\/app\.example\/cb[?#]/);
  });

  it.each(wrong)(
    'A-18 %s %j reaches the client with its state and our issuer, once each',
    async (error, change) => {
      const { url, state } = client.startUrl(change);
      const page = await owner.send(url);
      expect(page.status).toBe(303);
      const target = new URL(page.headers.get('location') as string);
      expect(`${target.origin}${target.pathname}`).toBe('https://app.example/cb');
      // Who asks for a token in the fragment is told there that there are none.
      const isImplicit = /token/.test(change.response_type ?? '');
      expect(target.hash !== '').toBe(isImplicit);
      const told = isImplicit ? new URLSearchParams(target.hash.slice(1)) : target.searchParams;
      expect(told.getAll('error')).toEqual([error]);
      expect(told.getAll('iss')).toEqual([ORIGIN]);
      expect(told.getAll('state')).toEqual([state]);
      expect(told.has('code')).toBe(false);
    },
  );

  it('A-17 about the client or its redirect is shown as a page', async () => {
    const unknown = [
      { client_id: 'nobody' },
      { client_id: undefined },
      { client_id: '__proto__' },
      { client_id: 'http://evil.example/client.json' },
      { redirect_uri: 'https://evil.example/cb' },
      { redirect_uri: 'https://evil.example/cb', response_type: 'bad' },
      { redirect_uri: 'https://evil.example/cb', response_mode: 'form_post', prompt: 'none' },
    ];
    for (const change of unknown) {
      for (const browser of [owner, stranger()]) {
        const page = await browser.send(client.startUrl(change).url);
        expect([page.status, page.headers.get('location')]).toEqual([400, null]);
        expect(page.text).not.toMatch(/evil|<form/);
      }
    }
  });

  it('A-17 has a page with the right content length', async () => {
    const page = await stranger().send(client.startUrl({ response_type: 'bad' }).url);
    const length = page.headers.get('content-length');
    if (length !== null) expect(Number(length)).toBe(Buffer.byteLength(page.text));
    expect(page.text).toContain('</html>');
  });

  it('A-17 on the return to the client is no bypass', async () => {
    // A stranger begins, and goes straight to where the owner would have been sent after deciding.
    const browser = stranger();
    const start = await browser.send(client.startUrl().url);
    const uid = start.headers.get('location')?.split('/').at(-1) as string;
    const back = await browser.send(`/oauth/authorize/${uid}`);
    expect(back.headers.get('location') ?? '').not.toContain('app.example');
    const other = await stranger().send(`/oauth/authorize/${uid}`);
    expect([other.status, other.headers.get('location')]).toEqual([400, null]);
  });
});

describe('state and issuer', () => {
  const state = `&=%"<>+ #?;/\\é€😀%20%00${'x&=%"<'.repeat(700)}`.slice(0, 4_096);

  it.each(['approve', 'deny'])(
    'A-18 are returned unchanged, up to four kilobytes, when the owner answers %s',
    async (decision) => {
      expect(state.length).toBe(4_096);
      const page = await owner.open(client.startUrl({ state }).url);
      const done = await owner.submit(page, { decision, stream: '0' });
      const query = new URL(done.url).searchParams;
      expect(query.getAll('state')).toEqual([state]);
      expect(query.getAll('iss')).toEqual([ORIGIN]);
      expect(query.has('code')).toBe(decision === 'approve');
      expect(query.get('error')).toBe(decision === 'deny' ? 'access_denied' : null);
    },
  );

  it('A-18 match the metadata; without a state none is returned', async () => {
    const metadata = (await (
      await world.request('/.well-known/oauth-authorization-server')
    ).json()) as Record<string, unknown>;
    expect(metadata).toMatchObject({ issuer: ORIGIN, authorization_response_iss_parameter_supported: true });
    const resource = (await (
      await world.request('/.well-known/oauth-protected-resource/mcp')
    ).json()) as Record<string, unknown>;
    expect(resource.authorization_servers).toEqual([ORIGIN]);
    const page = await owner.open(client.startUrl({ state: undefined }).url);
    const done = await owner.submit(page, { decision: 'deny' });
    expect(readAnswer(done)).toEqual({
      code: undefined,
      error: 'access_denied',
      iss: ORIGIN,
      returnedState: undefined,
    });
    expect(done.url).not.toContain('state=');
  });

  it('A-18 of an expired request are not sent', async () => {
    const page = await owner.open(client.startUrl().url);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 60_000 });
    try {
      for (const decision of ['approve', 'deny']) {
        const late = await owner.submit(page, { decision, stream: '0' });
        expect([late.status, late.headers.get('location')]).toEqual([410, null]);
      }
    } finally {
      vi.useRealTimers();
    }
  });
});
