import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runUntilAborted } from '../../src/limits/call-context.ts';
import { connectDatabase } from '../../src/store/postgres/connect.ts';
import type { Connections } from '../../src/store/postgres/connections.ts';
import { openStore, type PostgresStore } from '../../src/store/postgres/open-store.ts';
import { readReplicaLag } from '../../src/store/postgres/servers/replica-lag.ts';
import { sql } from '../../src/store/postgres/sql.ts';
import { batchLines } from '../support/fill-store.ts';
import { OAuthClient, signIn } from '../support/oauth-client.ts';
import { testSettings } from '../support/postgres/databases.ts';
import { installPrograms } from './support/install.ts';
import { createServer, type PostgresServer } from './support/postgres-server.ts';
import { makeClusterFolder, removeFolder, waitUntil } from './support/run-program.ts';
import { callTools, prepareDatabase, SECRET, type Served, serveDatabase } from './support/served.ts';

let folder: string;
let primary: PostgresServer;
let standby: PostgresServer;
let ownerToken: string;
beforeAll(async () => {
  installPrograms(['postgres']);
  folder = makeClusterFolder();
  primary = await createServer(join(folder, 'primary'));
  ownerToken = await prepareDatabase({ url: primary.url() });
  standby = await primary.createStandby(join(folder, 'standby'));
});
afterAll(() => {
  standby?.stop('immediate');
  primary?.stop('immediate');
  removeFolder(folder);
});

const pause = () => standby.query('select pg_wal_replay_pause()');
const resume = () => standby.query('select pg_wal_replay_resume()');
async function waitUntilReplayed(): Promise<void> {
  const [row] = await primary.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn');
  const text = `select pg_last_wal_replay_lsn() >= '${row?.lsn}'::pg_lsn as done`;
  await waitUntil('the replica has replayed everything', async () => {
    const [found] = await standby.query<{ done: boolean }>(text);
    return found?.done === true;
  });
}

describe('a replica', () => {
  let connections: Connections;
  let store: PostgresStore;
  const warnings: string[] = [];
  beforeEach(async () => {
    warnings.length = 0;
    const urls = { url: primary.url(), replicaUrl: standby.url() };
    connections = await connectDatabase({ ...testSettings, statementTimeoutMs: 4_000, ...urls }, (message) =>
      warnings.push(message),
    );
    store = await openStore(connections, { directory: '', secret: SECRET });
    await waitUntilReplayed();
  });
  const close = () => connections.close();

  /** Which server answers a read of records. */
  const whoAnswers = async (): Promise<string> => {
    const [row] = await store.databases.replicated.query<{ replica: boolean }>(
      sql`select pg_is_in_recovery() as replica`,
    );
    return row?.replica === true ? 'replica' : 'primary';
  };
  const raise = () => store.write.transact(() => store.write.catalog.raiseVersion());

  it('answers only while it has all changes', async () => {
    onTestFinished(close);
    expect(await whoAnswers()).toBe('replica');
    expect(await store.databases.replicated.snapshot(async () => 'a snapshot')).toBe('a snapshot');
    await pause();
    onTestFinished(async () => void (await resume()));
    expect(await whoAnswers()).toBe('replica');
    await raise();
    expect(await whoAnswers()).toBe('primary');
    await resume();
    await waitUntilReplayed();
    expect(await whoAnswers()).toBe('replica');
    expect(warnings).toEqual([]);
  });

  it('shows a call nothing older than what the call has seen', async () => {
    onTestFinished(close);
    await pause();
    onTestFinished(async () => void (await resume()));
    const answers = await runUntilAborted(new AbortController().signal, async () => {
      const first = await whoAnswers();
      // The call began before this change, so the replica still has all that the call needs.
      await raise();
      return [first, await whoAnswers()];
    });
    expect(answers).toEqual(['replica', 'replica']);
    const later = await runUntilAborted(new AbortController().signal, async () => {
      const first = await whoAnswers();
      await resume();
      await waitUntilReplayed();
      return [first, await whoAnswers()];
    });
    expect(later).toEqual(['primary', 'primary']);
  });

  it('is asked for its lag', async () => {
    onTestFinished(close);
    await waitUntilReplayed();
    expect(await readReplicaLag(connections)).toEqual({ bytes: 0, seconds: 0 });
    await pause();
    onTestFinished(async () => void (await resume()));
    await raise();
    await sleep(100);
    const lag = await readReplicaLag(connections);
    expect(lag).toMatchObject({ bytes: expect.any(Number), seconds: expect.any(Number) });
    expect((lag as { bytes: number }).bytes).toBeGreaterThan(0);
    expect((lag as { seconds: number }).seconds).toBeGreaterThan(0);
  });

  it('may be gone: the primary answers without an error, and the replica is used again when it is back', async () => {
    onTestFinished(close);
    expect(await whoAnswers()).toBe('replica');
    standby.stop('immediate');
    const answers = await Promise.all(Array.from({ length: 20 }, whoAnswers));
    expect(new Set(answers)).toEqual(new Set(['primary']));
    expect(await readReplicaLag(connections)).toBe('unreachable');
    expect(warnings).toHaveLength(1);
    standby.start();
    await waitUntil('the replica is used again', async () => (await whoAnswers()) === 'replica');
    expect(warnings.at(-1)).toBe('The replica of the database answers again.');
  });

  it('may freeze: the primary answers within half of the time of a read', async () => {
    onTestFinished(close);
    await Promise.all(Array.from({ length: 5 }, whoAnswers));
    standby.signal('SIGSTOP');
    onTestFinished(() => standby.signal('SIGCONT'));
    const started = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, whoAnswers));
    expect(new Set(answers)).toEqual(new Set(['primary']));
    expect(performance.now() - started).toBeLessThan(3_500);
    standby.signal('SIGCONT');
    await waitUntil('the replica is used again', async () => (await whoAnswers()) === 'replica');
  });

  it('may be slow: the primary answers', async () => {
    onTestFinished(close);
    const slow = sql`select pg_is_in_recovery() as replica,
      case when pg_is_in_recovery() then pg_sleep(3) end as slept`;
    const [row] = await store.databases.replicated.query<{ replica: boolean }>(slow);
    expect(row?.replica).toBe(false);
  });

  it('is missing at the start', async () => {
    await close();
    standby.stop('fast');
    const urls = { url: primary.url(), replicaUrl: standby.url() };
    connections = await connectDatabase({ ...testSettings, ...urls }, (message) => warnings.push(message));
    onTestFinished(close);
    store = await openStore(connections, { directory: '', secret: SECRET });
    expect(await whoAnswers()).toBe('primary');
    expect(warnings).toHaveLength(1);
    standby.start();
    await waitUntil('the replica is used', async () => (await whoAnswers()) === 'replica');
  });

  it('is refused if it is another database', async () => {
    await close();
    await primary.query('create database another owner pdpp');
    const settings = { ...testSettings, url: primary.url(), replicaUrl: primary.url('another') };
    await expect(connectDatabase(settings, () => {})).rejects.toMatchObject({
      code: 'store_unusable',
      message: 'DATABASE_REPLICA_URL is the address of a different database than DATABASE_URL.',
    });
  });
});

