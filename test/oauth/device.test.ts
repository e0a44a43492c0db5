import { afterEach, describe, expect, it, vi } from 'vitest';
import { createBrowser } from '../support/browser.ts';
import { OAuthClient, PASSPHRASE } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const { world, owner: browser } = await useSignedInWorld();
const client = await OAuthClient.register(world, { client_name: 'Terminal app' });
afterEach(() => {
  vi.useRealTimers();
});

const everything = { stream: ['0', '1', '2', '3'] };

interface Started {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval?: number;
}

const askForCode = (params: Record<string, string> = {}, clientId = client.clientId) =>
  world.request('/oauth/device/code', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      client_id: clientId,
      scope: 'pdpp:read offline_access',
      ...params,
    }).toString(),
  });
const start = async (params: Record<string, string> = {}) => {
  const response = await askForCode(params);
  expect(response.status).toBe(200);
  return (await response.json()) as Started;
};
const poll = async ({ device_code }: Started, by = client) => {
  const response = await by.token({
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code,
  });
  const body = (await response.json()) as { error?: string; access_token?: string; refresh_token?: string };
  return { status: response.status, ...body };
};
const typeCode = async (user_code: string, by = browser) =>
  by.submit(await by.open('/oauth/device'), { user_code });

describe('the device flow', () => {
  it('returns a code and the page for it', async () => {
    const started = await start();
    expect(started).toMatchObject({
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      verification_uri: `${ORIGIN}/oauth/device`,
      expires_in: 600,
    });
    expect(started.verification_uri_complete).toBe(`${ORIGIN}/oauth/device?user_code=${started.user_code}`);
  });

  it('leads from the code through consent to a token', async () => {
    const started = await start();
    expect(await poll(started)).toMatchObject({ status: 400, error: 'authorization_pending' });
    const page = await typeCode(started.user_code);
    expect(page.text).toContain('Terminal app wants to read your data');
    expect(page.text).toContain('Approve only if the code is from a device that you are using.');
    expect(await poll(started)).toMatchObject({ status: 400, error: 'authorization_pending' });
    const done = await browser.submit(page, { decision: 'approve', ...everything });
    expect([done.status, done.text.includes('Connected')]).toEqual([200, true]);
    const tokens = await poll(started);
    expect(tokens).toMatchObject({ status: 200, token_type: 'Bearer', refresh_token: expect.any(String) });
    expect((await world.call(tokens.access_token as string, 'schema')).isError).toBeUndefined();
    expect((await client.refresh(tokens.refresh_token as string)).status).toBe(200);
  });

  it('accepts the code in any common spelling', async () => {
    for (const change of [
      (code: string) => code.toLowerCase(),
      (code: string) => code.replace('-', ''),
      (code: string) => ` ${code.replace('-', ' ')} `,
    ]) {
      const { user_code } = await start();
      expect((await typeCode(change(user_code))).text).toContain('Terminal app wants to read your data');
    }
  });

  it('shows the code of a link for comparison and waits for the owner', async () => {
    const started = await start();
    const page = await browser.open(started.verification_uri_complete);
    expect(page.text).toContain('Continue only if your app shows exactly this code.');
    expect(page.text).toContain(`value="${started.user_code}"`);
    expect(page.text).not.toContain('wants to read your data');
    expect((await browser.submit(page)).text).toContain('Terminal app wants to read your data');
  });

  it('asks for the passphrase first, and then for the code', async () => {
    const { verification_uri_complete, user_code } = await start();
    const fresh = createBrowser(world.request, ORIGIN);
    const login = await fresh.open(verification_uri_complete);
    expect(new URL(login.url).pathname).toBe('/login');
    const page = await fresh.submit(login, { passphrase: PASSPHRASE });
    expect(page.text).toContain(`value="${user_code}"`);
  });

  it('tells the app access_denied when the owner denies', async () => {
    const started = await start();
    await browser.submit(await typeCode(started.user_code), { decision: 'deny' });
    expect(await poll(started)).toMatchObject({ status: 400, error: 'access_denied' });
    // And it stays that way.
    expect((await poll(started)).status).toBe(400);
  });

  it('returns expired_token after the time limit, and tells the owner', async () => {
    const started = await start();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
    expect(await poll(started)).toMatchObject({ status: 400, error: 'expired_token' });
    expect((await typeCode(started.user_code)).text).toContain('This code has expired');
  });

  it.each(['BCDF-GHJK', '', 'x', '"><script>', 'A'.repeat(300)])(
    'reports for the wrong code "%s" that no app is waiting',
    async (code) => {
      const page = await typeCode(code);
      expect(page.text).toContain('Connect a device');
      expect(page.text).toMatch(/No app is waiting for this code|Type the code/);
      expect(page.text).not.toContain('<script>');
    },
  );

  it('accepts a code once on the page and once for the token', async () => {
    const started = await start();
    await browser.submit(await typeCode(started.user_code), { decision: 'approve', ...everything });
    expect((await typeCode(started.user_code)).text).toContain('This code was already used');
    const tokens = await poll(started);
    expect(tokens.status).toBe(200);
    expect(await poll(started)).toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  it('tolerates an app that polls too often, and a slow one', async () => {
    const started = await start();
    const answers = await Promise.all(Array.from({ length: 30 }, () => poll(started)));
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(['authorization_pending', 'slow_down']).toContain(answer.error);
    }
    const page = await typeCode(started.user_code);
    await browser.submit(page, { decision: 'approve', ...everything });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 9 * 60_000 });
    expect((await poll(started)).status).toBe(200);
  });

  it('gives the token only to the app that requested it', async () => {
    const other = await OAuthClient.register(world);
    const started = await start();
    await browser.submit(await typeCode(started.user_code), { decision: 'approve', ...everything });
    expect(await poll(started, other)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect((await poll(started)).status).toBe(200);
  });

  it('refuses an unknown device code', async () => {
    const made_up = { device_code: 'x', user_code: 'x' } as Started;
    expect(await poll(made_up)).toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  it.each([
    ['a client nobody registered', {}, 'nobody', 401, 'invalid_client'],
    [
      'the resource of another server',
      { resource: 'https://other.example/' },
      undefined,
      400,
      'invalid_target',
    ],
  ])('refuses %s before it hands out a code', async (_, params, clientId, status, error) => {
    const response = await askForCode(params as Record<string, string>, clientId ?? client.clientId);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error });
  });

  it('requires the owner', async () => {
    const response = await world.request('/oauth/device', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN },
      body: 'user_code=BCDF-GHJK&confirm=yes',
    });
    expect(response.status).toBe(401);
  });
});
