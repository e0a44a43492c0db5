import { spawn } from 'node:child_process';
import { closeSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, createBrowser } from '../support/browser.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { batchLines, countTables } from '../support/fill-store.ts';
import { postLegacy, postModern } from '../support/mcp-post.ts';
import { createOwnerBrowser, OAuthClient, PASSPHRASE, register } from '../support/oauth-client.ts';
import { findBuild } from '../support/processes/build.ts';
import { runCli, waitForEnd } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { ORIGIN } from '../support/world.ts';

const INSIDE = /SQLITE|database or disk|better-sqlite|kysely|node_modules|at .+:\d+:\d+|\.ts\b/i;
const everything = { stream: ['0', '1', '2', '3'] };

let world: Awaited<ReturnType<typeof createDiaryWorld>>;
beforeEach(async () => {
  world = await createDiaryWorld({ clock: 'real' });
});
afterEach(() => world.close());

/** SQLite itself answers that the disk is full: the file may not grow, and has no page left that is free. */
function fill(raw: Database.Database): void {
  raw.pragma(`max_page_count = ${raw.pragma('page_count', { simple: true })}`);
  const pad = raw.prepare(`insert into pad values (zeroblob(100))`);
  try {
    for (;;) pad.run();
  } catch (error) {
    if ((error as { code: string }).code !== 'SQLITE_FULL') throw error;
  }
}
const makePad = (raw: Database.Database) => raw.exec('create table if not exists pad (a)');
const makeRoom = (raw: Database.Database) => raw.pragma('max_page_count = 1000000');

/** Fills every page of every table that is written to, so that no row finds room in one that is there. */
function fillAll(raw: Database.Database, insert: () => void): void {
  makePad(raw);
  fill(raw);
  try {
    for (let i = 0; i < 10_000; i++) insert();
  } catch (error) {
    if ((error as { code: string }).code === 'SQLITE_FULL') return;
    throw error;
  }
  throw new Error('the disk was never full');
}

function fillStore(): void {
  const { raw } = world.store.write;
  for (const table of ['oauth_items', 'tokens', 'grants', 'sessions', 'setup_links', 'settings']) {
    raw.exec(
      `create trigger full_${table} before insert on ${table} begin insert into pad values (zeroblob(5000)); end`,
    );
    raw.exec(
      `create trigger full_up_${table} before update on ${table} begin insert into pad values (zeroblob(5000)); end`,
    );
  }
  makePad(raw);
  fill(raw);
}
function emptyStore(): void {
  const { raw } = world.store.write;
  makeRoom(raw);
  for (const table of ['oauth_items', 'tokens', 'grants', 'sessions', 'setup_links', 'settings'])
    raw.exec(`drop trigger full_${table}; drop trigger full_up_${table}`);
}
function fillAudit(): void {
  const { raw } = world.store.audit;
  const note = raw.prepare(
    `insert into audit (at, request_id, client, surface, tool, records, tokens_out, ms, outcome)
     values ('2026-11-16', ?, 'app', 'mcp', 'fetch', 1, 2, 3, 'ok')`,
  );
  // Large rows first, then small ones: an entry of any size finds no room.
  fillAll(raw, () => note.run('r'.repeat(500)));
  fillAll(raw, () => note.run(''));
}

const calls: [string, Record<string, unknown>][] = [
  ['query_records', { stream: 'entries' }],
  ['aggregate', { stream: 'entries' }],
  ['search', { query: 'marker' }],
  ['fetch', { id: 'mine/entries/one' }],
  ['schema', {}],
];

