import { createHmac } from 'node:crypto';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAudit } from '../../src/audit/audit.ts';
import { checkCounts } from '../../src/audit/check-chain.ts';
import { createEventLog } from '../../src/audit/events.ts';
import { findCut, readHead, writeHead } from '../../src/audit/head.ts';
import { sealRow } from '../../src/store/sqlite/chain.ts';
import { openStore, type SqliteStore } from '../../src/store/sqlite/open-store.ts';
import { startScript, waitForEnd } from '../support/run-cli.ts';
import { addReads, DAY, pruneAll, readEntry, walk } from '../support/stores/audit.ts';
import { unpackOldStore } from '../support/stores/old-store.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { NOW } from '../support/world.ts';

let directory: string;
let store: SqliteStore;
beforeEach(async () => {
  directory = join(makeFolder(), 'store');
  store = await openStore(directory);
});
afterEach(() => store.close());

const reopen = async () => {
  store.close();
  store = await openStore(directory);
};
const edit = (sql: string) => store.audit.raw.exec(sql);
const tenReads = () => addReads(store, 10, DAY);

describe('the chain of the audit', () => {
  it('L-02 is whole as it was written', async () => {
    await tenReads();
    await createEventLog(store.audit)({ kind: 'signed_in' }, NOW);
    expect(walk(store)).toEqual({ entries: 10 });
    expect(walk(store, 'events')).toEqual({ entries: 1 });
  });

  const edits: [what: string, sql: string, told: object][] = [
    ['a changed number', 'update audit set records = 0 where id = 4', { changed: [4] }],
    ['a changed name', `update audit set client = 'Nobody' where id = 10`, { changed: [10] }],
    ['a changed time', `update audit set at = '2020-01-01' where id = 1`, { changed: [1] }],
    ['a name that became nothing', 'update audit set grant_id = null where id = 2', { changed: [2] }],
    ['a removed row', 'delete from audit where id = 5', { missing: 1 }],
    ['removed first rows', 'delete from audit where id < 4', { missing: 3 }],
    [
      'two rows in each other’s place',
      'update audit set id = -1 where id = 3; update audit set id = 3 where id = 4; update audit set id = 4 where id = -1',
      { changed: [3, 4, 5] },
    ],
    [
      'an added row',
      `insert into audit select 11, at, request_id, client, grant_id, surface, tool, connection_id, stream, fields, records, tokens_out, ms, outcome, mac, touched, way from audit where id = 10`,
      { changed: [11] },
    ],
    ['a number that was not there', 'update audit set touched = 5 where id = 6', { changed: [6] }],
    ['a way that was not there', `update audit set way = 'sum' where id = 6`, { changed: [6] }],
    ['a row without a seal', 'update audit set mac = null where id = 7', { changed: [7] }],
  ];
  it('L-02 seals what a read went over, and seals rows without it as they were sealed before it was kept', async () => {
    await createAudit(store.audit)(readEntry({ touched: 40, way: 'sum by mood' }), NOW);
    await createAudit(store.audit)(readEntry({ touched: 40 }), NOW);
    expect(walk(store)).toEqual({ entries: 2 });
    edit('update audit set touched = null where id = 2');
    expect(walk(store)).toEqual({ entries: 2, changed: [2] });

    const key = Buffer.alloc(32, 1);
    const before = [3, '2026-01-01', 'req', 'App', null, 'mcp', 'schema', null, null, null, 0, 5, 1.5, 'ok'];
    const seal = (...more: (string | number | null)[]) =>
      sealRow(key, null, 'audit', [...before, ...more]).toString('hex');
    const asBefore = createHmac('sha256', key)
      .update(Buffer.alloc(32))
      .update(JSON.stringify(['audit', ...before]))
      .digest('hex');
    expect(seal(null, null)).toBe(asBefore);
    expect(new Set([seal(null, null), seal(0, null), seal(null, 'sum'), seal(0, 'sum')]).size).toBe(4);
  });

  it.each(edits)('L-02 shows %s', async (_, sql, told) => {
    await tenReads();
    edit(sql);
    expect(walk(store)).toEqual({ entries: expect.any(Number), ...told });
  });

  it('L-02 cannot be made anew without the key', async () => {
    await tenReads();
    expect(walk(store, 'audit', Buffer.alloc(32, 7))).toEqual({ entries: 10, foreign: 10 });
  });

  it('holds what has half a character at its end, and every kind of name', async () => {
    const write = createAudit(store.audit);
    await write(
      readEntry({ fields: [`${'x'.repeat(1_999)}😀`], client: 'A\u0000"\\ Ä', grantId: undefined }),
      NOW,
    );
    expect(walk(store)).toEqual({ entries: 1 });
  });

  it('L-05 goes on counting when the clock is turned back', async () => {
    const write = createAudit(store.audit);
    for (const offset of [0, 72 * 3_600_000, -5_000])
      await write(readEntry(), new Date(NOW.getTime() + offset));
    expect(store.audit.raw.prepare('select id from audit order by id').pluck().all()).toEqual([1, 2, 3]);
    expect(walk(store)).toEqual({ entries: 3 });
  });

  it('holds when several processes write at once and one of them is killed', async () => {
    const start = () => startScript('test/audit/audit-child.ts', [directory, '400']);
    const [first, second, killed] = [start(), start(), start()];
    const ends = [waitForEnd(first), waitForEnd(second)];
    await new Promise((resolve) => killed.stdout.once('data', resolve));
    await addReads(store, 100, 1_000);
    killed.kill('SIGKILL');
    for (const { code, err } of await Promise.all(ends)) expect([code, err]).toEqual([0, '']);
    const report = walk(store);
    expect(report).toEqual({ entries: expect.any(Number) });
    expect(report.entries).toBeGreaterThanOrEqual(901);
  });

  it('begins at the upgrade for the rows that 0.1.0 had written', async () => {
    const old = unpackOldStore();
    const upgraded = await openStore(old.directory);
    for (const chain of ['audit', 'events'] as const) {
      const { entries, ...rest } = walk(upgraded, chain);
      expect(entries).toBeGreaterThan(0);
      expect(rest).toEqual({});
    }
    await addReads(upgraded, 1, DAY);
    expect(walk(upgraded)).toEqual({ entries: expect.any(Number) });
    upgraded.audit.raw.exec('update audit set tool = tool || 1 where id = 1');
    expect(walk(upgraded)).toMatchObject({ changed: [1] });
    upgraded.close();
  });
});

