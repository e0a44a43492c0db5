import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { countTables, ingestBatch } from '../support/fill-store.ts';
import { startScript, waitForEnd } from '../support/run-cli.ts';
import { listModes, modeOf } from '../support/stores/modes.ts';
import { makeFolder } from '../support/temp-folder.ts';

describe('a new data folder', () => {
  it.each(['000', '022'])('S-02 is private under umask %s, while open and afterwards', async (mask) => {
    const folder = join(makeFolder(), 'deep', 'data');
    const { code, out, err } = await waitForEnd(startScript('test/store/modes-child.ts', [mask, folder]));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const open = JSON.parse(out) as { folder: string; files: Record<string, string>; warnings: string[] };
    // Private from the first moment on, not repaired afterwards.
    expect(open.warnings).toEqual([]);
    expect(open.folder).toBe('700');
    expect(Object.keys(open.files).sort()).toEqual([
      'audit.sqlite',
      'audit.sqlite-shm',
      'audit.sqlite-wal',
      'folder.lock',
      'server-secret',
      'store.sqlite',
      'store.sqlite-shm',
      'store.sqlite-wal',
    ]);
    expect(new Set(Object.values(open.files))).toEqual(new Set(['600']));
    expect(modeOf(folder)).toBe('700');
    expect(new Set(Object.values(listModes(folder)))).toEqual(new Set(['600']));
  });

  it('does not take a file for a folder', async () => {
    const file = join(makeFolder(), 'data');
    writeFileSync(file, 'mine');
    await expect(openStore(file)).rejects.toThrow(expect.objectContaining({ code: 'store_unusable' }));
  });
});

describe('an existing data folder', () => {
  it('S-02 is made private again, with a warning for each file that was not', async () => {
    const folder = makeFolder();
    (await openStore(folder)).close();
    chmodSync(folder, 0o755);
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
    const warnings: string[] = [];
    (await openStore(folder, (message) => warnings.push(message))).close();
    expect(warnings).toHaveLength(4);
    for (const name of ['store.sqlite', 'audit.sqlite', 'server-secret'])
      expect(warnings).toContain(`${name} could be read by others; its mode is now 600.`);
    expect(warnings.join()).not.toContain('/');
    expect(modeOf(folder)).toBe('700');
    for (const name of ['store.sqlite', 'audit.sqlite', 'server-secret'])
      expect(listModes(folder)[name]).toBe('600');
  });

  it('causes no warning if all files are private', async () => {
    const folder = makeFolder();
    const warnings: string[] = [];
    (await openStore(folder, (message) => warnings.push(message))).close();
    (await openStore(folder, (message) => warnings.push(message))).close();
    expect(warnings).toEqual([]);
  });

  it('keeps records, catalog, key and audit when it is opened again', async () => {
    const folder = makeFolder();
    const first = await openStore(folder);
    await ingestBatch(first, 1);
    const before = countTables(first);
    const key = Buffer.from(first.secret).toString('hex');
    first.audit.raw.exec(
      `insert into audit (at, request_id, client, surface, tool, records, tokens_out, ms, outcome)
       values ('2026-11-16', 'req_1', 'app', 'mcp', 'fetch', 1, 2, 3, 'ok')`,
    );
    first.close();
    const second = await openStore(folder);
    expect(countTables(second)).toEqual(before);
    expect(before.records).toBe(50);
    expect(Buffer.from(second.secret).toString('hex')).toBe(key);
    expect(second.audit.raw.prepare('select count(*) from audit').pluck().get()).toBe(1);
    expect(await ingestBatch(second, 1)).toMatchObject({ new: 0, same: 50 });
    second.close();
  });

  it('opens after an interrupted first start', async () => {
    const folder = makeFolder();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'store.sqlite.new'), 'half a database');
    const store = await openStore(folder);
    expect(countTables(store).records).toBe(0);
    store.close();
  });
});

describe('the read connection', () => {
  it('cannot write', async () => {
    const folder = makeFolder();
    const store = await openStore(folder);
    await ingestBatch(store, 1);
    const attempts = [
      sql`delete from records`,
      sql`insert into settings values ('a', 'b')`,
      sql`create table more (a)`,
      sql`drop table records`,
      sql`update counters set value = 0`,
      sql`insert into texts (rowid, c0) values (1, 'x')`,
    ];
    for (const attempt of attempts)
      await expect(attempt.execute(store.read.db)).rejects.toMatchObject({ code: 'SQLITE_READONLY' });
    expect(countTables(store).records).toBe(50);
    store.close();
  });

  it('sees committed writes at once, also those of another process', async () => {
    const folder = makeFolder();
    const reader = await openStore(folder);
    const writer = await openStore(folder);
    await ingestBatch(writer, 1);
    const { n } = await reader.read.db
      .selectFrom('records')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(n).toBe(50);
    writer.close();
    reader.close();
    rmSync(folder, { recursive: true });
  });
});
