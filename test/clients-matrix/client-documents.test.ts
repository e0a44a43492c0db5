import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDiaryWorld } from '../support/diary-world.ts';
import { createOwnerBrowser, OAuthClient } from '../support/oauth-client.ts';
import type { World } from '../support/world.ts';

const DAY = 86_400_000;
const everything = { stream: ['0', '1', '2', '3'] };
const worlds: World[] = [];

async function open(options: Parameters<typeof createDiaryWorld>[0] = {}) {
  const world = await createDiaryWorld({ clock: 'real', ...options });
  worlds.push(world);
  return { world, browser: await createOwnerBrowser(world) };
}
afterEach(() => {
  vi.useRealTimers();
  for (const world of worlds.splice(0)) world.close();
});

describe('a client metadata document', () => {
  const clientId = 'https://app.example/oauth/client.json';
  const redirectUri = 'https://app.example/callback';
  const document = {
    client_id: clientId,
    client_name: 'Some app',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'web',
  };
  const answer = () => Promise.resolve(Response.json(document));
  const fail = () => Promise.reject(new Error('unreachable'));

  it('of an app that is not well known is fetched, and its host shown', async () => {
    const { world, browser } = await open({ fetchDocument: answer });
    const client = new OAuthClient(world, clientId, redirectUri);
    const { page, code, verifier } = await client.approve(browser, everything);
    expect(page.text).toContain('verified: app.example');
    expect((await client.redeem(code as string, verifier)).status).toBe(200);
  });

  it('that cannot be fetched leads to an error page without details of the network', async () => {
    const { world, browser } = await open({ fetchDocument: fail });
    const page = await browser.open(new OAuthClient(world, clientId, redirectUri).startUrl().url);
    expect(page.status).toBe(400);
    expect(page.headers.get('location')).toBeNull();
    expect(page.text).not.toContain('unreachable');
  });

  it('of many strangers do not disconnect known apps', async () => {
    let reachable = true;
    const { world, browser } = await open({ fetchDocument: () => (reachable ? answer() : fail()) });
    const known = new OAuthClient(world, clientId, redirectUri);
    const { refresh_token } = await known.connect(browser, everything);
    reachable = false;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * DAY });
    for (let count = 0; count < 60; count += 1) {
      const stranger = new OAuthClient(world, `https://stranger-${count}.example/c.json`, redirectUri);
      expect((await browser.open(stranger.startUrl().url)).status).toBe(400);
    }
    expect((await known.refresh(refresh_token)).status).toBe(200);
  });

  it('that is pinned is available during a flood by strangers', async () => {
    const { world, browser } = await open();
    for (let count = 0; count < 60; count += 1) {
      const stranger = new OAuthClient(world, `https://127.0.0.1/${count}.json`, redirectUri);
      expect((await browser.open(stranger.startUrl().url)).status).toBe(400);
    }
    const pinned = 'https://claude.ai/oauth/claude-code-client-metadata';
    const claude = new OAuthClient(world, pinned, 'http://localhost:1234/callback');
    expect((await browser.open(claude.startUrl().url)).status).toBe(200);
  });
});
