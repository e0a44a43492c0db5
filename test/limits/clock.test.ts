import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createThrottle } from '../../src/limits/throttle.ts';
import { checkSetupLink, createSetupLink, takeSetupLink } from '../../src/owner/setup-link.ts';
import { createBrowser } from '../support/browser.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { postForm } from '../support/oauth-checks.ts';
import {
  OAuthClient,
  PASSPHRASE,
  register,
  setCheapPassphrase,
  signIn,
  type Tokens,
} from '../support/oauth-client.ts';
import { ORIGIN } from '../support/world.ts';

const HOUR = 3_600_000;
const AHEAD = 72 * HOUR;
const START = Date.parse('2026-11-16T12:00:00Z');

let world: Awaited<ReturnType<typeof createDiaryWorld>>;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  world = await createDiaryWorld({ clock: 'real' });
  await setCheapPassphrase(world);
});
afterEach(() => {
  world.close();
  vi.useRealTimers();
});

const goAhead = () => vi.setSystemTime(Date.now() + AHEAD);
const comeBack = () => vi.setSystemTime(Date.now() - AHEAD);
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);
const trySignIn = async (passphrase: string) => {
  const browser = createBrowser(world.request, ORIGIN);
  return browser.submit(await browser.open('/login'), { passphrase });
};
const repeat = async (count: number, work: () => Promise<unknown>) => {
  for (let i = 0; i < count; i += 1) await work();
};

describe('a clock that was 72 h ahead and is corrected', () => {
  it('does not refuse sign-in from a new browser', async () => {
    goAhead();
    await repeat(11, () => trySignIn('wrong passphrase'));
    expect((await trySignIn(PASSPHRASE)).status).toBe(429);
    comeBack();
    expect((await trySignIn(PASSPHRASE)).url).toBe(`${ORIGIN}/dashboard`);
  });

  it('does not block registration and authorization requests of apps', async () => {
    goAhead();
    await repeat(61, () => register(world, { redirect_uris: ['http://127.0.0.1/cb'] }));
    await repeat(301, () => postForm(world, '/oauth/par', { client_id: 'nobody' }));
    comeBack();
    expect((await register(world, { redirect_uris: ['http://127.0.0.1/cb'] })).status).toBe(201);
    expect((await postForm(world, '/oauth/par', { client_id: 'nobody' })).status).not.toBe(429);
  });

  it('makes no client wait longer than the window after any clock change', async () => {
    const throttle = createThrottle('test', {
      perAddress: { max: 2, windowMs: 1_000 },
      total: { max: 4, windowMs: 1_000 },
    });
    const start = Date.now();
    let waited = 0;
    for (let i = 0; i < 2_000; i += 1) {
      // Forth and back by up to three days, in steps that repeat themselves nowhere.
      const now = new Date(start + ((i * 7_919 * 104_729) % (6 * 86_400_000)) - 3 * 86_400_000);
      for (const key of ['a', 'a', 'a', 'b', 'b', 'b']) {
        try {
          await throttle({ key }, now);
        } catch (error) {
          waited += 1;
          expect((error as { retryAfterSeconds: number }).retryAfterSeconds).toBe(1);
        }
      }
    }
    expect(waited).toBe(4_000);
  });

  it('does not extend sessions beyond their idle time and thirty days', async () => {
    goAhead();
    const used = await signIn(world);
    const unused = await signIn(world);
    comeBack();
    expect((await used.open('/dashboard')).url).toBe(`${ORIGIN}/dashboard`);
    for (let day = 0; day < 5; day += 1) {
      wait(6 * 24 * HOUR);
      expect([day, (await used.open('/dashboard')).url]).toEqual([
        day,
        day < 4 ? `${ORIGIN}/dashboard` : `${ORIGIN}/login?return_to=%2Fdashboard`,
      ]);
    }
    expect((await unused.open('/dashboard')).url).toContain('/login');
  });

  it('does not extend passphrase links to three days', async () => {
    const { write } = world.store;
    goAhead();
    const secret = (await createSetupLink(write, ORIGIN, new Date())).split('/').at(-1) as string;
    expect(await checkSetupLink(write, secret, new Date())).toBe('usable');
    comeBack();
    expect(await checkSetupLink(write, secret, new Date())).toBe('used');
    expect(await takeSetupLink(write, secret, new Date())).toBe(false);
    // A clock that is put right by a little, as they all are, costs nobody the link.
    const other = (await createSetupLink(write, ORIGIN, new Date())).split('/').at(-1) as string;
    wait(-2 * 60_000);
    expect(await takeSetupLink(write, other, new Date())).toBe(true);
  });

  it('neither disconnects an app with a shared refresh token nor extends an old token', async () => {
    const client = await OAuthClient.register(world);
    const browser = await signIn(world);
    const first = await client.connect(browser, { stream: ['0', '1'] });
    goAhead();
    const second = (await (await client.refresh(first.refresh_token)).json()) as Tokens;
    comeBack();
    expect((await client.refresh(first.refresh_token)).status).toBe(200);
    wait(29 * 60_000);
    expect((await client.refresh(first.refresh_token)).status).toBe(200);
    wait(2 * 60_000);
    expect((await client.refresh(first.refresh_token)).status).toBe(400);
    expect((await client.refresh(second.refresh_token)).status).toBe(400);
  });

  it('does not extend access tokens', async () => {
    const client = await OAuthClient.register(world);
    const browser = await signIn(world);
    const first = await client.connect(browser, { stream: ['0', '1'] });
    goAhead();
    await client.refresh(first.refresh_token);
    comeBack();
    const again = (await (await client.refresh(first.refresh_token)).json()) as Tokens;
    expect(again.expires_in).toBeLessThanOrEqual(86_400);
  });

  it('still deletes expired items', async () => {
    const count = world.store.write.raw
      .prepare(`select count(*) from oauth_items where kind = 'Client'`)
      .pluck();
    goAhead();
    await register(world, { redirect_uris: ['http://127.0.0.1/cb'] });
    comeBack();
    await register(world, { redirect_uris: ['http://127.0.0.1/cb'] });
    wait(27 * HOUR);
    await register(world, { redirect_uris: ['http://127.0.0.1/cb'] });
    // The one of now, and the one whose time is still to come.
    expect(count.get()).toBe(2);
  });

  it('does not revive a token that was refused as expired', async () => {
    const client = await OAuthClient.register(world);
    const browser = await signIn(world);
    const { access_token, refresh_token } = await client.connect(browser, { stream: ['0', '1'] });
    const read = async (token: string) =>
      (await world.request('/v1/schema', { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await read(access_token)).toBe(200);
    goAhead();
    expect(await read(access_token)).toBe(401);
    comeBack();
    expect(await read(access_token)).toBe(401);
    const renewed = (await (await client.refresh(refresh_token)).json()) as Tokens;
    expect(await read(renewed.access_token)).toBe(200);
  });
});