describe('the chain after pruning', () => {
  it('L-05 starts where the first kept entry begins, and still shows what is changed', async () => {
    await tenReads();
    pruneAll(store, { days: 5 });
    expect(walk(store)).toEqual({ entries: 6, pruned: 4 });
    pruneAll(store, { days: 2 });
    await addReads(store, 1, DAY);
    expect(walk(store)).toEqual({ entries: 4, pruned: 7 });
    expect(store.audit.raw.prepare('select count(*) from chain_gaps').pluck().get()).toBe(1);
    edit('update audit set records = 9 where id = 8');
    expect(walk(store)).toMatchObject({ changed: [8] });
  });

  it('shows more taken away than was pruned, and a note of pruning that was changed', async () => {
    await tenReads();
    pruneAll(store, { days: 5 });
    edit('delete from audit where id = 5');
    expect(walk(store)).toMatchObject({ missing: 1 });
    edit('update chain_gaps set through_id = 5, entries = 5');
    expect(walk(store)).toMatchObject({ changed: [1, 6] });
  });

  it('shows counts that were changed or taken away', async () => {
    await tenReads();
    pruneAll(store, { days: 5 });
    const check = () => checkCounts(store.audit.raw, store.audit.chainKey);
    expect(check()).toEqual({ days: 4, changed: 0, calls: 4, pruned: 4 });
    edit(`update usage_days set calls = 2 where day = (select min(day) from usage_days)`);
    expect(check()).toMatchObject({ changed: 1, calls: 5 });
    edit('delete from usage_days where calls = 2');
    expect(check()).toMatchObject({ changed: 0, calls: 3, pruned: 4 });
  });
});

