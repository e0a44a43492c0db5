import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../../src/store/postgres/migrations.ts';
import { normalise } from '../support/answers.ts';
import { type Browser, createBrowser } from '../support/browser.ts';
import { batchLines } from '../support/fill-store.ts';
import { post, sendFiles, waitForJob } from '../support/inputs/upload.ts';
import { askForTools } from '../support/mcp-post.ts';
import { OAuthClient, PASSPHRASE, type Tokens } from '../support/oauth-client.ts';
import { ORIGIN, type ToolResult } from '../support/world.ts';
import { findLost, startLoad } from './support/load.ts';
import { callTool, ingest, toolRequests } from './support/requests.ts';
import { type Process, type Processes, startProcesses } from './support/start-processes.ts';

/** `npm run test:processes` kills and restarts more often. */
const ROUNDS = Number(process.env.PDPP_ROUNDS ?? 1);
const SECOND = 1_000;
const IMPORTED_ROWS = 150_000;

let processes: Processes;
let owner: Browser;
let app: OAuthClient;
let token: string;
let firstBatch = 1_000;

const readTokens = async (response: Response) => (await response.json()) as Tokens;
/** Answers of the same moment: neither the clock nor the id of the request is compared. */
const comparable = ({ structuredContent }: ToolResult) =>
  JSON.stringify(normalise(structuredContent)).replace(/"now":"[^"]+"/, '');

const signIn = async (request = processes.request) => {
  const browser = createBrowser(request, ORIGIN);
  await browser.submit(await browser.open('/login'), { passphrase: PASSPHRASE });
  return browser;
};

beforeAll(async () => {
  processes = await startProcesses(3, ['--calls-per-minute', '0']);
  for (const batch of [1, 2, 3])
    expect((await ingest(processes.request, processes.ownerToken, batchLines(batch))).status).toBe(200);
});
afterAll(() => processes?.stop());

