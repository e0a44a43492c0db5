import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAudit } from '../../src/audit/audit.ts';
import { createEventLog } from '../../src/audit/events.ts';
import { APPLICATION_ID } from '../../src/store/sqlite/check/check-file.ts';
import { auditMigrations } from '../../src/store/sqlite/migrations.ts';
import { openStore, type SqliteStore } from '../../src/store/sqlite/open-store.ts';
import { checkAudit } from '../../src/store/sqlite/verify/check-audit.ts';
import { startScript, waitForEnd } from '../support/run-cli.ts';
import { addReads, countReads, DAY, pruneAll, readEntry } from '../support/stores/audit.ts';
import { unpackOldStore, unpackStoreWithImports } from '../support/stores/old-store.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { NOW } from '../support/world.ts';

let directory: string;
let store: SqliteStore;
beforeEach(async () => {
  directory = join(makeFolder(), 'store');
  store = await openStore(directory);
});
afterEach(() => store.close());

const listIds = ({ audit }: SqliteStore = store) =>
  audit.raw.prepare('select id from audit order by id').pluck().all();
const findings = ({ audit }: SqliteStore = store) => checkAudit(audit.raw, () => {}).map(({ say }) => say);

describe('entries of the audit', () => {
  it('L-02 are changed and removed by retention only', () => {
    const changing =
      /\b(update|delete from|replace into) (audit\b|events\b|\$\{log\})|(updateTable|deleteFrom)\('(audit|events)'/;
    const root = fileURLToPath(new URL('../../', import.meta.url));
    const files = ['src', 'dashboard'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name))
        .map((name) => `${folder}/${name}`),
    );
    const found = files.filter((file) => changing.test(readFileSync(join(root, file), 'utf8')));
    expect(found).toEqual(['src/store/sqlite/audit-store.ts']);
  });

  it('L-05 are numbered in sequence when the clock is turned back', async () => {
    const write = createAudit(store.audit);
    for (const offset of [0, 72 * 3_600_000, -5_000])
      await write(readEntry(), new Date(NOW.getTime() + offset));
    expect(listIds()).toEqual([1, 2, 3]);
    expect(findings()).toEqual(['3 in sequence', '0 in sequence']);
  });

  it('L-05 keep their sequence after pruning, and pass verify', async () => {
    await addReads(store, 10, DAY);
    await pruneAll(store, { days: 5 });
    await addReads(store, 1, DAY);
    expect(listIds()).toEqual([5, 6, 7, 8, 9, 10, 11]);
    await pruneAll(store, { days: 0 });
    await addReads(store, 1, DAY);
    expect(listIds()).toEqual([10, 11, 12]);
    expect(countReads(store)).toEqual({ entries: 3, counted: 9 });
    expect(findings()).toEqual(['3 in sequence', '0 in sequence']);
  });

  it.each([
    ['in the middle', 'delete from audit where id in (7, 8)', '2 reads are missing (number 7, …)'],
    ['beyond what was pruned', 'delete from audit where id = 5', '1 reads are missing (number 5)'],
  ])('L-02 that are missing %s are reported', async (_, sql, said) => {
    await addReads(store, 10, DAY);
    await pruneAll(store, { days: 5 });
    store.audit.raw.exec(sql);
    expect(findings()).toEqual([said, '0 in sequence']);
  });

  it('L-02 missing events are reported, unless retention removed them', async () => {
    const write = createEventLog(store.audit);
    const long = new Date(NOW.getTime() - 900 * DAY);
    for (const kind of ['signed_in', 'revoked', 'signed_in'] as const) await write({ kind }, long);
    for (let i = 0; i < 3; i += 1) await write({ kind: 'signed_in' }, NOW);
    await pruneAll(store, { days: 400 });
    expect(findings()).toEqual(['0 in sequence', '4 in sequence']);
    store.audit.raw.exec('delete from events where id = 5');
    expect(findings()).toEqual(['0 in sequence', '1 events are missing (number 5)']);
  });

  it('accept any name, and a text that ends with a lone surrogate', async () => {
    const client = 'A\u0000"\\ Ä';
    await createAudit(store.audit)(
      readEntry({ fields: [`${'x'.repeat(1_999)}😀`], client, grantId: undefined }),
      NOW,
    );
    const [read] = await store.audit.listReads({ grantId: null }, { order: 'newest' });
    expect(read).toMatchObject({ id: 1, client, grant_id: null, fields: `${'x'.repeat(1_999)}\uFFFD` });
  });

  it('are numbered in sequence when several processes write at once and one of them is killed', async () => {
    const start = () => startScript('test/audit/audit-child.ts', [directory, '400']);
    const [first, second, killed] = [start(), start(), start()];
    const ends = [waitForEnd(first), waitForEnd(second)];
    await new Promise((resolve) => killed.stdout.once('data', resolve));
    await addReads(store, 100, 1_000);
    killed.kill('SIGKILL');
    for (const { code, err } of await Promise.all(ends)) expect([code, err]).toEqual([0, '']);
    const ids = listIds();
    expect(ids.length).toBeGreaterThanOrEqual(901);
    expect(findings()).toEqual([`${ids.length.toLocaleString('en')} in sequence`, '0 in sequence']);
  });
});

