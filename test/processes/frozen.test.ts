import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser } from '../support/browser.ts';
import { batchLines } from '../support/fill-store.ts';
import { askForTools } from '../support/mcp-post.ts';
import { OAuthClient, PASSPHRASE } from '../support/oauth-client.ts';
import { ORIGIN } from '../support/world.ts';
import { callTool, ingest } from './support/requests.ts';
import { type Process, type Processes, startProcesses } from './support/start-processes.ts';

/** `npm run test:processes` */
const ROUNDS = Number(process.env.PDPP_ROUNDS ?? 1);
const BATCH_LINES = 500;
const FIRST_BATCH = 100;
/** Within this time PostgreSQL runs what was sent to it. */
const SENT_MS = 1_000;
/** After this time PostgreSQL ends the transaction of the frozen process. */
const IDLE_TIMEOUT_MS = 15_000;
/** A busy machine needs a while for the work that waited. */
const MAX_DELAY_MS = 2 * IDLE_TIMEOUT_MS;

let processes: Processes;
beforeAll(async () => {
  processes = await startProcesses(3, ['--calls-per-minute', '0']);
});
afterAll(() => processes?.stop());

/** Freezes a process while it has a transaction open and PostgreSQL waits for its next statement. */
async function freezeInTransaction(process: Process, send: () => Promise<unknown>): Promise<void> {
  const findIdle = async () =>
    JSON.stringify(
      await processes.query(`select pid, state_change from pg_stat_activity
        where state = 'idle in transaction' and application_name = 'pdpp' order by pid`),
    );
  for (let attempt = 0; attempt < 500; attempt++) {
    const sent = send().catch(() => {});
    await sleep(attempt % 40);
    process.kill('SIGSTOP');
    await sleep(20);
    const idle = await findIdle();
    // PostgreSQL may still have a statement to run that was sent before.
    if (idle !== '[]') await sleep(SENT_MS);
    if (idle !== '[]' && (await findIdle()) === idle) return;
    process.kill('SIGCONT');
    await sent;
  }
  throw new Error('The process was never frozen in a transaction.');
}

describe.runIf(ROUNDS > 1)('a process that is frozen in the middle of a transaction', () => {
  it('delays only writes of its owner, and only for a while; its own are stored completely or not at all', async () => {
    const [frozen, other] = processes.all as [Process, Process, Process];
    const ingestTo = async ({ request }: Process, batch: number, lines: number) =>
      (await ingest(request, processes.ownerToken, batchLines(batch, lines))).status;
    const signIn = async () => {
      const browser = createBrowser(other.request, ORIGIN);
      await browser.submit(await browser.open('/login'), { passphrase: PASSPHRASE });
      return browser;
    };
    const app = await OAuthClient.register(other as never);
    const browser = await signIn();
    const { access_token } = await app.connect(browser, { stream: '0' });
    const ended = await app.connect(browser, { stream: '0' });
    const count = async () =>
      (await callTool(other.request, access_token, 'aggregate', { stream: 'entries', metric: 'count' }))
        .structuredContent.data.total;

    const sent: Promise<number>[] = [];
    await freezeInTransaction(frozen, () => {
      const status = ingestTo(frozen, FIRST_BATCH + sent.length, BATCH_LINES);
      sent.push(status);
      return status;
    });
    const frozenAt = performance.now();
    const passed = () => performance.now() - frozenAt;
    expect(await count()).toBe((sent.length - 1) * BATCH_LINES);
    expect(passed()).toBeLessThan(IDLE_TIMEOUT_MS);
    const form = new URLSearchParams({ client_id: app.clientId, token: ended.refresh_token }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const [revoked, stored] = await Promise.all([
      other.request('/oauth/revoke', { method: 'POST', headers, body: form }),
      ingestTo(other, 1, 20),
      signIn(),
    ]);
    expect([revoked.status, stored]).toEqual([200, 200]);
    expect(passed()).toBeLessThan(MAX_DELAY_MS);
    expect(await askForTools(other as never, ended.access_token)).toBe(401);

    frozen.kill('SIGCONT');
    const statuses = await Promise.all(sent);
    expect(statuses.at(-1)).toBe(503);
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([200]));
    expect(await count()).toBe((sent.length - 1) * BATCH_LINES + 20);
    expect(await askForTools(frozen as never, ended.access_token)).toBe(401);
    expect(await ingestTo(frozen, 2, 20)).toBe(200);
  });
});