describe('three processes behind a round robin', () => {
  it('sign the owner and an app in, and rotate its tokens', async () => {
    owner = await signIn();
    app = await OAuthClient.register(processes as never);
    const tokens = await app.connect(owner, { stream: '0' });
    const refreshed = await Promise.all([1, 2, 3].map(() => app.refresh(tokens.refresh_token)));
    const answers = await Promise.all(refreshed.map(readTokens));
    expect(refreshed.map(({ status }) => status)).toEqual([200, 200, 200]);
    const successors = new Set(answers.map(({ refresh_token }) => refresh_token));
    expect(successors.size, 'one successor of a refresh token').toBe(1);
    const [successor] = [...successors] as [string];
    token = (await readTokens(await app.refresh(successor))).access_token;
  });

  it('answer the five tools as one process does', async () => {
    const [one] = processes.all as [Process];
    for (const [name, args] of toolRequests) {
      const alone = await callTool(one.request, token, name, args);
      for (let turn = 0; turn < 3; turn++)
        expect(comparable(await callTool(processes.request, token, name, args))).toBe(comparable(alone));
    }
  });

  it('continue a page of one process in the others', async () => {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const args = { stream: 'entries', limit: 20, ...(cursor === undefined ? {} : { cursor }) };
      const { structuredContent } = await callTool(processes.request, token, 'query_records', args);
      ids.push(...structuredContent.data.map(({ id }: { id: string }) => id));
      cursor = structuredContent.next_cursor;
    } while (cursor !== undefined && ids.length < 1_000);
    expect([ids.length, new Set(ids).size]).toEqual([150, 150]);
  });

  it('apply ended access, an ended session and a changed setting in all within a second', async () => {
    const { access_token, refresh_token } = await app.connect(owner, { stream: '0' });
    const askAll = () => Promise.all(processes.all.map((one) => askForTools(one as never, access_token)));
    expect(await askAll()).toEqual([200, 200, 200]);
    const form = new URLSearchParams({ client_id: app.clientId, token: refresh_token }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const revokedAt = performance.now();
    expect((await processes.request('/oauth/revoke', { method: 'POST', headers, body: form })).status).toBe(
      200,
    );
    expect(await askAll()).toEqual([401, 401, 401]);
    expect(performance.now() - revokedAt).toBeLessThan(SECOND);

    const browsers = await Promise.all(processes.all.map(({ request }) => signIn(request)));
    const openAll = () => Promise.all(browsers.map(async (one) => (await one.open('/dashboard')).url));
    expect(await openAll()).toEqual(browsers.map(() => `${ORIGIN}/dashboard`));
    const endedAt = performance.now();
    await post(owner, '/logout/everywhere');
    expect(new Set(await openAll())).toEqual(new Set([`${ORIGIN}/login?return_to=%2Fdashboard`]));
    expect(performance.now() - endedAt).toBeLessThan(SECOND);

    owner = await signIn();
    const changedAt = performance.now();
    await post(owner, '/dashboard/settings/zone', { time_zone: 'Pacific/Auckland' });
    const schemas = await Promise.all(processes.all.map(({ request }) => callTool(request, token, 'schema')));
    for (const { structuredContent } of schemas)
      expect(JSON.stringify(structuredContent)).toContain('Pacific/Auckland');
    expect(performance.now() - changedAt).toBeLessThan(SECOND);
  });

  it('count failed sign-ins together', async () => {
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++) {
      const stranger = createBrowser(processes.request, ORIGIN);
      statuses.push((await stranger.submit(await stranger.open('/login'), { passphrase: 'wrong' })).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.slice(10)).toEqual([429, 429]);
  });

  it('check, import and undo an upload whose requests reach different processes', async () => {
    const rows = Array.from({ length: 600 }, (_, row) => `${row},Ferry ${row},${row % 97}`);
    const content = ['id,title,price', ...rows].join('\n');
    const sent = await sendFiles(owner, [{ name: 'ferries.csv', content }]);
    const path = sent.headers.get('location') as string;
    const ready = await waitForJob(owner, path, 'ready', 'failed', 'nothing');
    expect(ready).toMatchObject({ state: 'ready', reason: null });
    expect((await post(owner, `${path}/run`, { take_0: 'yes', name_0: 'Ferries' })).status).toBe(303);
    const done = await waitForJob(owner, path, 'done', 'failed', 'stopped');
    const { import_id, report } = done.exports[0]?.result ?? {};
    expect(Object.values(report?.streams ?? {})).toMatchObject([{ new: 600 }]);
    const removal = (await post(owner, `/dashboard/imports/${import_id}/undo`)).headers.get('location');
    const undone = await waitForJob(owner, removal as string, 'done', 'failed');
    expect(undone).toMatchObject({ outcome: { records: 600, connection_removed: true } });
  });
});

