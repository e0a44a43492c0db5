import { describe, expect, it } from 'vitest';
import { createSetupLink } from '../../src/owner/setup-link.ts';
import { accountView, createScriptedAccounts, wrongPassword } from '../support/accounts/scripted-accounts.ts';
import { type Browser, createBrowser, type Page } from '../support/browser.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { INSIDE_WORDS } from '../support/inputs/hostile-values.ts';
import { postForm } from '../support/oauth-checks.ts';
import { createOwnerBrowser, OAuthClient, signIn } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN, type World } from '../support/world.ts';

const stranger = (server: World = world) => createBrowser(server.request, ORIGIN);
const accounts = createScriptedAccounts();
const { world, owner, client } = await useSignedInWorld(
  createDiaryWorld({ clock: 'real', accounts: accounts.service }),
);
accounts.put(accountView({ state: 'stopped', problem: { ...wrongPassword, since: '2026-11-01T00:00:00Z' } }));

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const SAME = { ...FORM, origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
const get = (path: string, by?: Browser) => (by ?? stranger()).send(path);
const post = (path: string, headers: Record<string, string>, body = '', by = owner) =>
  by.send(path, { method: 'POST', headers, body });
const start = (change = {}) => client.startUrl(change).url;
const anApp = () =>
  world.store.write.raw.prepare('select grant_id from grants limit 1').pluck().get() as string;

/** Every page there is, and every way in which one can go wrong. */
const pages: Record<string, [status: number, open: () => Promise<Page>]> = {
  'sign-in': [200, () => get('/login')],
  'a wrong passphrase': [
    401,
    async () => {
      const browser = stranger();
      return browser.submit(await browser.open('/login'), { passphrase: 'wrong' });
    },
  ],
  'set-up': [
    200,
    async () => get(new URL(await createSetupLink(world.store.write, ORIGIN, new Date())).pathname),
  ],
  'a spent setup link': [410, () => get('/setup/x')],
  consent: [200, () => owner.open(start())],
  'consent again': [
    409,
    async () => owner.submit(await owner.open(start()), { digest: '', decision: 'approve' }),
  ],
  'consent to nothing': [
    400,
    async () => owner.submit(await owner.open(start()), { stream: [], decision: 'approve' }),
  ],
  'consent that ran out': [410, () => get('/oauth/consent/x', owner)],
  'an unknown client': [400, () => get(start({ client_id: 'nobody' }))],
  'a bad redirect': [400, () => get(start({ redirect_uri: 'https://evil.example' }))],
  'a bad request of a stranger': [400, () => get(start({ response_type: 'bad' }))],
  'an answer that ran out': [400, () => get('/oauth/authorize/x')],
  'a device': [200, () => get('/oauth/device', owner)],
  'a device with a code': [200, () => get('/oauth/device?user_code=ABCD-EFGH', owner)],
  'a wrong device code': [
    200,
    async () => owner.submit(await owner.open('/oauth/device'), { user_code: 'NOPE-NOPE' }),
  ],
  overview: [200, () => get('/dashboard', owner)],
  connect: [200, () => get('/dashboard/connect', owner)],
  apps: [200, () => get('/dashboard/apps', owner)],
  'an app': [200, () => get(`/dashboard/apps/${anApp()}`, owner)],
  activity: [200, () => get('/dashboard/activity', owner)],
  settings: [200, () => get('/dashboard/settings', owner)],
  data: [200, () => get('/dashboard/data', owner)],
  'a search': [200, () => get('/dashboard/data?q=marker', owner)],
  'a stream': [200, () => get('/dashboard/data/mine/entries', owner)],
  'a record': [200, () => get('/r/mine/entries/one', owner)],
  'a new account': [200, () => get('/dashboard/accounts/new', owner)],
  'the settings of a new account': [200, () => get('/dashboard/accounts/new/imap?preset=gmail', owner)],
  'what to sync': [
    200,
    async () =>
      owner.submit(await owner.open('/dashboard/accounts/new/imap'), {
        server: 'mail.example.org',
        user: 'anna',
        password: 'secret',
      }),
  ],
  'an account': [200, () => get('/dashboard/accounts/mail_1', owner)],
  'the folders of an account': [200, () => get('/dashboard/accounts/mail_1/collections', owner)],
  'the landing page': [200, () => stranger().send('/')],
  'the MCP address': [401, () => stranger().send('/mcp')],
  'no such record': [404, () => get('/r/mine/entries/zzz', owner)],
  'no such app': [404, () => get('/dashboard/apps/grant_zzz', owner)],
  'nothing here': [404, () => get('/zzz')],
  'nothing here for the owner': [404, () => get('/dashboard/zzz', owner)],
  'a foreign origin': [403, () => stranger().send('/login', { headers: { origin: 'https://evil.example' } })],
  'a foreign host': [403, () => stranger().send('/login', { headers: { host: 'evil.example' } })],
  'a foreign form': [403, () => post('/logout', { ...FORM, 'sec-fetch-site': 'cross-site' })],
  'a form without its value': [403, () => post('/logout', SAME)],
  'not signed in': [401, () => post('/logout', SAME, '', stranger())],
  'a form that is none': [415, () => post('/logout', { ...SAME, 'content-type': 'text/plain' })],
  'a form that is too long': [413, () => post('/logout', SAME, 'a'.repeat(70_000))],
  'a token endpoint in a browser': [405, () => get('/oauth/token')],
};

function expectGuarded(page: Page): void {
  expect(page.headers.get('content-type')).toMatch(/^text\/html/i);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("base-uri 'none'");
  expect(policy).not.toMatch(/unsafe|(script|style|img|connect)-src [^;]*(\*|https?:|data:)/);
  expect(page.headers.get('x-frame-options')).toBe('DENY');
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
}

describe.each(Object.entries(pages))('the page for %s', (_, [status, open]) => {
  it('A-14 A-26 forbids frames, sends no referrer and loads nothing from other origins', async () => {
    const page = await open();
    expect(page.status).toBe(status);
    expectGuarded(page);
    if (status !== 403) {
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    }
    for (const [, target] of page.text.matchAll(/\s(?:src|srcset|poster|data|action|formaction)="([^"]*)"/g))
      expect(target).toMatch(/^\/(?!\/)/);
    for (const [, target] of page.text.matchAll(/<link[^>]*href="([^"]*)"/g))
      expect(target).toMatch(/^\/(?!\/)/);
    expect(page.text).not.toMatch(
      /\sstyle="|<style|\son\w+="|<script(?![^>]*src=)|<iframe|<object|<embed|<base/i,
    );
    expect(page.text).not.toMatch(/url\(|@import|javascript:/i);
  });
});

describe('pages', () => {
  it('A-26 for sign-in and consent have no external link', async () => {
    for (const name of [
      'sign-in',
      'set-up',
      'consent',
      'a device',
      'a wrong passphrase',
      'an unknown client',
    ]) {
      const page = await pages[name]?.[1]();
      const links = [...(page?.text ?? '').matchAll(/href="([^"]*)"/g)].map((match) => match[1]);
      expect(links.length).toBeGreaterThan(0);
      for (const link of links) expect(link).toMatch(/^(\/(?!\/)|#)/);
    }
  });

  it('A-14 return to the code form when a device request has expired', async () => {
    const page = await (await signIn(world)).send('/oauth/device/x');
    expect([page.status, page.headers.get('location')]).toEqual([303, '/oauth/device']);
  });

  it('A-14 T-08 have the same headers after an internal error, and show only an id', async () => {
    const broken = await createDiaryWorld({ clock: 'real' });
    const by = await createOwnerBrowser(broken);
    const app = await OAuthClient.register(broken);
    const consent = await by.open(app.startUrl().url);
    broken.store.write.raw.exec('alter table oauth_items rename to hidden');
    const failed = [
      await by.send(app.startUrl().url),
      await by.send(consent.url),
      await by.send('/oauth/device'),
    ];
    for (const path of ['/oauth/token', '/oauth/device/code']) {
      const answer = await postForm(broken, path, { client_id: app.clientId });
      expect(answer.status).toBe(500);
      const text = await answer.text();
      expect(JSON.parse(text).error).toBe('server_error');
      expect(text).not.toMatch(INSIDE_WORDS);
    }
    broken.store.write.raw.exec('drop table settings; drop table streams');
    failed.push(await by.send('/dashboard/data'), await stranger(broken).send('/login'));
    broken.store.write.raw.exec('drop table sessions');
    failed.push(await by.send('/dashboard'));
    for (const [i, page] of failed.entries()) {
      expect([i, page.status]).toEqual([i, 500]);
      expectGuarded(page);
      expect(page.text).not.toMatch(INSIDE_WORDS);
      expect(page.text).not.toMatch(/oauth_items|oidc|koa|SqliteError/i);
    }
    for (const line of broken.logged) expect(() => JSON.parse(line)).not.toThrow();
    expect(broken.logged.length).toBeGreaterThanOrEqual(failed.length);
    broken.close();
  });
});
