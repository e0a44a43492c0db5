import { describe, expect, it } from 'vitest';
import { createBrowser } from '../support/browser.ts';
import { OAuthClient } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const clients = new Map<string, OAuthClient>();

const WEB = 'https://app.example/cb';
const LOOPBACK = 'http://localhost/callback';
const registered = [WEB, LOOPBACK, 'http://127.0.0.1:5555/callback', 'http://[::1]/callback'];

const { world, owner } = await useSignedInWorld();
for (const uri of registered) clients.set(uri, await OAuthClient.register(world, { redirect_uris: [uri] }));

/** Starts with another redirect URI than the registered one, as the owner and as a stranger. */
async function start(uri: string, sent: string | undefined) {
  const client = clients.get(uri) as OAuthClient;
  const { url } = client.startUrl({ redirect_uri: sent });
  return [await owner.send(url), await createBrowser(world.request, ORIGIN).send(url)];
}

async function expectRefused(uri: string, sent: string | undefined): Promise<void> {
  for (const page of await start(uri, sent)) {
    expect([sent, page.status, page.headers.get('location')]).toEqual([sent, 400, null]);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text).not.toContain('Back to the app');
    expect(page.text).not.toMatch(/evil\.example|app\.example/);
  }
}

describe('a redirect URI', () => {
  it.each([
    `${WEB}/`,
    `${WEB}?x=1`,
    `${WEB}?`,
    'https://app.example/CB',
    'https://app.example/cb/../cb',
    'https://app.example/./cb',
    'https://app.example/cb%2f',
    'https://app.example/c%62',
    `${WEB}#f`,
    `${WEB}#`,
    'https://u@app.example/cb',
    'https://app.example:444/cb',
    'https://app.example:443/cb',
    'http://app.example/cb',
    'HTTPS://app.example/cb',
    'https://APP.example/cb',
    'https://app.example./cb',
    'https://app.example.evil.example/cb',
    'https://evil.example/cb',
    'https://evil.example/https://app.example/cb',
    'https://app.example\\@evil.example/cb',
    '//app.example/cb',
    '/cb',
    'app.example/cb',
    ` ${WEB}`,
    `${WEB} `,
    `${WEB}\n`,
    'javascript:alert(1)//https://app.example/cb',
    undefined,
  ])('A-01 %j is not https://app.example/cb', (sent) => expectRefused(WEB, sent));

  it('A-01 may be sent only once', async () => {
    const client = clients.get(WEB) as OAuthClient;
    for (const second of [WEB, 'https://evil.example/cb']) {
      const url = `${client.startUrl().url}&redirect_uri=${encodeURIComponent(second)}`;
      for (const browser of [owner, createBrowser(world.request, ORIGIN)]) {
        const page = await browser.send(url);
        expect([page.status, page.headers.get('location')]).toEqual([400, null]);
        expect(page.text).not.toContain('evil');
      }
    }
  });

  it('A-01 of a pushed request follows the same rules, and cannot be changed later', async () => {
    const client = clients.get(WEB) as OAuthClient;
    const push = async (redirect_uri: string) => {
      const { url } = client.startUrl({ redirect_uri });
      const response = await world.request('/oauth/par', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URL(url).search.slice(1),
      });
      return { status: response.status, body: (await response.json()) as { request_uri?: string } };
    };
    expect((await push('https://evil.example/cb')).status).toBe(400);
    const { status, body } = await push(WEB);
    expect(status).toBe(201);
    const query = new URLSearchParams({
      client_id: client.clientId,
      request_uri: body.request_uri as string,
      redirect_uri: 'https://evil.example/cb',
    });
    const page = await owner.open(`/oauth/authorize?${query}`);
    expect(page.text).not.toContain('evil.example');
    const done = await owner.submit(page, { decision: 'deny' });
    expect(done.url).toMatch(/^https:\/\/app\.example\/cb\?error=access_denied/);
  });
});

describe('the port of a loopback redirect', () => {
  it.each(['http://127.0.0.1:/callback', 'http://127.0.0.1:05555/callback', 'http://127.0.0.1:0/callback'])(
    'A-02 is a real one: http://127.0.0.1:5555/callback does not allow %s',
    (sent) => expectRefused('http://127.0.0.1:5555/callback', sent),
  );

  it.each<[registered: string, sent: string]>([
    [LOOPBACK, 'http://localhost:58135/callback'],
    [LOOPBACK, LOOPBACK],
    ['http://127.0.0.1:5555/callback', 'http://127.0.0.1:58135/callback'],
    ['http://127.0.0.1:5555/callback', 'http://127.0.0.1/callback'],
    ['http://[::1]/callback', 'http://[::1]:58135/callback'],
  ])('A-02 may be any: %s allows %s', async (uri, sent) => {
    const client = clients.get(uri) as OAuthClient;
    const page = await owner.open(client.startUrl({ redirect_uri: sent }).url);
    expect(page.status).toBe(200);
    const done = await owner.submit(page, { decision: 'deny' });
    expect(done.url).toMatch(/[?&]error=access_denied/);
    expect(done.url.startsWith(`${sent}?`)).toBe(true);
  });

  it.each([
    'http://127.0.0.1:58135/callback',
    'http://[::1]:58135/callback',
    'http://localhost:58135/callback2',
    'http://localhost:58135/callback/',
    'http://localhost:58135/Callback',
    'http://localhost:58135/callback?x=1',
    'http://localhost:58135/callback#x',
    'http://localhost:58135/',
    'https://localhost:1/callback',
    'HTTP://localhost:1/callback',
    'http://LOCALHOST:1/callback',
    'http://localhost.:1/callback',
    'http://localhost.evil.example:1/callback',
    'http://localhost:1@evil.example/callback',
    'http://u@localhost:1/callback',
    'http://evil.example#localhost/callback',
    'http://localhost:99999/callback',
    'http://localhost:1:2/callback',
    'http://localhost:+1/callback',
    'http://127.0.0.2:1/callback',
    'http://127.1:1/callback',
    'http://0.0.0.0:1/callback',
    'http://localhost:/callback',
    'http://localhost:0/callback',
    'http://localhost:080/callback',
    'http://localhost:+80/callback',
    'http://localhost:1/./callback',
    'http://localhost:1/x/../callback',
    'http://localhost:1/%63allback',
    'http://localhost:1\t/callback',
    'http://local\nhost:1/callback',
    'http://localhost:1/callback\n',
    'http:localhost:1/callback',
    'http:/localhost:1/callback',
    'http:\\localhost:1/callback',
  ])('A-02 is all that may differ: http://localhost/callback does not allow %s', (sent) =>
    expectRefused(LOOPBACK, sent),
  );
});
