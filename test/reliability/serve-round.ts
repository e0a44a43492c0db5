import { type Browser, createBrowser } from '../support/browser.ts';
import { OAuthClient, PASSPHRASE } from '../support/oauth-client.ts';
import { findFreePort, startCli, waitForText } from '../support/run-cli.ts';
import { ORIGIN } from '../support/world.ts';
import { LATEST_MS, sometime } from './kill.ts';
import type { GivenAccess, Ledger } from './ledger.ts';
import { versionedLines } from './versioned-lines.ts';

/** The people and apps around one data folder. They outlive the servers that are killed under them. */
export interface Users {
  readonly ownerToken: string;
  browser?: Browser;
  clientId?: string;
}

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/**
 * A server that takes in records, gives and ends access, rotates refresh tokens and answers reads, all at once, until
 * it is killed. Returns what was wrong with its answers; refusing to start is one of these.
 */
export async function serveAndKill(folder: string, ledger: Ledger, users: Users): Promise<string[]> {
  const port = await findFreePort();
  const child = startCli(['serve', '--data', folder, '--port', String(port), '--public-url', ORIGIN]);
  const closed = new Promise((resolve) => child.on('close', resolve));
  let killed = false;
  const kill = () => {
    killed = true;
    child.kill('SIGKILL');
  };
  const send: Send = (path, init) =>
    fetch(`http://127.0.0.1:${port}${path}`, { ...init, redirect: 'manual' });
  const problems: string[] = [];
  try {
    await waitForText(child, /claude mcp add/);
    const app = await arrive(send, users);
    problems.push(...(await checkRefresh(app, ledger)));
    killWhenEnough(ledger, kill);
    const until = async (work: () => Promise<void>) => {
      while (!killed) await work().catch(ignoreDeath);
    };
    const ignoreDeath = (error: unknown) => {
      if (!killed) problems.push(`an answer failed: ${error}`);
    };
    await Promise.all([
      until(() => ingest(send, ledger, users.ownerToken)),
      until(() => ingest(send, ledger, users.ownerToken)),
      until(() => giveAccess(app, users, ledger)),
      until(() => rotate(app, ledger)),
      until(() => endAccess(send, app, ledger)),
      until(async () => void problems.push(...(await read(send, ledger)))),
    ]);
  } catch (error) {
    problems.push(`refused: ${error}`);
  } finally {
    kill();
    await closed;
  }
  return problems;
}

/** After a few acknowledgements, and some milliseconds into whatever is under way then. */
function killWhenEnough(ledger: Ledger, kill: () => void): void {
  const enough = ledger.acknowledged + sometime(0, MAX_ACKNOWLEDGED);
  const latest = Date.now() + LONGEST_MS;
  const look = setInterval(() => {
    if (ledger.acknowledged < enough && Date.now() < latest) return;
    clearInterval(look);
    setTimeout(kill, sometime(0, LATEST_MS));
  }, 3);
}

const MAX_ACKNOWLEDGED = 25;
const LONGEST_MS = 10_000;

async function arrive(send: Send, users: Users): Promise<OAuthClient> {
  if (users.browser === undefined || users.clientId === undefined) {
    const browser = createBrowser((path, init) => live.send(path, init), ORIGIN);
    const live = { send };
    await browser.submit(await browser.open('/login'), { passphrase: PASSPHRASE });
    users.browser = browser;
    users.clientId = (await OAuthClient.register({ request: send }, {})).clientId;
    current.set(browser, live);
  }
  const live = current.get(users.browser);
  if (live !== undefined) live.send = send;
  return new OAuthClient({ request: send }, users.clientId);
}

/** Which server a browser speaks to now. */
const current = new WeakMap<Browser, { send: Send }>();

async function ingest(send: Send, ledger: Ledger, token: string): Promise<void> {
  const batch = ledger.takeBatch();
  for (let version = 0; version <= batch % 3; version += 1) {
    const response = await send('/v1/ingest/mine/entries', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
      body: versionedLines(batch, version).join('\n'),
    });
    const report = (await response.json()) as { lines?: number };
    if (response.status === 200 && report.lines !== undefined) ledger.acknowledge(batch, version);
    else return;
  }
}

async function giveAccess(app: OAuthClient, users: Users, ledger: Ledger): Promise<void> {
  if (users.browser === undefined || ledger.accesses.length >= MAX_ACCESSES) return pause();
  const { access_token, refresh_token } = await app.connect(users.browser, { stream: '0' });
  ledger.give(access_token, refresh_token);
}

const MAX_ACCESSES = 40;

const pickLive = (ledger: Ledger): GivenAccess | undefined => {
  const live = ledger.accesses.filter(({ state }) => state === 'live');
  return live[Math.floor(Math.random() * live.length)];
};

async function rotate(app: OAuthClient, ledger: Ledger): Promise<void> {
  const access = pickLive(ledger);
  if (access === undefined) return pause();
  const response = await app.refresh(access.refreshToken);
  const tokens = (await response.json()) as { refresh_token?: string };
  // Killed before this, the app goes on with the token it has: that must work, too.
  if (response.status === 200 && tokens.refresh_token !== undefined)
    ledger.rotate(access, tokens.refresh_token);
  await pause();
}

async function endAccess(send: Send, app: OAuthClient, ledger: Ledger): Promise<void> {
  await pause();
  const access = pickLive(ledger);
  if (access === undefined || ledger.accesses.filter(({ state }) => state === 'live').length < 3) return;
  access.state = 'ending';
  const response = await send('/oauth/revoke', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: app.clientId, token: access.refreshToken }).toString(),
  });
  if (response.status === 200) ledger.end(access);
}

async function read(send: Send, ledger: Ledger): Promise<string[]> {
  const accesses = ledger.accesses.filter(({ state }) => state !== 'ending');
  const access = accesses[Math.floor(Math.random() * accesses.length)];
  if (access === undefined) {
    await pause();
    return [];
  }
  const before = access.state;
  const { status } = await send('/v1/streams/entries/records?limit=3', {
    headers: { authorization: `Bearer ${access.accessToken}` },
  });
  if (before !== access.state || status === 429) return [];
  // 403 while the token is still known, 401 once it is gone too.
  const expected = before === 'live' ? [200] : [401, 403];
  return expected.includes(status)
    ? []
    : [`a read with an access that is ${before} was answered with ${status}`];
}

/** The refresh token that each app was given last, or had in its hand when the server died, still works. */
async function checkRefresh(app: OAuthClient, ledger: Ledger): Promise<string[]> {
  const problems: string[] = [];
  for (const access of ledger.accesses.filter(({ state }) => state === 'live').slice(-3)) {
    const response = await app.refresh(access.refreshToken);
    const { refresh_token } = (await response.json()) as { refresh_token?: string };
    if (response.status === 200 && refresh_token !== undefined) ledger.rotate(access, refresh_token);
    else if (response.status !== 429) problems.push(`a refresh token was refused with ${response.status}`);
  }
  return problems;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, sometime(5, 40)));
}
