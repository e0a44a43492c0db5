import { beforeEach, describe, expect, it } from 'vitest';
import { createEventLog } from '../../src/audit/events.ts';
import { checkFolderState } from '../../src/cli/serve/check-folder-state.ts';
import { createSetupLink } from '../../src/owner/setup-link.ts';
import { renewMark } from '../../src/store/sqlite/folder/folder-mark.ts';
import { type Browser, createBrowser } from '../support/browser.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { createOwnerBrowser, OAuthClient, PASSPHRASE, signIn } from '../support/oauth-client.ts';
import { runCli } from '../support/run-cli.ts';
import { useWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const NEW = 'a quite different set of words';
const world = await useWorld(createDiaryWorld({ clock: 'real' }));
const { directory } = world.store;
let here: Browser;
let elsewhere: Browser;
let ownerToken: string;

beforeEach(async () => {
  here = await createOwnerBrowser(world);
  elsewhere = await signIn(world);
  ownerToken = await world.ownerToken();
});

const isSignedIn = async (browser: Browser) => (await browser.send('/dashboard')).status === 200;
const makeLink = async () => new URL(await createSetupLink(world.store.write, ORIGIN, new Date())).pathname;
const isUsable = async (link: string) =>
  (await createBrowser(world.request, ORIGIN).open(link)).status === 200;
const setBy = async (link: string) => {
  const browser = createBrowser(world.request, ORIGIN);
  await browser.submit(await browser.open(link), { passphrase: NEW, again: NEW });
  return browser;
};
const changeInSettings = async (browser: Browser) => {
  const { text } = await browser.open('/dashboard/settings');
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] as string;
  const body = new URLSearchParams({ csrf, current: PASSPHRASE, passphrase: NEW, again: NEW }).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: ORIGIN,
    'sec-fetch-site': 'same-origin',
  };
  return browser.send('/dashboard/settings/passphrase', { method: 'POST', body, headers });
};
/** Apps by their tokens, and the owner's own token. */
const doTokensWork = async () => [
  (await world.rpc(world.mine, 'tools/list')).status,
  (await world.request('/v1/schema', { headers: { authorization: `Bearer ${ownerToken}` } })).status,
];

describe('`pdpp owner reset`', () => {
  it('ends older links only, and lists what the new passphrase will end', async () => {
    const older = await makeLink();
    const { code, out: stdout } = await runCli(['owner', 'reset', '--data', directory]);
    expect(code).toBe(0);
    expect(stdout).toContain('This signs out every browser. Apps and owner tokens keep access');
    const link = new URL(/http\S+/.exec(stdout)?.[0] as string).pathname;
    expect([await isUsable(older), await isUsable(link)]).toEqual([false, true]);
    expect([await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([true, true]);
    expect(await doTokensWork()).toEqual([200, 200]);
  });
});

describe('a new passphrase set by a link', () => {
  it('ends every session, every link and the old passphrase; apps and owner tokens keep working', async () => {
    const link = await makeLink();
    const browser = await setBy(link);
    expect([await isSignedIn(browser), await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await isUsable(link)).toBe(false);
    await expect(signIn(world)).rejects.toThrow('not signed in');
    expect(await doTokensWork()).toEqual([200, 200]);
  });

  it('shows how many apps keep access and where to revoke it, except on first start', async () => {
    const { text } = await createBrowser(world.request, ORIGIN).open(await makeLink());
    expect(text).toContain('signs out all other browsers');
    expect(text).toContain('3 apps and your owner tokens keep working');
    world.store.write.raw.exec(`delete from settings where name = 'owner_passphrase'`);
    const first = await createBrowser(world.request, ORIGIN).open(await makeLink());
    expect(first.text).not.toContain('keep working');
  });

  it('keeps a pending consent request after the next sign-in', async () => {
    const client = await OAuthClient.register(world);
    const page = await here.open(client.startUrl().url);
    await setBy(await makeLink());
    const answer = await here.submit(page, { decision: 'approve', stream: '0' });
    expect(new URL(answer.url).pathname).toBe('/login');
    const back = await here.submit(answer, { passphrase: NEW });
    expect(back.text).toContain('Nothing is approved yet. Your selection is still here.');
  });
});

describe('a new passphrase set on the settings page', () => {
  it('ends other sessions and unused links; apps and owner tokens keep working', async () => {
    const link = await makeLink();
    const done = await changeInSettings(here);
    expect([done.status, done.headers.get('location')]).toEqual([303, '/dashboard/settings?done=passphrase']);
    expect([await isSignedIn(here), await isSignedIn(elsewhere), await isUsable(link)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await doTokensWork()).toEqual([200, 200]);
    const { text } = await here.open('/dashboard/settings?done=passphrase');
    expect(text).toContain('This signs out all other browsers. 3 apps and your owner tokens keep working');
    expect(text).toContain('href="/dashboard/apps"');
  });

  it('is not treated as an old passphrase at the next start', async () => {
    world.store.write.raw.exec('delete from setup_links');
    await changeInSettings(here);
    await renewMark(world.store);
    expect(await checkFolderState(world.store, createEventLog(world.store.audit), new Date())).toEqual([]);
    expect(await isSignedIn(here)).toBe(true);
  });
});