describe('a disk without space for the audit', () => {
  it('D-04 answers every read with a typed 507 without data, on MCP and REST, until space is free', async () => {
    const whole = await Promise.all(calls.map(([name, args]) => world.call(world.mine, name, args)));
    expect(whole.every(({ isError }) => isError !== true)).toBe(true);
    fillAudit();
    for (const [name, args] of calls) {
      for (const post of [postModern, postLegacy]) {
        const { status, text, messages } = await post(world, world.mine, 'tools/call', {
          name,
          arguments: args,
        });
        expect([name, status]).toEqual([name, 200]);
        const { result } = messages[0];
        expect(result.isError).toBe(true);
        expect(result.structuredContent).toEqual({
          error: {
            code: 'disk_full',
            message: 'The disk is full. Nothing was stored.',
            hint: expect.stringMatching(/free some space/i),
            request_id: expect.stringMatching(/^req_/),
          },
        });
        expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
        expect(text).not.toMatch(INSIDE);
        // What went wrong is in the log, under the same id.
        const id = result.structuredContent.error.request_id;
        expect(world.logged.filter((line) => line.includes(id) && line.includes('SQLITE_FULL'))).toHaveLength(
          1,
        );
      }
    }
    const headers = { authorization: `Bearer ${world.mine}` };
    for (const path of ['/v1/schema', '/v1/streams/entries/records', '/v1/search?query=marker']) {
      const response = await world.request(path, { headers });
      expect([path, response.status]).toEqual([path, 507]);
      const text = await response.text();
      expect(JSON.parse(text).error.code).toBe('disk_full');
      expect(text).not.toMatch(INSIDE);
    }
    // The list of tools is the same for everyone and tells nothing: an app stays connected.
    expect((await world.rpc(world.mine, 'tools/list')).status).toBe(200);

    makeRoom(world.store.audit.raw);
    for (const [name, args] of calls)
      expect((await world.call(world.mine, name, args)).isError).toBeUndefined();
    const [before] = whole;
    const after = await world.call(world.mine, 'query_records', { stream: 'entries' });
    expect(after.structuredContent.data).toEqual(before?.structuredContent.data);
  });

  it('does not report a completed action as failed', async () => {
    const browser = await createOwnerBrowser(world);
    const { grantId, token } = await world.grant([{ connection_id: 'mine' }]);
    const page = await browser.open(`/dashboard/apps/${grantId}`);
    fillAudit();
    world.store.audit.raw.exec(
      `create trigger full before insert on events begin insert into pad values (zeroblob(5000)); end`,
    );
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] as string;
    const answer = await browser.send(`/dashboard/apps/${grantId}/revoke`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: ORIGIN,
        'sec-fetch-site': 'same-origin',
      },
      body: new URLSearchParams({ csrf }).toString(),
    });
    expect(answer.status).toBe(303);
    expect((await world.rpc(token, 'tools/list')).status).toBe(401);
    const lost = world.logged.filter(
      (line) => line.includes('revoked') && line.includes('event_not_written'),
    );
    expect(lost).toHaveLength(1);
    expect(JSON.parse(lost[0] as string)).toMatchObject({ kind: 'revoked', grantId });
  });
});

describe('a disk without space for the store', () => {
  it('D-04 is reported at registration, sign-in, approval, redemption and refresh, and all work later', async () => {
    const browser: Browser = await createOwnerBrowser(world);
    const client = await OAuthClient.register(world);
    const tokens = await client.connect(browser, everything);
    const { code, verifier } = await client.approve(browser, everything);
    const asked = await browser.open(client.startUrl().url);
    const stranger = createBrowser(world.request, ORIGIN);
    const login = await stranger.open('/login');
    const metadata = { client_name: 'Another', redirect_uris: ['http://127.0.0.1/cb'] };
    fillStore();

    const answers = {
      register: await register(world, metadata),
      redeem: await client.redeem(code as string, verifier),
      refresh: await client.refresh(tokens.refresh_token),
    };
    for (const [name, response] of Object.entries(answers)) {
      const text = await response.text();
      expect([name, response.status, JSON.parse(text)]).toEqual([
        name,
        507,
        {
          error: 'server_error',
          error_description: expect.stringMatching(/disk is full/),
          request_id: expect.any(String),
        },
      ]);
      expect(text).not.toMatch(INSIDE);
    }
    const pages = {
      login: await stranger.submit(login, { passphrase: PASSPHRASE }),
      approve: await browser.submit(asked, { ...everything, decision: 'approve' }),
      ask: await browser.open(client.startUrl().url),
    };
    for (const [name, page] of Object.entries(pages)) {
      expect([name, page.status]).toEqual([name, 507]);
      expect(page.text).toContain('The disk is full');
      expect(page.text).not.toMatch(INSIDE);
    }
    expect((await world.call(tokens.access_token, 'schema')).isError).toBeUndefined();

    emptyStore();
    // Nothing was used up by the attempts.
    expect((await register(world, metadata)).status).toBe(201);
    expect((await client.redeem(code as string, verifier)).status).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    expect((await stranger.submit(login, { passphrase: PASSPHRASE })).url).toBe(`${ORIGIN}/dashboard`);
    expect((await browser.submit(asked, { ...everything, decision: 'approve' })).url).toMatch(/[?&]code=/);
  });

  it('D-04 stores no partial batch, keeps acknowledged records, and accepts the same batch later', async () => {
    const owner = await world.ownerToken();
    const send = async (lines: string[]) => {
      const response = await world.request('/v1/ingest/mine/entries', {
        method: 'POST',
        headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/x-ndjson' },
        body: lines.join('\n'),
      });
      return { status: response.status, text: await response.text() };
    };
    expect(JSON.parse((await send(batchLines(1, 50))).text)).toMatchObject({ new: 50 });
    const before = countTables(world.store);
    fillStore();
    const refused = await send(batchLines(2, 500));
    expect(refused.status).toBe(507);
    expect(JSON.parse(refused.text).error).toMatchObject({
      code: 'disk_full',
      hint: expect.stringMatching(/try again/),
    });
    expect(refused.text).not.toMatch(INSIDE);
    expect(countTables(world.store)).toEqual(before);
    emptyStore();
    expect(JSON.parse((await send(batchLines(2, 500))).text)).toMatchObject({
      new: 500,
      same: 0,
      refused: 0,
    });
    expect(countTables(world.store)).toMatchObject({
      records: before.records + 500,
      wrongDays: 0,
      strayTexts: 0,
    });
  });
});