describe('a server with a replica that stops replaying again and again', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serveDatabase({ DATABASE_URL: primary.url(), DATABASE_REPLICA_URL: standby.url() });
  });
  afterAll(async () => {
    await served?.stop();
    await resume();
  });

  it('shows every acknowledged write at once, and refuses ended access at once', async () => {
    const app = await OAuthClient.register(served);
    const browser = await signIn(served);
    let isOver = false;
    const toggle = async () => {
      while (!isOver) {
        await pause();
        await sleep(Math.random() * 300);
        await resume();
        await sleep(Math.random() * 300);
      }
    };
    const wrong: unknown[] = [];
    const write = async () => {
      for (let batch = 1; batch <= 25; batch++) {
        const { access_token } = await app.connect(browser, { preset: 'everything' });
        const response = await served.ingest(ownerToken, batchLines(batch, 20));
        if (response.status !== 200) wrong.push([batch, response.status]);
        const key = { id: `mine/entries/b${batch}-19` };
        const [fetched, counted, found] = await Promise.all([
          served.call(access_token, 'fetch', key),
          served.call(access_token, 'aggregate', { stream: 'entries', metric: 'count' }),
          served.call(access_token, 'search', { query: `"number 19 of batch ${batch}"` }),
        ]);
        const seen = [
          fetched.structuredContent.title,
          counted.structuredContent.data.total,
          found.structuredContent.results[0]?.id,
        ];
        const expected = [`title ${batch} 19`, batch * 20, key.id];
        if (JSON.stringify(seen) !== JSON.stringify(expected)) wrong.push([batch, seen]);
        const form = new URLSearchParams({ client_id: app.clientId, token: access_token });
        await served.request('/oauth/revoke', { method: 'POST', body: form });
        const after = await served.call(access_token, 'fetch', key).catch((error: Error) => error.message);
        if (after !== 'The server answered 401.') wrong.push([batch, after]);
      }
    };
    const toggling = toggle();
    await write().finally(() => {
      isOver = true;
    });
    await toggling;
    expect(wrong).toEqual([]);
  });

  it('forgets a removed connection at once', async () => {
    await waitUntilReplayed();
    const app = await OAuthClient.register(served);
    const browser = await signIn(served);
    const { access_token } = await app.connect(browser, { preset: 'everything' });
    expect(await callTools(served, access_token)).toMatchObject({ title: 'title 1 1' });
    await pause();
    const connections = await connectDatabase({ ...testSettings, url: primary.url() }, () => {});
    onTestFinished(() => connections.close());
    const { write } = await openStore(connections, { directory: '', secret: SECRET });
    await write.transact(async () => {
      await write.catalog.removeConnection('mine', 'diary', new Date().toISOString());
      await write.catalog.raiseVersion();
    });
    const after = await served.call(access_token, 'fetch', { id: 'mine/entries/b1-1' });
    expect(after.isError).toBe(true);
  });
});
