import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { markAlarmsSeen, readAlarms } from '../../src/audit/alarms.ts';
import type { Browser } from '../support/browser.ts';
import { createOwnerBrowser, OAuthClient, signIn, type Tokens } from '../support/oauth-client.ts';
import { dumpTables, queryTables } from '../support/stores/tables.ts';
import { createLastingServer, type LastingServer } from './lasting-server.ts';
import { liveThroughWeek } from './shared-token-week.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.parse('2026-11-16T08:00:00Z');
const diary = { stream: ['0', '1'] };

let server: LastingServer;
let browser: Browser;
let client: OAuthClient;

async function open(options: { accessTokenSeconds?: number } = {}) {
  server = await createLastingServer(options);
  browser = await createOwnerBrowser(server);
  client = await OAuthClient.register(server, { client_name: 'Shared app' });
}
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
});
afterEach(() => {
  server.close();
  vi.useRealTimers();
});

const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
const refresh = async (token: string) => {
  const response = await client.refresh(token);
  const body = (await response.json()) as Tokens & { error?: string };
  return { ...body, status: response.status };
};
const countLive = async () => {
  const rows = await queryTables(
    server.store,
    `select id_hash from oauth_items where kind = 'RefreshToken' and consumed_at is null`,
  );
  return rows.length;
};
const REPLAY = 'Shared app: An old refresh token was used again; the access was ended.';
const readTexts = async () => (await readAlarms(server.store)).map((alarm) => alarm.text);

/** The old token is refused, nobody reads any more, and the owner is told once. */
async function expectEnded(stolen: string, tokens: readonly Tokens[]) {
  expect(await refresh(stolen)).toMatchObject({ status: 400, error: 'invalid_grant' });
  for (const { access_token, refresh_token } of tokens) {
    expect(await server.isLetIn(access_token)).toBe(false);
    expect(await refresh(refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
  }
  expect(await countLive()).toBe(0);
  expect(await readTexts()).toEqual([REPLAY]);
}

describe('several processes that share one refresh token', () => {
  it.each([
    ['a day', 86_400, 6],
    ['an hour', 3_600, 4],
  ])(
    'stay connected for a week of access tokens of %s, over crashes and restarts',
    async (_, seconds, processes) => {
      await open({ accessTokenSeconds: seconds });
      const first = await client.connect(browser, { ...diary, expires: 'never' });
      const report = await liveThroughWeek(server, client, first, { processes, seed: 4 });
      expect(report.forcedSignIns).toBe(0);
      expect(report.calls).toBeGreaterThan(500);
      expect(report.restarts).toBeGreaterThan(10);
      expect(report.crashes).toBeGreaterThan(0);
      // The week was one in which strict rotation would have ended the access many times over.
      expect(report.superseded).toBeGreaterThan(10);
      expect(await countLive()).toBe(1);
      expect(await readTexts()).toEqual([]);
      // Somebody who copied the first token a week ago ends it all, and is noticed.
      await expectEnded(first.refresh_token, [report.kept.tokens]);
    },
  );

  it('all get the same successor when they refresh at once', async () => {
    await open();
    const first = await client.connect(browser, diary);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(first.refresh_token)));
    expect(answers.map((one) => one.status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map((one) => one.refresh_token)).size).toBe(1);
    for (const { access_token } of answers) expect(await server.isLetIn(access_token)).toBe(true);
    expect(await countLive()).toBe(1);
  });

  it('get the newest token when others have refreshed again', async () => {
    await open({ accessTokenSeconds: 310 });
    const first = await client.connect(browser, diary);
    let last = first.refresh_token;
    for (let step = 0; step < 5; step += 1) {
      wait(5 * MINUTE);
      last = (await refresh(last)).refresh_token;
    }
    wait(4 * MINUTE);
    expect((await refresh(first.refresh_token)).refresh_token).toBe(last);
    expect(await countLive()).toBe(1);
  });
});