describe('under load', () => {
  it('lose nothing acknowledged when one is killed, and no client needs more than one retry', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const load = startLoad(processes, token, firstBatch);
      firstBatch += 10_000;
      await sleep(700);
      await processes.end(processes.all[round % 3] as Process, 'SIGKILL');
      const before = load.answered();
      await sleep(700);
      await load.stop();
      await processes.add();
      expect(load.answered()).toBeGreaterThan(before);
      expect(load.failures.filter(({ attempt }) => attempt > 1)).toEqual([]);
      expect(await findLost(processes.request, token, load.acknowledged)).toEqual([]);
    }
  });

  it('refuse every call that begins after access has ended, in all of them', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { access_token, refresh_token } = await app.connect(owner, { stream: '0' });
      const calls: { begun: number; status: number }[] = [];
      const read = async (one: Process) => {
        let status = 200;
        while (status === 200) {
          const begun = performance.now();
          status = await askForTools(one as never, access_token);
          calls.push({ begun, status });
        }
        return status;
      };
      const readers = [...processes.all, ...processes.all].map(read);
      await sleep(100 + round * 10);
      const form = new URLSearchParams({ client_id: app.clientId, token: refresh_token }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      await processes.request('/oauth/revoke', { method: 'POST', headers, body: form });
      const revokedAt = performance.now();
      expect(await Promise.all(readers)).toEqual(readers.map(() => 401));
      expect(performance.now() - revokedAt).toBeLessThan(SECOND);
      expect(calls.filter(({ status }) => status === 200).length).toBeGreaterThan(readers.length);
      expect(calls.filter(({ begun, status }) => begun > revokedAt && status !== 401)).toEqual([]);
    }
  });

  it('finish running calls and refuse none when one is stopped', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const load = startLoad(processes, token, firstBatch);
      firstBatch += 10_000;
      await sleep(300);
      expect(await processes.end(processes.all[round % 3] as Process, 'SIGTERM')).toBe(0);
      await sleep(200);
      await load.stop();
      if (ROUNDS > 1) await processes.add();
      expect(load.failures).toEqual([]);
      expect(await findLost(processes.request, token, load.acknowledged)).toEqual([]);
    }
  });

  it('answer with typed errors while the database restarts, and go on by themselves', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const load = startLoad(processes, token, firstBatch);
      firstBatch += 10_000;
      await sleep(400);
      const before = load.answered();
      processes.restartDatabase();
      await expect.poll(() => load.answered() - before, { timeout: 10_000 }).toBeGreaterThan(20);
      await load.stop();
      for (const { text } of load.failures) expect(text).toMatch(/"code":"busy"/);
      expect(await findLost(processes.request, token, load.acknowledged)).toEqual([]);
    }
  });

  it.runIf(ROUNDS > 1)('continue an import whose process is killed', async () => {
    // More than a fast machine imports while three processes are replaced.
    const rows = Array.from({ length: IMPORTED_ROWS }, (_, row) => `${row},Train ${row},${row % 97}`);
    const content = ['id,title,price', ...rows].join('\n');
    const sent = await sendFiles(owner, [{ name: 'trains.csv', content }]);
    const path = sent.headers.get('location') as string;
    await waitForJob(owner, path, 'ready');
    await post(owner, `${path}/run`, { take_0: 'yes' });
    await expect
      .poll(async () => JSON.parse((await owner.open(`${path}.json`)).text).progress?.records ?? 0, {
        timeout: 20_000,
        interval: 50,
      })
      .toBeGreaterThan(0);
    // One of the three runs it.
    for (const one of [...processes.all]) {
      await processes.add();
      await processes.end(one, 'SIGKILL');
    }
    const ready = await waitForJob(owner, path, 'ready', 'failed', 'done');
    expect(ready.state).toBe('ready');
    await post(owner, `${path}/run`, { take_0: 'yes' });
    const done = await waitForJob(owner, path, 'done', 'failed');
    const [counts] = Object.values(done.exports[0]?.result?.report.streams ?? {});
    expect((counts?.new ?? 0) + (counts?.same ?? 0)).toBe(IMPORTED_ROWS);
    expect(counts?.same).toBeGreaterThan(0);
  });

  it('go on while a newer release adds to the tables, and say when they are too old', async () => {
    const load = startLoad(processes, token, firstBatch);
    firstBatch += 10_000;
    await sleep(200);
    const text = `alter table records add column next_release text; alter table grants add column more text default '';
      create table next_release (owner_id integer not null references owners, primary key (owner_id))`;
    await processes.migrate([...migrations, { text, worksSince: migrations.length }]);
    await sleep(500);
    await load.stop();
    expect(load.failures).toEqual([]);
    const askAll = () =>
      Promise.all(processes.all.map(async ({ request }) => (await request('/readyz')).status));
    expect(new Set(await askAll())).toEqual(new Set([200]));
    // A process of this release starts on the tables of the next.
    expect((await (await processes.add()).request('/readyz')).status).toBe(200);
    const later = { text: '', worksSince: migrations.length + 1 };
    await processes.migrate([...migrations, { text, worksSince: migrations.length }, later]);
    // The answer is cached for a second.
    await expect.poll(askAll, { timeout: 3_000 }).toEqual(processes.all.map(() => 503));
    await expect(processes.add()).rejects.toThrow('newer version of pdpp');
  });
});
