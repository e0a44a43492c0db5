import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAudit } from '../../src/audit/audit.ts';
import { createEventLog } from '../../src/audit/events.ts';
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
    expect(found).toEqual(['src/store/sqlite/audit-writes.ts']);
  });

  it('L-05 are numbered in sequence when the clock is turned back', async () => {
    const write = createAudit(store.audit);
    for (const offset of [0, 72 * 3_600_000, -5_000])
      await write(readEntry(), new Date(NOW.getTime() + offset));
    expect(listIds()).toEqual([1, 2, 3]);
    expect(findings()).toEqual(['3 in sequence', '0 in sequence']);
  });

  it('L-05 are numbered on after pruning, and still verify', async () => {
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

  it('L-02 that are missing among events are reported, unless retention removed them', async () => {
    const write = createEventLog(store.audit);
    const long = new Date(NOW.getTime() - 900 * DAY);
    for (const kind of ['signed_in', 'revoked', 'signed_in'] as const) await write({ kind }, long);
    for (let i = 0; i < 3; i += 1) await write({ kind: 'signed_in' }, NOW);
    await pruneAll(store, { days: 400 });
    expect(findings()).toEqual(['0 in sequence', '4 in sequence']);
    store.audit.raw.exec('delete from events where id = 5');
    expect(findings()).toEqual(['0 in sequence', '1 events are missing (number 5)']);
  });

  it('hold every kind of name, and a text that ends in half a character', async () => {
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
  it('keeps its entries and is written on', async () => {
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
