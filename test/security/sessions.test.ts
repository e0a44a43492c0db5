import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSetupLink } from '../../src/owner/setup-link.ts';
import { type Browser, createBrowser, type FormChange } from '../support/browser.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { postForm } from '../support/oauth-checks.ts';
import { createOwnerBrowser, OAuthClient, PASSPHRASE, signIn } from '../support/oauth-client.ts';
import { HTTPS_ORIGIN, startAgain, startHttps } from '../support/servers.ts';
import { ORIGIN, type World } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await createDiaryWorld({ clock: 'real' });
});
afterEach(() => {
  vi.useRealTimers();
  world.close();
});

const DAY = 86_400_000;
const wait = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
const isSignedIn = async (browser: Browser) => (await browser.send('/dashboard')).status === 200;
const copy = (browser: Browser): Browser => {
  const other = createBrowser(world.request, ORIGIN);
  for (const [key, value] of browser.cookies) other.cookies.set(key, value);
  return other;
};

describe('the session cookie', () => {
  it('A-22 is __Host-, Secure, HttpOnly and Lax at an https address', async () => {
    await createOwnerBrowser(world);
    const server = startHttps(world);
    const browser = createBrowser(server.request, HTTPS_ORIGIN);
    const page = await browser.open('/login');
    expect(page.headers.getSetCookie()).toHaveLength(1);
    const seen: string[] = page.headers.getSetCookie();
    const signed = await browser.send('/login', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: HTTPS_ORIGIN },
      body: new URLSearchParams({
        csrf: /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] as string,
        passphrase: PASSPHRASE,
      }).toString(),
    });
    seen.push(...signed.headers.getSetCookie());
    expect(seen).toHaveLength(2);
    for (const line of seen) {
      expect(line).toMatch(/^__Host-pdpp=pdpp_[\w-]{43}; /);
      expect(line).toMatch(/; Path=\/(;|$)/);
      expect(line).toMatch(/; Secure/);
      expect(line).toMatch(/; HttpOnly/);
      expect(line).toMatch(/; SameSite=Lax/);
      expect(line).not.toMatch(/Domain/i);
    }
    expect((await browser.send('/dashboard')).status).toBe(200);
  });

  it('A-22 drops prefix and Secure on plain loopback, and nothing else', async () => {
    await createOwnerBrowser(world);
    const [line] = (await createBrowser(world.request, ORIGIN).open('/login')).headers.getSetCookie();
    expect(line).toMatch(/^pdpp_7733=pdpp_[\w-]{43}; .*; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('A-22 has company of the authorization server that is as careful', async () => {
    const client = await OAuthClient.register(world);
    for (const [server, secure] of [
      [startHttps(world), true],
      [world, false],
    ] as const) {
      const { url } = client.startUrl({ resource: undefined });
      const lines = (
        await server.request(new URL(url).pathname + new URL(url).search)
      ).headers.getSetCookie();
      expect(lines.length).toBeGreaterThan(1);
      for (const line of lines) {
        expect(line).toMatch(/; httponly/i);
        expect(line).toMatch(/; samesite=lax/i);
        expect(/; secure/i.test(line)).toBe(secure);
        expect(line).not.toMatch(/domain=/i);
      }
    }
  });

  it('A-22 has a new value after signing in; one from before, or made up, is nobody', async () => {
    await createOwnerBrowser(world);
    const browser = createBrowser(world.request, ORIGIN);
    const page = await browser.open('/login');
    const planted = copy(browser);
    await browser.submit(page, { passphrase: PASSPHRASE });
    expect(await isSignedIn(browser)).toBe(true);
    expect(await isSignedIn(planted)).toBe(false);
    expect([...browser.cookies.values()]).not.toEqual([...planted.cookies.values()]);
    for (const value of [
      '',
      'x',
      `pdpp_${'A'.repeat(43)}`,
      world.store.write.raw.prepare('select session_hash from sessions').pluck().get() as string,
    ]) {
      planted.cookies.set('pdpp_7733 /', value);
      expect(await isSignedIn(planted)).toBe(false);
    }
  });

  it('A-22 ends on the server when signing out, and when signing in again', async () => {
    const owner = await createOwnerBrowser(world);
    const stolen = copy(owner);
    const out = (await owner.open('/dashboard')).text;
    const form = /<form[^>]*action="\/logout"[\s\S]*?<\/form>/.exec(out)?.[0] as string;
    const { url } = await owner.submit({
      ...(await owner.open('/dashboard')),
      text: form.replace('/logout', '/./logout'),
    });
    expect(url).toContain('/login');
    expect(await isSignedIn(stolen)).toBe(false);
    expect((await stolen.open('/dashboard')).url).toContain('/login?return_to=%2Fdashboard');

    const again = await signIn(world);
    const before = copy(again);
    const login = await createBrowser(world.request, ORIGIN).open('/login');
    const csrf = /name="csrf" value="([^"]+)"/.exec(
      (await again.open('/dashboard/apps')).text,
    )?.[1] as string;
    await again.submit(login, { csrf, passphrase: PASSPHRASE });
    expect(await isSignedIn(again)).toBe(true);
    expect(await isSignedIn(before)).toBe(false);
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
    await setUp(world, 'another good passphrase');
    expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([false, false]);
  });
});