describe('a store that cannot be used while serving', () => {
  it('is `store_unusable` when its pages are damaged, and the log says so', async () => {
    const { write, read, directory } = world.store;
    write.raw.pragma('wal_checkpoint(truncate)');
    const file = join(directory, 'store.sqlite');
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(statSync(file).size - 4096, 0xa5), 0, undefined, 4096);
    closeSync(handle);
    for (const { raw } of [write, read]) raw.pragma('shrink_memory');
    const response = await world.request('/v1/streams/entries/records', {
      headers: { authorization: `Bearer ${world.mine}` },
    });
    const text = await response.text();
    expect([response.status, JSON.parse(text).error.code]).toEqual([500, 'store_unusable']);
    expect(text).not.toMatch(INSIDE);
    expect(world.logged.filter((line) => line.includes('SQLITE_CORRUPT'))).toHaveLength(1);
  });

  it('is `store_unusable` when it has become read-only', async () => {
    world.store.write.raw.pragma('query_only = on');
    const response = await register(world, { redirect_uris: ['http://127.0.0.1/cb'] });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({
      error: 'server_error',
      error_description: 'The data folder cannot be written to.',
    });
    world.store.write.raw.pragma('query_only = off');
    expect((await register(world, { redirect_uris: ['http://127.0.0.1/cb'] })).status).toBe(201);
  });
});

describe('the command line', () => {
  it('exits with 5 and one sentence when the disk is full, and works again later', async () => {
    const { directory } = world.store;
    const file = join(makeFolder(), 'lines.ndjson');
    writeFileSync(file, batchLines(9, 2_000).join('\n'));
    const args = ['ingest', 'mine', 'entries', file, '--json', '--data', directory];
    // A limit on the size of files, in kilobytes: writing past it fails as writing to a full disk does.
    const limited = await waitForEnd(
      spawn('bash', [
        '-c',
        'ulimit -f 300; exec "$@"',
        'bash',
        process.execPath,
        join(findBuild(), 'src/cli.js'),
        ...args,
      ]),
    );
    expect(limited).toEqual({
      code: 5,
      out: '',
      err: 'The disk is full. Nothing was stored.\nFree some space on the server, then try again.\n',
    });
    const again = await runCli(args);
    expect(again.code).toBe(0);
    const { new: added, same } = JSON.parse(again.out) as { new: number; same: number };
    expect(added + same).toBe(2_000);
    expect(countTables(world.store)).toMatchObject({ wrongDays: 0, strayTexts: 0, strayFacets: 0 });
  });
});
