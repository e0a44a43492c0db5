import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readAlarms } from '../../src/audit/alarms.ts';
import { makeBackup } from '../../src/store/sqlite/backup/make-backup.ts';
import { findLastScheduled, makeScheduledBackup } from '../../src/store/sqlite/backup/scheduled-backups.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { ingestBatch } from '../support/fill-store.ts';
import { endProcess } from '../support/processes/end-process.ts';
import { findFreePort, runCli, startCli, waitForText } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

const at = (day: number) => new Date(Date.UTC(2026, 0, day));
const options = (day: number) => ({ keep: 3, version: 'test', now: at(day) });

async function fillFolder(): Promise<string> {
  const folder = makeFolder();
  const store = await openStore(folder);
  await ingestBatch(store, 1);
  store.close();
  return folder;
}

describe('a scheduled backup', () => {
  it('keeps the newest ones of its store, and never deletes one that was made by hand or by another store', async () => {
    const [folder, other, target] = [await fillFolder(), await fillFolder(), makeFolder()];
    const store = await openStore(folder);
    const byHand = await makeBackup(store, target, { now: at(1), version: 'test' });
    store.close();
    const ofOther = await makeScheduledBackup(other, target, options(2));
    const made = [];
    for (const day of [3, 4, 5, 6, 7]) made.push(await makeScheduledBackup(folder, target, options(day)));
    expect(made.map(({ removed }) => removed)).toEqual([0, 0, 0, 1, 1]);
    const kept = [byHand, ofOther, ...made.slice(-3)].map(({ path }) => path.slice(target.length + 1));
    expect(readdirSync(target).sort()).toEqual(kept.sort());
    expect(findLastScheduled(folder, target)).toEqual(at(7));
    expect(findLastScheduled(other, target)).toEqual(at(2));
    const copy = new Database(join(target, kept.at(-1) as string, 'store.sqlite'), { readonly: true });
    expect(copy.prepare('select count(*) from records').pluck().get()).toBe(50);
    copy.close();
  });

  it('is not mistaken for one if its manifest is damaged', async () => {
    const [folder, target] = [await fillFolder(), makeFolder()];
    const { path } = await makeScheduledBackup(folder, target, options(1));
    writeFileSync(join(path, 'backup.json'), '{"scheduled_for": ');
    mkdirSync(join(target, 'pdpp-mine'));
    for (const day of [2, 3, 4, 5]) await makeScheduledBackup(folder, target, options(day));
    expect(existsSync(path)).toBe(true);
    expect(readdirSync(target)).toContain('pdpp-mine');
  });
});

describe('serve --backup-to', () => {
  async function startServer(folder: string, target: string, ...flags: string[]) {
    const port = await findFreePort();
    const words = ['serve', '--data', folder, '--port', String(port), '--backup-to', target, ...flags];
    const child = startCli(words);
    onTestFinished(() => endProcess(child));
    return child;
  }
  const listBackups = (target: string) => readdirSync(target).filter((name) => name.startsWith('pdpp-'));

  it('makes a verified backup when one is due, and none again after a restart', async () => {
    const [folder, target] = [await fillFolder(), makeFolder()];
    const first = await startServer(folder, target);
    await waitForText(first, /"event":"backup made"/);
    await endProcess(first);
    expect(listBackups(target)).toHaveLength(1);
    const [name = ''] = listBackups(target);
    const manifest = JSON.parse(readFileSync(join(target, name, 'backup.json'), 'utf8'));
    expect(manifest).toMatchObject({
      scheduled_for: expect.stringMatching(/^[0-9a-f]{16}$/),
      counts: { records: 50 },
    });
    const second = await startServer(folder, target, '--backup-every', '1h');
    await waitForText(second, /\nAdd .*\n/);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await endProcess(second);
    expect(listBackups(target)).toEqual([name]);
    const restored = join(makeFolder(), 'restored');
    expect((await runCli(['restore', join(target, name), '--data', restored])).code).toBe(0);
  });

  it('shows a failure to the owner once, and goes on serving', async () => {
    const [folder, target] = [await fillFolder(), join(makeFolder(), 'file')];
    writeFileSync(target, 'not a folder');
    const child = await startServer(folder, target);
    const printed = await waitForText(child, /"event":"backup failed".*\n/);
    expect(printed).toContain('The backup cannot be written there.');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await endProcess(child);
    expect(child.exitCode).toBe(0);
    const store = await openStore(folder);
    const alarms = await readAlarms(store);
    store.close();
    expect(alarms.map(({ text }) => text)).toEqual([expect.stringMatching(/^A scheduled backup failed\./)]);
  });

  it('backs up the other owners too, each in a folder of its own', async () => {
    const [folder, target] = [await fillFolder(), makeFolder()];
    const theirs = await fillFolder();
    const added = await runCli([
      'owner',
      'add',
      'alice',
      '--host',
      'alice.localhost',
      '--folder',
      theirs,
      '--data',
      folder,
    ]);
    expect([added.code, added.err]).toEqual([0, '']);
    const child = await startServer(folder, target);
    await waitForText(child, /"owner":"alice".*\n/);
    await endProcess(child);
    expect(listBackups(target)).toHaveLength(1);
    expect(listBackups(join(target, 'owners', 'alice'))).toHaveLength(1);
  });

  it.each([
    [['--backup-every', '1d'], 'name the folder'],
    [['--backup-to', 'x', '--backup-every', '0d'], 'backup-every: must be a duration'],
    [['--backup-to', 'x', '--backup-keep', '0'], 'backup-keep'],
  ])('refuses %j', async (flags, message) => {
    const { code, err } = await runCli(['serve', '--data', makeFolder(), ...flags]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  it('is refused for data in PostgreSQL, with what to use instead', async () => {
    const { code, err } = await runCli(['serve', '--data', makeFolder(), '--backup-to', 'x'], {
      environment: { DATABASE_URL: 'postgres://127.0.0.1:1/none' },
    });
    expect([code, err]).toEqual([2, expect.stringContaining('pg_dump')]);
  });
});
