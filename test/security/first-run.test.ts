import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSetupLink } from '../../src/owner/setup-link.ts';
import { createBrowser } from '../support/browser.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { findCsrf, postForm, postPage } from '../support/oauth-checks.ts';
import { OAuthClient, PASSPHRASE } from '../support/oauth-client.ts';
import { startAgain } from '../support/servers/servers.ts';
import { ORIGIN, type World } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await createDiaryWorld({ clock: 'real' });
});
afterEach(() => {
  vi.useRealTimers();
  world.close();
});

const newBrowser = (server = world) => createBrowser(server.request, ORIGIN);
const newLink = () => createSetupLink(world.store.write, ORIGIN, new Date());
const twice = (passphrase: string) => ({ passphrase, again: passphrase });

describe('before the passphrase is set', () => {
  it('A-24 no request counts as the owner, and no owner page answers', async () => {
    const browser = newBrowser();
    const client = await OAuthClient.register(world);
    const pages = ['/dashboard', '/dashboard/apps', '/r/mine/entries/one', '/oauth/device', '/login'];
    for (const path of [...pages, client.startUrl().url])
      expect([path, (await browser.open(path)).status]).toEqual([path, 403]);
    for (const path of ['/dashboard.json', '/dashboard/apps.json', '/r/mine/entries/one'])
      expect((await world.request(path)).status).toBe(401);
    for (const path of ['/logout', '/dashboard/alarms/seen', '/oauth/device', '/oauth/consent/x'])
      expect((await postForm(world, path, {}, { origin: ORIGIN })).status).toBe(401);
  });

  it('A-24 no passphrase is accepted, neither empty nor common', async () => {
    const browser = newBrowser();
    const csrf = findCsrf(await browser.open(await newLink()));
    for (const passphrase of ['', 'owner', 'admin', 'password', 'pdpp', 'changeme', 'undefined', 'null'])
      expect((await postPage(browser, '/login', { csrf, passphrase })).status).toBe(403);
    expect((await browser.send('/dashboard')).status).toBe(303);
  });
});

describe('the setup link', () => {
  it('A-24 sets the passphrase once', async () => {
    const browser = newBrowser();
    const link = await newLink();
    expect(link).toMatch(/\/setup\/pdpp_[\w-]{43}$/);
    const page = await browser.open(link);
    expect((await browser.submit(page, twice(PASSPHRASE))).url).toBe(`${ORIGIN}/dashboard`);
    expect((await browser.open(link)).status).toBe(410);
    const csrf = findCsrf(await browser.open('/dashboard'));
    const again = await postPage(browser, new URL(link).pathname, { csrf, ...twice('another passphrase') });
    expect(again.status).toBe(410);
    expect((await browser.open(`/setup/pdpp_${'A'.repeat(43)}`)).status).toBe(410);
  });

  it('A-24 works for an hour, or until a newer link exists', async () => {
    const browser = newBrowser();
    const page = await browser.open(await newLink());
    const newer = await browser.open(await newLink());
    expect((await browser.submit(page, twice(PASSPHRASE))).status).toBe(410);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 });
    expect((await browser.submit(newer, twice(PASSPHRASE))).status).toBe(410);
    expect((await browser.open(newer.url)).status).toBe(410);
  });

  it('A-24 is not used up by a refused passphrase, and works once for two concurrent requests', async () => {
    const browser = newBrowser();
    const page = await browser.open(await newLink());
    for (const bad of [twice('too short'), twice(''), { passphrase: PASSPHRASE, again: 'another' }])
      expect((await browser.submit(page, bad)).status).toBe(400);
    const other = newBrowser(startAgain(world));
    const same = await other.open(page.url);
    const done = await Promise.all([
      browser.submit(page, twice('the first passphrase')),
      other.submit(same, twice('the second passphrase')),
    ]);
    expect(done.map(({ status }) => status).sort()).toEqual([200, 410]);
  });
});