describe('the end of the chain', () => {
  it('L-02 that was cut off is noticed at the next look, told for ever, and written on after', async () => {
    await tenReads();
    expect(writeHead(store, NOW)).toBe(true);
    await addReads(store, 2, DAY);
    expect(findCut(store, NOW)).toBeUndefined();
    edit('delete from audit where id > 7');
    expect(walk(store)).toEqual({ entries: 7 });
    expect(findCut(store, NOW)).toBe('3 reads and 0 events');
    expect(findCut(store, NOW)).toBeUndefined();
    await addReads(store, 1, DAY);
    expect(walk(store)).toEqual({ entries: 8, lost: 3 });
    expect(store.audit.raw.prepare('select max(id) from audit').pluck().get()).toBe(11);
  });

  it('that was cut off and filled up again while nobody looked is noticed', async () => {
    await tenReads();
    writeHead(store, NOW);
    edit('delete from audit where id > 7');
    await addReads(store, 5, DAY);
    expect(walk(store)).toEqual({ entries: 12 });
    expect(findCut(store, NOW)).toBe('the last ones were replaced');
  });

  it.each(['"x"', '[{"audit":{"id":0,"mac":""},"events":{"id":0,"mac":""},"at":"9999"},"00"]'])(
    'whose note was changed to %s is noticed',
    async (value) => {
      await tenReads();
      writeHead(store, NOW);
      store.write.raw.prepare(`update settings set value = ? where name = 'audit_head'`).run(value);
      expect(findCut(store, NOW)).toBe('the note of where it ended was changed');
    },
  );

  it('is not noted while an import holds the store, and keeps nobody waiting', async () => {
    await tenReads();
    store.write.raw.exec('begin immediate');
    const started = performance.now();
    expect(writeHead(store, NOW)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1_000);
    store.write.raw.exec('rollback');
    expect(writeHead(store, NOW)).toBe(true);
    expect(readHead(store.write.raw, store.audit.chainKey)).toMatchObject({ head: { audit: { id: 10 } } });
  });

  it('tells an older copy of the audit file from nothing', async () => {
    await tenReads();
    store.close();
    copyFileSync(join(directory, 'audit.sqlite'), join(directory, 'copy'));
    store = await openStore(directory);
    await addReads(store, 5, DAY);
    writeHead(store, NOW);
    store.close();
    copyFileSync(join(directory, 'copy'), join(directory, 'audit.sqlite'));
    store = await openStore(directory);
    expect(findCut(store, NOW)).toBe('5 reads and 0 events');
  });
});

describe('a lost key', () => {
  it('is told from tampering: older entries cannot be checked, newer ones can, and the owner is told', async () => {
    await tenReads();
    pruneAll(store, { days: 5 });
    writeHead(store, NOW);
    store.close();
    rmSync(join(directory, 'cursor.key'));
    writeFileSync(join(directory, 'cursor.key'), Buffer.alloc(32, 9), { mode: 0o600 });
    store = await openStore(directory);
    await addReads(store, 2, DAY);
    expect(walk(store)).toEqual({ entries: 8, pruned: 4, foreign: 6 });
    expect(findCut(store, new Date())).toBeUndefined();
    const readKinds = () => store.audit.raw.prepare('select kind from events').pluck().all();
    expect(readKinds()).toEqual(['audit_key_changed']);
    await reopen();
    await addReads(store, 1, DAY);
    edit('update audit set records = 0 where id = 12');
    expect(walk(store)).toMatchObject({ changed: [12], foreign: 6 });
    expect(readKinds()).toEqual(['audit_key_changed']);
  });
});