describe('a superseded refresh token', () => {
  it.each([
    ['works for half an hour', 30 * MINUTE - 1_000, 200],
    ['ends the access after half an hour', 30 * MINUTE, 400],
  ])('%s', async (_, after, status) => {
    await open();
    const first = await client.connect(browser, diary);
    const second = await refresh(first.refresh_token);
    wait(after);
    expect((await refresh(first.refresh_token)).status).toBe(status);
    expect(await server.isLetIn(second.access_token)).toBe(status === 200);
  });

  it('returns a lost response again, also after a restart', async () => {
    await open();
    const first = await client.connect(browser, diary);
    const lost = await refresh(first.refresh_token);
    wait(10 * MINUTE);
    await server.restart();
    const again = await refresh(first.refresh_token);
    expect(again).toMatchObject({ status: 200, refresh_token: lost.refresh_token });
  });

  it('does not live longer when it is used often', async () => {
    await open();
    const first = await client.connect(browser, diary);
    const second = await refresh(first.refresh_token);
    for (let count = 0; count < 5; count += 1) {
      wait(5 * MINUTE);
      expect((await refresh(first.refresh_token)).status).toBe(200);
    }
    wait(6 * MINUTE);
    await expectEnded(first.refresh_token, [second]);
  });
});

describe('a stolen refresh token', () => {
  it('that is used after the app refreshed ends the access and alerts the owner', async () => {
    await open();
    const first = await client.connect(browser, diary);
    wait(DAY);
    const second = await refresh(first.refresh_token);
    wait(2 * DAY);
    const third = await refresh(second.refresh_token);
    wait(60 * MINUTE);
    await expectEnded(first.refresh_token, [second, third]);
    const page = await (await signIn(server)).open('/dashboard');
    expect(page.text).toContain('An old refresh token was used again');
    await markAlarmsSeen(server.store);
    expect(await readTexts()).toEqual([]);
  });

  it('that is used before the app refreshes is detected when the app refreshes', async () => {
    await open();
    const first = await client.connect(browser, diary);
    const thief = await refresh(first.refresh_token);
    wait(12 * 60 * MINUTE);
    const thiefAgain = await refresh(thief.refresh_token);
    wait(12 * 60 * MINUTE);
    await expectEnded(first.refresh_token, [thief, thiefAgain]);
  });

  it('within the grace period leads to the same successor, never to a second one', async () => {
    await open();
    const first = await client.connect(browser, diary);
    const second = await refresh(first.refresh_token);
    wait(10 * MINUTE);
    const thief = await refresh(first.refresh_token);
    expect(thief.refresh_token).toBe(second.refresh_token);
    wait(DAY);
    const third = await refresh(second.refresh_token);
    wait(31 * MINUTE);
    await expectEnded(thief.refresh_token, [third]);
  });
});

describe('a refresh token', () => {
  it('lasts 90 days from its last use', async () => {
    await open();
    let { refresh_token } = await client.connect(browser, { ...diary, expires: 'never' });
    for (let count = 0; count < 5; count += 1) {
      wait(89 * DAY);
      const next = await refresh(refresh_token);
      expect(next.status).toBe(200);
      refresh_token = next.refresh_token;
    }
    wait(91 * DAY);
    expect(await refresh(refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
    // Forgotten is not stolen.
    expect(await readTexts()).toEqual([]);
  });

  it('ends with its grant', async () => {
    await open();
    const first = await client.connect(browser, { ...diary, expires: '1w' });
    wait(6 * DAY);
    const second = await refresh(first.refresh_token);
    expect(second.status).toBe(200);
    wait(DAY);
    expect(await server.isLetIn(second.access_token)).toBe(false);
    expect(await refresh(second.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  it('is in no file of the store, and neither is an access token', async () => {
    await open();
    const first = await client.connect(browser, diary);
    const second = await refresh(first.refresh_token);
    const dump = await dumpTables(server.store);
    expect(dump).toContain('RefreshToken');
    for (const { access_token, refresh_token } of [first, second]) {
      for (const token of [access_token, refresh_token]) expect(dump.includes(token)).toBe(false);
    }
  });
});
