import { afterEach, describe, expect, it, vi } from 'vitest';
import { OAuthClient, readAnswer } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const { world, owner: browser, client } = await useSignedInWorld();
afterEach(() => {
  vi.useRealTimers();
});

const everything = { stream: ['0', '1', '2', '3'] };

/** Sends the parameters of a request to the server first, as RFC 9126 has it. */
async function push(change: Record<string, string | undefined> = {}, by = client) {
  const { url, verifier, state } = client.startUrl(change);
  const params = new URL(url).searchParams;
  params.set('client_id', by.clientId);
  const response = await world.request('/oauth/par', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: params.toString(),
  });
  const body = (await response.json()) as { request_uri: string; expires_in: number; error?: string };
  return { status: response.status, body, verifier, state };
}
const openPushed = (request_uri: string, by = client) =>
  browser.open(`/oauth/authorize?${new URLSearchParams({ client_id: by.clientId, request_uri })}`);

describe('a pushed authorization request', () => {
  it('is shown like any other request, and leads to a token', async () => {
    const { status, body, verifier, state } = await push();
    expect(status).toBe(201);
    expect(body).toEqual({ request_uri: expect.stringMatching(/^urn:/), expires_in: expect.any(Number) });
    const page = await openPushed(body.request_uri);
    expect(page.text).toContain('Test app wants to read your data');
    const done = await browser.submit(page, { decision: 'approve', ...everything });
    const answer = readAnswer(done);
    expect([answer.iss, answer.returnedState]).toEqual([ORIGIN, state]);
    const response = await client.redeem(answer.code as string, verifier);
    expect(response.status).toBe(200);
    const { access_token } = (await response.json()) as { access_token: string };
    expect((await world.call(access_token, 'schema')).isError).toBeUndefined();
  });

  it('cannot be changed by browser parameters', async () => {
    const { body } = await push();
    const changed = new URLSearchParams({
      client_id: client.clientId,
      request_uri: body.request_uri,
      redirect_uri: 'https://evil.example/',
      state: 'other',
    });
    const page = await browser.open(`/oauth/authorize?${changed}`);
    const target = page.headers.get('location') ?? page.text;
    expect(target).not.toContain('evil.example');
  });

  it('works once', async () => {
    const { body } = await push();
    await browser.submit(await openPushed(body.request_uri), { decision: 'approve', ...everything });
    const again = await openPushed(body.request_uri);
    expect(readAnswer(again).code).toBeUndefined();
    expect(again.text).not.toContain('wants to read your data');
  });

  it('expires', async () => {
    const { body } = await push();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (body.expires_in + 1) * 1_000 });
    const page = await openPushed(body.request_uri);
    expect(page.text).not.toContain('wants to read your data');
  });

  it('of another client is not found', async () => {
    const other = await OAuthClient.register(world, { client_name: 'Other app' });
    const { body } = await push();
    expect((await openPushed(body.request_uri, other)).text).not.toContain('wants to read your data');
  });

  it.each([
    ['a redirect URI of somebody else', { redirect_uri: 'https://evil.example/' }, 'invalid_request'],
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['the resource of another server', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['details of another type', { authorization_details: '[{"type":"x"}]' }, 'invalid_authorization_details'],
  ])('with %s is refused at once', async (_, change, error) => {
    const { status, body } = await push(change);
    expect([status, body.error]).toEqual([400, error]);
  });

  it('of an unknown client is refused with 401 invalid_client', async () => {
    const { status, body } = await push({}, new OAuthClient(world, 'nobody'));
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });
});

describe('a request that waits for the owner', () => {
  it('can be denied: the app receives access_denied, iss and state', async () => {
    const { url, state } = client.startUrl();
    const done = await browser.submit(await browser.open(url), { decision: 'deny' });
    expect(readAnswer(done)).toEqual({
      code: undefined,
      error: 'access_denied',
      iss: ORIGIN,
      returnedState: state,
    });
  });

  it('is denied unless the form says approve', async () => {
    for (const decision of ['', 'Approve', 'yes', null]) {
      const page = await browser.open(client.startUrl().url);
      const done = await browser.submit(page, { decision, ...everything });
      expect(readAnswer(done)).toMatchObject({ code: undefined, error: 'access_denied' });
    }
  });

  it('expires after half an hour, with a message', async () => {
    const page = await browser.open(client.startUrl().url);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 60_000 });
    const late = await browser.submit(page, { decision: 'approve', ...everything });
    expect([late.status, late.text.includes('This request has expired')]).toEqual([410, true]);
  });

  it('can be answered once', async () => {
    const page = await browser.open(client.startUrl().url);
    const done = await browser.submit(page, { decision: 'approve', ...everything });
    expect(readAnswer(done).code).toBeDefined();
    const again = await browser.submit(page, { decision: 'approve', ...everything });
    expect([again.status, readAnswer(again).code]).toEqual([410, undefined]);
  });

  it('with nothing ticked is shown again with a message and creates no grant', async () => {
    const page = await browser.open(client.startUrl().url);
    const empty = await browser.submit(page, { decision: 'approve', stream: [] });
    expect([empty.status, empty.text.includes('Select what the app may read')]).toEqual([400, true]);
    const done = await browser.submit(empty, { decision: 'approve', ...everything });
    expect(readAnswer(done).code).toBeDefined();
  });

  it('may run beside another one in the same browser', async () => {
    const other = await OAuthClient.register(world, { client_name: 'Second app' });
    const [first, second] = [client.startUrl(), other.startUrl()];
    const firstPage = await browser.open(first.url);
    const secondPage = await browser.open(second.url);
    expect([firstPage.text, secondPage.text].map((text) => /Second app wants/.test(text))).toEqual([
      false,
      true,
    ]);
    const secondDone = await browser.submit(secondPage, { decision: 'approve', ...everything });
    expect(readAnswer(secondDone)).toMatchObject({ code: expect.any(String), returnedState: second.state });
    const firstDone = await browser.submit(firstPage, { decision: 'approve', ...everything });
    expect(readAnswer(firstDone)).toMatchObject({ code: expect.any(String), returnedState: first.state });
  });
});
