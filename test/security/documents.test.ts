import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBrowser } from '../support/browser.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { outcome, postForm, statusOf } from '../support/oauth-checks.ts';
import { createOwnerBrowser, OAuthClient, type Tokens } from '../support/oauth-client.ts';
import { startAgain } from '../support/servers/servers.ts';
import { ORIGIN, type World } from '../support/world.ts';

const ID = 'https://doc.example/client.json';
const CLAUDE_CODE = 'https://claude.ai/oauth/claude-code-client-metadata';
const CHATGPT = 'https://chatgpt.com/oauth/client.json';

let world: World;
let fetched: string[];
let answer: (url: string) => Response | Promise<Response>;
const fetchDocument = async (url: string | URL) => {
  fetched.push(String(url));
  return answer(String(url));
};
const describeDoc = (change: Record<string, unknown> = {}) => ({
  client_id: ID,
  client_name: 'Doc',
  redirect_uris: ['https://doc.example/cb'],
  token_endpoint_auth_method: 'none',
  ...change,
});
const down = () => Promise.reject(new Error('down'));

beforeEach(async () => {
  fetched = [];
  answer = () => Response.json(describeDoc());
  world = await createDiaryWorld({ clock: 'real', fetchDocument });
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  world.close();
});

const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);
const doc = (server: World = world) => new OAuthClient(server, ID, 'https://doc.example/cb');
const start = async (client: OAuthClient, server: World = world) =>
  (await createBrowser(server.request, ORIGIN).send(client.startUrl().url)).status;

describe('a client document', () => {
  it('A-10 is fetched once for fifty requests at once', async () => {
    answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return Response.json(describeDoc());
    };
    const statuses = await Promise.all(Array.from({ length: 50 }, () => start(doc())));
    expect(statuses).toEqual(Array(50).fill(303));
    expect(fetched).toEqual([ID]);
  });

  it('A-10 that could not be fetched is fetched again, and the failure is not cached', async () => {
    const failures = [() => new Response('', { status: 404 }), down, () => new Response('{')];
    const pages = new Set<string>();
    for (const failure of failures) {
      answer = failure;
      const page = await createBrowser(world.request, ORIGIN).open(doc().startUrl().url);
      expect([page.status, page.headers.get('location')]).toEqual([400, null]);
      pages.add(page.text);
    }
    // A page that told them apart would map the owner's network.
    expect([...pages]).toHaveLength(1);
    answer = () => Response.json(describeDoc());
    expect(await start(doc())).toBe(303);
    expect(fetched.length).toBeGreaterThan(failures.length);
  });

  it.each<[string | undefined, number]>([
    [undefined, 60],
    ['no-store', 60],
    ['max-age=5', 60],
    ['public, max-age=3600', 3_600],
    ['max-age=31536000', 86_400],
  ])('A-10 with Cache-Control %s is kept for %i seconds', async (header, seconds) => {
    answer = () =>
      Response.json(describeDoc(), { headers: header === undefined ? {} : { 'cache-control': header } });
    await start(doc());
    wait((seconds - 2) * 1_000);
    await start(doc());
    expect(fetched).toHaveLength(1);
    wait(3_000);
    await start(doc());
    expect(fetched).toHaveLength(2);
  });

  it('A-10 that changed after approval is shown as changed', async () => {
    const owner = await createOwnerBrowser(world);
    await doc().connect(owner, { stream: ['0'] });
    const notice = 'name or address has changed since you last approved it';
    const open = async () => (await owner.open(doc().startUrl().url)).text;
    expect(await open()).not.toContain(notice);
    const cases = [
      { redirect_uris: ['https://doc.example/cb', 'https://evil.example/cb'] },
      { client_name: 'Claude' },
    ];
    for (const change of cases) {
      answer = () => Response.json(describeDoc(change));
      wait(61_000);
      expect(await open()).toContain(notice);
    }
    await doc().connect(owner, { stream: ['0'] });
    expect(await open()).not.toContain(notice);
  });

  it('A-10 need not be reachable for an approved app to refresh or revoke, also after a restart', async () => {
    const owner = await createOwnerBrowser(world);
    let tokens = await doc().connect(owner, { stream: ['0', '1'] });
    answer = down;
    const other = await doc().connect(owner, { stream: ['0'] });
    for (const server of [world, startAgain(world, { fetchDocument })]) {
      wait(2 * 86_400_000);
      tokens = (await (await doc(server).refresh(tokens.refresh_token)).json()) as Tokens;
      expect(await statusOf(server, tokens.access_token)).toBe(200);
    }
    const server = startAgain(world, { fetchDocument });
    const left = await postForm(server, '/oauth/revoke', { client_id: ID, token: other.refresh_token });
    expect(left.status).toBe(200);
    expect(await outcome(doc(server).refresh(other.refresh_token))).toEqual([400, 'invalid_grant']);
    // It cannot ask for anything new, though, and nobody else gains by it.
    const later = startAgain(world, { fetchDocument });
    expect(await start(doc(later), later)).toBe(400);
    const stranger = new OAuthClient(later, 'https://doc.example/other.json');
    expect((await outcome(stranger.refresh(tokens.refresh_token)))[1]).toBe('invalid_client');
  });

  it('A-10 is fetched at a limited rate; clients that need no fetch do not wait', async () => {
    answer = down;
    for (let i = 0; i < 60; i += 1) {
      const client = new OAuthClient(world, `https://doc${i}.example/client.json`);
      expect(await start(client)).toBe(400);
    }
    expect(fetched).toHaveLength(30);
    const real = startAgain(world);
    for (let i = 0; i < 31; i += 1) await start(new OAuthClient(real, 'https://127.0.0.1/client.json'), real);
    expect(await start(new OAuthClient(real, CLAUDE_CODE, 'http://localhost:4444/callback'), real)).toBe(303);
    wait(61_000);
    answer = () => Response.json(describeDoc());
    expect(await start(doc())).toBe(303);
  });
});

describe('the published documents of Claude Code and ChatGPT', () => {
  it.each([
    [CLAUDE_CODE, 'http://localhost:54545/callback', 'claude.ai'],
    [CLAUDE_CODE, 'http://127.0.0.1:54545/callback', 'claude.ai'],
    [CHATGPT, 'https://chatgpt.com/connector_platform_oauth_redirect', 'chatgpt.com'],
  ])('A-09 complete a sign-in: %s at %s', async (clientId, redirectUri, host) => {
    const server = startAgain(world);
    await createOwnerBrowser(world);
    const owner = createBrowser(server.request, ORIGIN);
    await owner.submit(await owner.open('/login'), { passphrase: 'correct horse battery staple' });
    const client = new OAuthClient(server, clientId, redirectUri);
    const { page, code, verifier } = await client.approve(owner, { stream: ['0'] });
    expect(page.text).toContain(`verified: ${host}`);
    const tokens = (await (await client.redeem(code as string, verifier)).json()) as Tokens;
    expect(await statusOf(server, tokens.access_token)).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  });
});
