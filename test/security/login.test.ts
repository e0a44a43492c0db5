import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setPassphrase } from '../../src/owner/passphrase.ts';
import { createSetupLink } from '../../src/owner/setup-link.ts';
import { type Browser, createBrowser, type Page, readForm } from '../support/browser.ts';
import { eventKinds, findCsrf, postPage } from '../support/oauth-checks.ts';
import { createOwnerBrowser, PASSPHRASE, signIn } from '../support/oauth-client.ts';
import { startListening } from '../support/servers/servers.ts';
import { createWorld, ORIGIN, type World } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld({ clock: 'real' });
});
afterEach(() => {
  vi.useRealTimers();
  world.close();
});

const tryLogin = async (browser: Browser, passphrase: string, headers = {}): Promise<Page> =>
  browser.submit(await browser.open('/login'), { passphrase }, headers);
const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] as number;

describe('guessing the passphrase', () => {
  it('A-15 is stopped after ten attempts for any address header, until a wait has passed', async () => {
    await createOwnerBrowser(world);
    const server = await startListening(world);
    const browser = createBrowser((path, init) => fetch(`${server.origin}${path}`, init), server.origin);
    const pages: Page[] = [];
    for (let i = 0; i < 20; i += 1) {
      const address = `10.0.0.${i}`;
      const claims = { 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}` };
      pages.push(await tryLogin(browser, `wrong ${i}`, claims));
    }
    expect(pages.map(({ status }) => status)).toEqual([...Array(10).fill(401), ...Array(10).fill(429)]);
    expect(Number(pages.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(800);
    expect((await tryLogin(browser, PASSPHRASE)).status).toBe(429);
    expect((await eventKinds(world)).filter((kind) => kind === 'sign_in_failed')).toHaveLength(10);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 + 1_000 });
    expect((await tryLogin(browser, PASSPHRASE)).url).toBe(`${server.origin}/dashboard`);
    await server.close();
  });

  it('A-15 by others does not lock out a browser in which the owner has signed in', async () => {
    const known = await createOwnerBrowser(world);
    const stranger = createBrowser(world.request, ORIGIN);
    for (let i = 0; i < 11; i += 1) await tryLogin(stranger, `wrong ${i}`);
    expect((await tryLogin(stranger, PASSPHRASE)).status).toBe(429);
    const csrf = findCsrf(await known.open('/dashboard'));
    await postPage(known, '/logout', { csrf });
    expect((await tryLogin(known, PASSPHRASE)).url).toBe(`${ORIGIN}/dashboard`);
  });

  it('A-15 does not count correct attempts, also concurrent ones', async () => {
    await createOwnerBrowser(world);
    for (let i = 0; i < 6; i += 1) await Promise.all([signIn(world), signIn(world), signIn(world)]);
    expect((await (await signIn(world)).open('/dashboard')).status).toBe(200);
  });

  // Interleaved, and by medians: hashing takes most of the time, so a missing one would show on any machine.
  it('A-15 takes as long without a passphrase as with another one', async () => {
    const other = await createWorld({ clock: 'real' });
    await setPassphrase(other.store.write, PASSPHRASE, async () => true);
    const guess = async (server: World) => {
      const link = await createSetupLink(server.store.write, ORIGIN, new Date());
      const browser = createBrowser(server.request, ORIGIN);
      const csrf = findCsrf(await browser.open(link));
      const started = performance.now();
      await postPage(browser, '/login', { csrf, passphrase: 'guess' });
      return performance.now() - started;
    };
    const unset: number[] = [];
    const wrong: number[] = [];
    for (let i = 0; i < 7; i += 1) {
      unset.push(await guess(world));
      wrong.push(await guess(other));
    }
    other.close();
    expect(median(unset) / median(wrong)).toBeGreaterThan(0.4);
    expect(median(unset) / median(wrong)).toBeLessThan(2.5);
  });

  // The limit for one answer is 200 ms; a busy machine is allowed more, but hashes in parallel would take seconds.
  it('A-15 two hundred times at once does not block other requests', async () => {
    await setPassphrase(world.store.write, PASSPHRASE, async () => true);
    const browser = createBrowser(world.request, ORIGIN);
    const page = await browser.open('/login');
    let left = 200;
    const logins = Array.from({ length: 200 }, async (_, i) => {
      const { status } = await browser.submit(page, { passphrase: `wrong ${i}` });
      left -= 1;
      return status;
    });
    const times: number[] = [];
    while (left > 0) {
      const started = performance.now();
      expect((await world.request('/readyz')).status).toBe(200);
      times.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const statuses = await Promise.all(logins);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(190);
    expect(times.length).toBeGreaterThan(20);
    expect(median(times)).toBeLessThan(200);
  });
});

describe('the return address', () => {
  const foreign = [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/%5cevil.example',
    '/%5Cevil.example',
    '\\\\evil.example',
    'https:evil.example',
    'https://evil.example',
    'https://evil.example/dashboard',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/%09/evil.example',
    '/\n/evil.example',
    '/%0d%0aLocation:%20https://evil.example',
    '\r\nLocation: https://evil.example',
    '/dashboard\r\nLocation: https://evil.example',
    '/dashboard%0d%0aLocation:x',
    '/dashboard//evil.example',
    '/dashboard/..//evil.example',
    '/dashboard@evil.example\\',
    '/dashboard"><script>',
    '.evil.example',
    '@evil.example',
    '',
    ' /dashboard',
    `/dashboard/${'a'.repeat(5_000)}`,
  ];

  it('A-16 is a path of this server, or the start page', async () => {
    const owner = await createOwnerBrowser(world);
    const locations = async (return_to: string) => {
      const signedIn = await owner.send(`/login?${new URLSearchParams({ return_to })}`);
      const browser = createBrowser(world.request, ORIGIN);
      const page = await browser.open(`/login?${new URLSearchParams({ return_to })}`);
      const shown = readForm(page.text).fields.get('return_to');
      const form = { csrf: findCsrf(page), passphrase: PASSPHRASE, return_to };
      const posted = await postPage(browser, '/login', form);
      expect([signedIn.status, posted.status]).toEqual([303, 303]);
      return [signedIn.headers.get('location'), shown, posted.headers.get('location')];
    };
    for (const path of foreign)
      expect([path, ...(await locations(path))]).toEqual([path, '/dashboard', '/dashboard', '/dashboard']);
    for (const path of [
      '/dashboard/apps',
      '/dashboard/data?q=a%20b&as=x',
      '/r/mine/entries/one',
      '/oauth/device',
    ])
      expect(await locations(path)).toEqual([path, path, path]);
  });

  it('A-16 is the page that the owner opened before signing in', async () => {
    await createOwnerBrowser(world);
    const browser = createBrowser(world.request, ORIGIN);
    const login = await browser.open('/dashboard/apps?done=revoked');
    const { url } = await browser.submit(login, { passphrase: PASSPHRASE });
    expect(url).toBe(`${ORIGIN}/dashboard/apps?done=revoked`);
    const strange = await createBrowser(world.request, ORIGIN).send('/dashboard//evil.example/%5c..');
    expect(strange.headers.get('location')).toMatch(/^\/login\?return_to=%2F/);
  });
});