describe.each([
  ['0.1.0, without signatures', unpackOldStore],
  ['the hash chain', unpackStoreWithImports],
])('the audit of a store of %s', (_, unpack) => {
  it('keeps its entries and accepts new ones', async () => {
    const old = await openStore(unpack().directory);
    const reads = await old.audit.listReads({}, { order: 'newest' });
    const events = await old.audit.listEvents({}, { order: 'newest' });
    expect(reads.length).toBeGreaterThan(0);
    expect(events.length).toBeGreaterThan(0);
    await addReads(old, 1, DAY);
    expect(findings(old)).toEqual([`${reads.length + 1} in sequence`, `${events.length} in sequence`]);
    await pruneAll(old, { days: -400 });
    expect(countReads(old)).toEqual({ entries: 1, counted: reads.length });
    const tables = old.audit.raw.prepare(`select name from sqlite_master where type = 'table'`).pluck().all();
    expect(tables).toEqual(['audit', 'events', 'usage_days', 'pruned']);
    old.close();
  });
});

describe('the audit of a store with a hash chain that was pruned', () => {
  /** The audit as the previous version left it: entries 1 to 4 pruned, 6 lost, daily counts signed. */
  async function makeOld(change = ''): Promise<string> {
    const folder = join(makeFolder(), 'old');
    (await openStore(folder)).close();
    const file = join(folder, 'audit.sqlite');
    rmSync(file);
    const old = new Database(file);
    old.pragma('journal_mode = wal');
    for (const step of auditMigrations.slice(0, 4)) old.exec(step as string);
    old.pragma(`application_id = ${APPLICATION_ID}`);
    old.pragma('user_version = 4');
    old.exec(`
      insert into audit (id, at, request_id, client, surface, tool, records, tokens_out, ms, outcome, mac)
        select value, '2026-01-0' || value, 'req', 'App', 'mcp', 'schema', 0, 1, 1, 'ok', zeroblob(32)
        from json_each('[5, 7, 8]');
      insert into chain_gaps values ('audit', 0, 4, 4, 'pruned', '', zeroblob(32), zeroblob(32), zeroblob(32)),
        ('audit', 5, 6, 0, 'lost', '', zeroblob(32), zeroblob(32), zeroblob(32));
      insert into usage_days values ('2026-01-01', '', 'App', 'mcp', 'schema', 'ok', 4, 0, 4, 'a', 'b', zeroblob(32));
      ${change}`);
    old.close();
    return folder;
  }

  it('keeps its counts, and reports only what was lost', async () => {
    const upgraded = await openStore(await makeOld());
    expect(findings(upgraded)).toEqual(['1 reads are missing (number 6)', '0 in sequence']);
    await addReads(upgraded, 1, DAY);
    expect(countReads(upgraded)).toEqual({ entries: 4, counted: 4 });
    expect(listIds(upgraded)).toEqual([5, 7, 8, 9]);
    upgraded.close();
  });

  it('is upgraded completely or not at all', async () => {
    const folder = await makeOld('drop table chain_keys');
    await expect(openStore(folder)).rejects.toMatchObject({ code: 'store_unusable' });
    const file = new Database(join(folder, 'audit.sqlite'));
    expect(file.pragma('user_version', { simple: true })).toBe(4);
    expect(file.prepare('select count(*) from chain_gaps').pluck().get()).toBe(2);
    file.close();
  });
});