async function setUp(server: World, passphrase: string, change: FormChange = {}) {
  const browser = createBrowser(server.request, ORIGIN);
  const link = await createSetupLink(server.store.write, ORIGIN, new Date());
  const page = await browser.open(link);
  return {
    browser,
    link,
    done: await browser.submit(page, { passphrase, again: passphrase, ...change }),
    page,
  };
}

describe('before the passphrase is set', () => {
  it('A-24 nobody is the owner: not with an empty passphrase, a usual one, or a made-up session', async () => {
    const browser = createBrowser(world.request, ORIGIN);
    expect((await browser.open('/login')).status).toBe(403);
    const { page } = await setUp(world, 'short');
    for (const passphrase of ['', 'owner', 'admin', 'password', 'pdpp', 'changeme']) {
      const login = { ...page, text: page.text.replace(/action="[^"]*"/, 'action="/login"') };
      const { browser: other } = await setUp(world, 'short');
      const csrf = /name="csrf" value="([^"]+)"/.exec(
        (await other.open(await createSetupLink(world.store.write, ORIGIN, new Date()))).text,
      )?.[1] as string;
      expect((await other.submit(login, { csrf, passphrase })).status).toBe(403);
    }
    const client = await OAuthClient.register(world);
    for (const path of [
      '/dashboard',
      '/dashboard.json',
      '/dashboard/apps',
      '/r/mine/entries/one',
      '/oauth/device',
    ]) {
      expect((await browser.open(path)).status).toBe(403);
      expect((await world.request(path)).status).toBe(401);
    }
    expect((await browser.open(client.startUrl().url)).status).toBe(403);
    for (const path of ['/logout', '/dashboard/alarms/seen', '/oauth/device', '/oauth/consent/x'])
      expect((await postForm(world, path, {}, { origin: ORIGIN })).status).toBe(401);
  });

  it('A-24 one link sets it, once, within the hour', async () => {
    const { browser, link, done } = await setUp(world, PASSPHRASE);
    expect(done.url).toBe(`${ORIGIN}/dashboard`);
    expect(link).toMatch(/\/setup\/pdpp_[\w-]{43}$/);
    expect((await browser.open(link)).status).toBe(410);
    expect((await browser.open(`${ORIGIN}/setup/pdpp_${'A'.repeat(43)}`)).status).toBe(410);

    const used = createBrowser(world.request, ORIGIN);
    const late = await createSetupLink(world.store.write, ORIGIN, new Date());
    const page = await used.open(late);
    const newer = await createSetupLink(world.store.write, ORIGIN, new Date());
    expect((await used.submit(page, { passphrase: PASSPHRASE, again: PASSPHRASE })).status).toBe(410);
    const last = await used.open(newer);
    wait(61 * 60_000);
    expect((await used.submit(last, { passphrase: PASSPHRASE, again: PASSPHRASE })).status).toBe(410);
    expect((await used.open(newer)).status).toBe(410);
  });

  it('A-24 a link used twice at once, or on two servers, works once; a bad passphrase does not use it up', async () => {
    const { page, browser, done } = await setUp(world, 'too short');
    expect(done.status).toBe(400);
    expect((await browser.submit(page, { passphrase: PASSPHRASE, again: 'another' })).status).toBe(400);
    const other = createBrowser(startAgain(world).request, ORIGIN);
    const pages = await Promise.all([
      browser.submit(page, { passphrase: 'the first passphrase', again: 'the first passphrase' }),
      other
        .open(page.url)
        .then((again) =>
          other.submit(again, { passphrase: 'a second passphrase', again: 'a second passphrase' }),
        ),
    ]);
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 410]);
  });
});
