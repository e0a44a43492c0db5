import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { ingestBatch } from '../support/fill-store.ts';
import { createOwnerBrowser } from '../support/oauth-client.ts';
import { endProcess } from '../support/processes/end-process.ts';
import { findFreePort, runCli, startCli, waitForEnd, waitForText } from '../support/run-cli.ts';
import { makeFolder, useFolder } from '../support/temp-folder.ts';
import { createWorld } from '../support/world.ts';

/** A store of more than the 64 MB up to which every page is looked at before the start. */
async function makeLargeStore(folder: string): Promise<void> {
  const store = await openStore(folder);
  await ingestBatch(store, 1, 500);
  const insert = store.write.raw.prepare(
    `insert into history (stream_id, key, from_seq, to_seq, t, emitted_at, data) values (1, ?, 1, 2, 3, 4, ?)`,
  );
  const fill = store.write.raw.transaction(() => {
    for (let i = 0; i < 70; i += 1) insert.run(`large-${i}`, 'x'.repeat(2 ** 20));
  });
  fill();
  store.close();
  expect(statSync(join(folder, 'store.sqlite')).size).toBeGreaterThan(64 * 2 ** 20);
}

/** Overwrites pages in the middle of the file, and the one that facets begin with. */
function damage(folder: string, name = 'store.sqlite', table = 'facets'): void {
  const file = join(folder, name);
  const database = new Database(file);
  const root = database
    .prepare('select rootpage from sqlite_master where name = ?')
    .pluck()
    .get(table) as number;
  const pages = database.pragma('page_count', { simple: true }) as number;
  database.close();
  const handle = openSync(file, 'r+');
  for (const page of [root, Math.floor(pages / 2), Math.floor(pages / 2) + 1])
    writeSync(handle, Buffer.alloc(4096, 0x5a), 0, 4096, (page - 1) * 4096);
  closeSync(handle);
}

/** Starts a server and waits for what its check beside the answers has found. */
async function serveAndCheck(folder: string) {
  const port = await findFreePort();
  const child = startCli(['serve', '--port', String(port), '--data', folder]);
  onTestFinished(() => endProcess(child, 'SIGKILL'));
  const [, printed] = await Promise.all([
    waitForText(child, /claude mcp add/),
    waitForText(child, /"event":"checked"[^\n]*\n/),
  ]);
  const checked: unknown = JSON.parse(/^.*"event":"checked".*$/m.exec(printed)?.[0] ?? '');
  return { origin: `http://127.0.0.1:${port}`, child, checked };
}

describe('damage above 64 MB', () => {
  const folder = useFolder();

  it('is not reported for a sound store, which is checked while the server answers', async () => {
    await makeLargeStore(folder);
    const { checked, origin, child } = await serveAndCheck(folder);
    expect(checked).toMatchObject({ file: 'store.sqlite', result: 'sound' });
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    const ended = waitForEnd(child);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  it('D-05 is detected after the start, in the log and by readyz, while the server answers', async () => {
    damage(folder);
    const { checked, origin } = await serveAndCheck(folder);
    expect(checked).toMatchObject({
      file: 'store.sqlite',
      result: 'damaged',
      hint: expect.stringMatching(/^Run pdpp doctor --data \S+\.$/),
    });
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    const ready = await fetch(`${origin}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'damaged' }]);
  });

  it('D-05 is a finding of doctor, with what to do, and never a stack trace', async () => {
    const { code, out, err } = await runCli(['doctor', '--data', folder]);
    expect([code, err]).toEqual([3, '']);
    expect(out).toMatch(/^BAD +store\.sqlite: damaged\. .*pdpp restore --data \S+ BACKUP/m);
    expect(out).toMatch(/^ok +audit\.sqlite: every page is sound$/m);
    expect(out).toMatch(/^BAD +agreement: cannot be read, the file is damaged\./m);
    expect(out).not.toMatch(/SQLITE|at .+:\d+:\d+/);
    const json = await runCli(['doctor', '--data', folder, '--json']);
    expect(json.code).toBe(3);
    expect(JSON.parse(json.out)).toContainEqual(
      expect.objectContaining({ check: 'store.sqlite', fine: false }),
    );
  });
});

describe('damage in a folder that cannot be opened', () => {
  it.each([
    ['store.sqlite', 'facets'],
    ['audit.sqlite', 'events'],
  ])('of %s is a finding of doctor too', async (name, table) => {
    const folder = makeFolder();
    const store = await openStore(folder);
    await ingestBatch(store, 1, 500);
    store.close();
    damage(folder, name, table);
    const { code, out, err } = await runCli(['doctor', '--data', folder]);
    expect([code, err]).toEqual([3, '']);
    expect(out).toMatch(new RegExp(`^BAD +${name.replace('.', '\\.')}: damaged\\.`, 'm'));
    expect(out).toMatch(/^BAD +store: The database file is damaged/m);
    expect(out).not.toMatch(/SQLITE|at .+:\d+:\d+/);
  });
});

describe('damage that was found', () => {
  it('is shown first on every page until it is repaired', async () => {
    const damaged = new Set<string>();
    const world = await createWorld({ damaged });
    const browser = await createOwnerBrowser(world);
    expect((await browser.open('/dashboard')).text).not.toContain('is damaged');
    damaged.add('store.sqlite');
    for (const path of ['/dashboard', '/dashboard/apps', '/dashboard/data', '/dashboard/connect']) {
      const { text } = await browser.open(path);
      expect(text).toMatch(/store\.sqlite is damaged\..*pdpp doctor.*pdpp restore/);
    }
    await browser.submit(await browser.open('/dashboard'));
    expect((await browser.open('/dashboard')).text).toContain('store.sqlite is damaged');
    expect((await world.request('/readyz')).status).toBe(503);
    world.close();
  });
});
