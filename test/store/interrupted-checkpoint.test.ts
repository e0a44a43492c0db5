import { closeSync, copyFileSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { AppError } from '../../src/errors.ts';
import { openStore, type SqliteStore } from '../../src/store/sqlite/open-store.ts';
import { countTables, ingestBatch } from '../support/fill-store.ts';
import { hashFolder, makeFolder } from '../support/temp-folder.ts';

const RECORDS = 500;

/** What a process leaves that is killed before any checkpoint: records that are only in the log. */
async function killBeforeCheckpoint(change: (store: SqliteStore) => void = () => {}): Promise<string> {
  const folder = makeFolder();
  const store = await openStore(folder);
  for (const { raw } of [store.write, store.audit]) raw.pragma('wal_autocheckpoint = 0');
  await ingestBatch(store, 1, RECORDS);
  const note = store.audit.raw.prepare(
    `insert into events (at, kind, detail) values ('2026-11-16', 'signed_in', ?)`,
  );
  for (let i = 0; i < RECORDS; i++) note.run('x'.repeat(200));
  change(store);
  const left = makeFolder();
  for (const name of [
    'store.sqlite',
    'store.sqlite-wal',
    'audit.sqlite',
    'audit.sqlite-wal',
    'server-secret',
  ])
    copyFileSync(join(folder, name), join(left, name));
  store.close();
  return left;
}

/** The first thing a checkpoint does: the newest page 1 goes into the file, which has not grown yet. */
function writeFirstPage(file: string): void {
  const log = readFileSync(`${file}-wal`);
  const pageSize = log.readUInt32BE(8);
  let page: Buffer | undefined;
  for (let at = 32; at + 24 + pageSize <= log.length; at += 24 + pageSize)
    if (log.readUInt32BE(at) === 1) page = log.subarray(at + 24, at + 24 + pageSize);
  const handle = openSync(file, 'r+');
  writeSync(handle, page as Buffer, 0, pageSize, 0);
  closeSync(handle);
  expect((page as Buffer).readUInt32BE(28) * pageSize).toBeGreaterThan(statSync(file).size);
}

async function expectWhole(folder: string): Promise<void> {
  const store = await openStore(folder);
  expect(countTables(store)).toMatchObject({ records: RECORDS, facets: RECORDS, texts: RECORDS });
  expect(store.audit.raw.prepare('select count(*) from events').pluck().get()).toBe(RECORDS);
  for (const { raw } of [store.write, store.audit])
    expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
  store.close();
}

describe('a store that was killed in the middle of a checkpoint', () => {
  it.each(['store.sqlite', 'audit.sqlite'])(
    'is intact and opens, though page 1 of %s counts pages that only the log has',
    async (name) => {
      const folder = await killBeforeCheckpoint();
      writeFirstPage(join(folder, name));
      await expectWhole(folder);
      // And once more, now that the log has been folded in.
      await expectWhole(folder);
    },
  );

  it('opens without its shared-memory file, and with an older one', async () => {
    const folder = await killBeforeCheckpoint();
    copyFileSync(join(folder, 'server-secret'), join(folder, 'store.sqlite-shm'));
    await expectWhole(folder);
  });

  it('opens with an empty log', async () => {
    const folder = await killBeforeCheckpoint();
    (await openStore(folder)).close();
    for (const name of ['store.sqlite', 'audit.sqlite'])
      closeSync(openSync(join(folder, `${name}-wal`), 'w', 0o600));
    await expectWhole(folder);
  });
});

describe('content that is only in the log', () => {
  it('counts: a newer version is refused', async () => {
    const folder = await killBeforeCheckpoint((store) => store.write.raw.pragma('user_version = 99'));
    await expect(openStore(folder)).rejects.toThrow(/newer pdpp/);
  });

  it('does not excuse a shortened file whose pages it does not have', async () => {
    const folder = await killBeforeCheckpoint();
    (await openStore(folder)).close();
    const whole = await openStore(folder);
    whole.write.raw.pragma('wal_autocheckpoint = 0');
    whole.write.raw.prepare(`insert into settings values ('a', 'b')`).run();
    const left = makeFolder();
    for (const name of ['store.sqlite', 'store.sqlite-wal', 'audit.sqlite', 'server-secret'])
      copyFileSync(join(folder, name), join(left, name));
    whole.close();
    const file = join(left, 'store.sqlite');
    const bytes = readFileSync(file);
    const handle = openSync(file, 'w', 0o600);
    writeSync(handle, bytes, 0, Math.floor(bytes.length / 2));
    closeSync(handle);
    rmSync(`${file}-shm`, { force: true });
    const { 'store.sqlite-shm': _before, ...before } = hashFolder(left);
    await expect(openStore(left)).rejects.toThrow(expect.objectContaining({ code: 'store_unusable' }));
    const { 'store.sqlite-shm': _after, 'folder.lock': _lock, ...after } = hashFolder(left);
    expect(after).toEqual(before);
  });
});

describe('opening beside a process that holds the write lock', () => {
  it('does not wait for it, and does not take it for damage', async () => {
    const folder = makeFolder();
    (await openStore(folder)).close();
    const other = new Database(join(folder, 'store.sqlite'));
    other.exec('begin immediate');
    const started = performance.now();
    try {
      (await openStore(folder)).close();
    } catch (error) {
      expect((error as AppError).message).toBe('the store opens');
    } finally {
      other.exec('rollback');
      other.close();
    }
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});
