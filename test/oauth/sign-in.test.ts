import { describe, expect, it } from 'vitest';
import { createBrowser } from '../support/browser.ts';
import { OAuthClient, PASSPHRASE } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const { world, owner: browser } = await useSignedInWorld();

describe('an app that signs in', () => {
  it('is approved, gets a token, reads, refreshes and is refused after revocation', async () => {
    const client = await OAuthClient.register(world);
    const { url, verifier, state } = client.startUrl();
    const page = await browser.open(url);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Test app wants to read your data');
    expect(page.text).toContain('127.0.0.1:5555');
    const done = await browser.submit(page, { decision: 'approve', stream: ['0', '1'] });
    const answer = new URL(done.url);
    expect(answer.searchParams.get('iss')).toBe(ORIGIN);
    expect(answer.searchParams.get('state')).toBe(state);
    const response = await client.redeem(answer.searchParams.get('code') as string, verifier);
    const tokens = (await response.json()) as {
      access_token: string;
      refresh_token: string;
      expires_in: number;
    };
    expect([response.status, tokens.expires_in]).toEqual([200, 86_400]);
    const result = await world.call(tokens.access_token, 'schema');
    expect(result.isError).toBeUndefined();
    const refreshed = await client.refresh(tokens.refresh_token);
    expect(refreshed.status).toBe(200);
    const again = (await refreshed.json()) as typeof tokens;
    expect((await world.call(again.access_token, 'schema')).isError).toBeUndefined();
    const revoked = await world.request('/oauth/revoke', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: client.clientId, token: again.refresh_token }).toString(),
    });
    expect(revoked.status).toBe(200);
    expect((await world.rpc(again.access_token, 'tools/list')).status).toBe(401);
  });
});

describe('the sign-in page', () => {
  it('names the waiting app and its redirect host', async () => {
    const client = await OAuthClient.register(world, { client_name: 'Finance <b>Helper' });
    const fresh = createBrowser(world.request, ORIGIN);
    const page = await fresh.open(client.startUrl().url);
    expect(page.url).toContain('/login?return_to=');
    expect(page.text).toContain('Finance &lt;b&gt;Helper wants to read your data');
    expect(page.text).toContain('not verified');
    expect(page.text).toContain('127.0.0.1:5555');
    // A wrong passphrase does not make it forget.
    const again = await fresh.submit(page, { passphrase: 'wrong' });
    expect([again.status, again.text.includes('wants to read your data')]).toEqual([401, true]);
  });

  it.each(['/dashboard', '/oauth/consent/nobody', '/oauth/consent/..%2f'])(
    'names no app for %s',
    async (to) => {
      const fresh = createBrowser(world.request, ORIGIN);
      const page = await fresh.open(`/login?return_to=${encodeURIComponent(to)}`);
      expect([page.status, page.text.includes('wants to read')]).toEqual([200, false]);
    },
  );
});

describe('the owner who follows a citation', () => {
  it.each(['one', 'https://example.org/a(b)!', "it's 5% + a/b, or *", 'ключ', 'a@b:c;d=e&f?g#h'])(
    'to the record %j signs in and sees it',
    async (key) => {
      await world.ingest('mine', 'entries', [{ key, data: { id: key, title: `About ${key.length}` } }]);
      const path = `/r/mine/entries/${encodeURIComponent(key)}`;
      const fresh = createBrowser(world.request, ORIGIN);
      const page = await fresh.submit(await fresh.open(path), { passphrase: PASSPHRASE });
      expect([page.status, new URL(page.url).pathname]).toEqual([200, path]);
      expect(page.text).toContain(`About ${key.length}`);
    },
  );
});
