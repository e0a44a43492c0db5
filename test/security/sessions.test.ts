import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSetupLink } from '../../src/owner/setup-link.ts';
import { type Browser, createBrowser } from '../support/browser.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { findCsrf, postPage } from '../support/oauth-checks.ts';
import { createOwnerBrowser, OAuthClient, PASSPHRASE, signIn } from '../support/oauth-client.ts';
import { HTTPS_ORIGIN, startHttps } from '../support/servers/servers.ts';
import { ORIGIN, type World } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await createDiaryWorld({ clock: 'real' });
});
afterEach(() => {
  vi.useRealTimers();
  world.close();
});

const COOKIE = 'pdpp_7733 /';
const DAY = 86_400_000;
const wait = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
const isSignedIn = async (browser: Browser) => (await browser.send('/dashboard')).status === 200;
const newBrowser = () => createBrowser(world.request, ORIGIN);
/** Another browser that got hold of the cookie. */
const copy = (browser: Browser): Browser => {
  const other = newBrowser();
  other.cookies.set(COOKIE, browser.cookies.get(COOKIE) as string);
  return other;
};

describe('the session cookie', () => {
  it('A-22 is __Host-, Secure, HttpOnly and Lax at an https address', async () => {
    await createOwnerBrowser(world);
    const browser = createBrowser(startHttps(world).request, HTTPS_ORIGIN);
    const page = await browser.open('/login');
    const signed = await postPage(browser, '/login', { csrf: findCsrf(page), passphrase: PASSPHRASE });
    const lines = [...page.headers.getSetCookie(), ...signed.headers.getSetCookie()];
    expect(lines.map((line) => line.split('=')[0])).toEqual([
      '__Host-pdpp',
      '__Host-pdpp_known',
      '__Host-pdpp',
    ]);
    for (const line of lines) {
      expect(line).toMatch(/^__Host-pdpp(_known)?=pdpp_[\w-]{43}(\.[\w-]{43})?; /);
      for (const part of [/; Path=\/(;|$)/, /; Secure/, /; HttpOnly/, /; SameSite=Lax/])
        expect(line).toMatch(part);
      expect(line).not.toMatch(/Domain/i);
    }
    expect((await browser.send('/dashboard')).status).toBe(200);
  });

  it('A-22 drops prefix and Secure on plain loopback, and nothing else', async () => {
    await createOwnerBrowser(world);
    const [line] = (await newBrowser().open('/login')).headers.getSetCookie();
    expect(line).toMatch(/^pdpp_7733=pdpp_[\w-]{43}; .*; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('A-22 and the cookies of the authorization server have the same flags', async () => {
    const client = await OAuthClient.register(world);
    const { pathname, search } = new URL(client.startUrl({ resource: undefined }).url);
    for (const server of [startHttps(world), world]) {
      const lines = (await server.request(`${pathname}${search}`)).headers.getSetCookie();
      expect(lines.length).toBeGreaterThan(1);
      for (const line of lines) {
        for (const part of [/; httponly/i, /; samesite=lax/i]) expect(line).toMatch(part);
        expect(/; secure/i.test(line)).toBe(server !== world);
        expect(line).not.toMatch(/domain=/i);
      }
    }
  });

  it('A-22 has a new value after sign-in; an earlier or unknown value is refused', async () => {
    await createOwnerBrowser(world);
    const browser = newBrowser();
    const page = await browser.open('/login');
    const planted = copy(browser);
    await browser.submit(page, { passphrase: PASSPHRASE });
    expect([await isSignedIn(browser), await isSignedIn(planted)]).toEqual([true, false]);
    const hash = world.store.write.raw.prepare('select session_hash from sessions').pluck().get() as string;
    for (const value of ['', 'x', `pdpp_${'A'.repeat(43)}`, hash]) {
      planted.cookies.set(COOKIE, value);
      expect(await isSignedIn(planted)).toBe(false);
    }
  });

  it('A-22 ends on the server when signing out, and when signing in again', async () => {
    const owner = await createOwnerBrowser(world);
    const stolen = copy(owner);
    await postPage(owner, '/logout', { csrf: findCsrf(await owner.open('/dashboard')) });
    expect(await isSignedIn(stolen)).toBe(false);
    expect((await stolen.open('/dashboard')).url).toContain('/login?return_to=%2Fdashboard');

    const again = await signIn(world);
    const before = copy(again);
    const csrf = findCsrf(await again.open('/dashboard/apps'));
    await postPage(again, '/login', { csrf, passphrase: PASSPHRASE });
    expect([await isSignedIn(again), await isSignedIn(before)]).toEqual([true, false]);
  });

  it('A-22 ends after a week unused, after thirty days in any case, and with a new passphrase', async () => {
    const owner = await createOwnerBrowser(world);
    wait(7 * DAY - 60_000);
    expect(await isSignedIn(owner)).toBe(true);
    wait(7 * DAY + 60_000);
    expect(await isSignedIn(owner)).toBe(false);

    const busy = await signIn(world);
    for (let day = 0; day < 30; day += 6) {
      expect(await isSignedIn(busy)).toBe(true);
      wait(6 * DAY);
    }
    expect(await isSignedIn(busy)).toBe(false);

    const [one, two] = [await signIn(world), await signIn(world)];
    const browser = newBrowser();
    const page = await browser.open(await createSetupLink(world.store.write, ORIGIN, new Date()));
    await browser.submit(page, { passphrase: 'another good one', again: 'another good one' });
    expect([await isSignedIn(one), await isSignedIn(two), await isSignedIn(browser)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
