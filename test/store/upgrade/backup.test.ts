import { existsSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { auditMigrations, migrations } from '../../../src/store/sqlite/migrations.ts';
import { openStore } from '../../../src/store/sqlite/open-store.ts';
import { verifyStore } from '../../../src/store/sqlite/verify/verify-store.ts';
import { ingestBatch } from '../../support/fill-store.ts';
import { runCli } from '../../support/run-cli.ts';
import {
  createOldStore,
  unpackOldStore,
  unpackSecondStore,
  unpackStoreWithImports,
} from '../../support/stores/old-store.ts';
import { makeFolder } from '../../support/temp-folder.ts';

const BACKUPS = 'before-upgrade';

/** The records of a database file, and the version of its tables. */
function readFile(file: string) {
  const database = new Database(file, { readonly: true });
  const records = database.prepare('select key, data from records order by rid').all();
  const version = database.pragma('user_version', { simple: true });
  database.close();
  return { records, version };
}

const listBackups = (directory: string) =>
  readdirSync(join(directory, BACKUPS)).map((name) => join(directory, BACKUPS, name));

async function createCurrent(): Promise<string> {
  const directory = join(makeFolder(), 'current');
  const store = await openStore(directory);
  await ingestBatch(store, 1);
  store.close();
  return directory;
}

/** Marks a store as one that a later version has upgraded. */
function makeNewer(directory: string): void {
  for (const [name, steps] of [
    ['store.sqlite', migrations],
    ['audit.sqlite', auditMigrations],
  ] as const) {
    const database = new Database(join(directory, name));
    database.pragma(`user_version = ${steps.length + 1}`);
    database.close();
  }
}

describe('an upgrade', () => {
  it.each([
    ['0.1', () => unpackOldStore().directory],
    ['before 0.2', () => unpackStoreWithImports().directory],
    ['0.2', () => unpackSecondStore().directory],
    [
      'the first tables',
      () => {
        const directory = join(makeFolder(), 'first');
        createOldStore(directory, 1, () => {});
        return directory;
      },
    ],
  ])('of a store of %s makes a verified backup of it first, and keeps every record', async (_, unpack) => {
    const directory = unpack();
    const before = readFile(join(directory, 'store.sqlite'));
    const messages: string[] = [];
    const store = await openStore(directory, (message) => messages.push(message));
    store.close();
    const [backup = '', ...more] = listBackups(directory);
    expect(more).toEqual([]);
    expect(messages).toContain(`Your data is upgraded. A backup from before is in ${backup}.`);
    expect(readFile(join(backup, 'store.sqlite'))).toEqual(before);
    const after = readFile(join(directory, 'store.sqlite'));
    expect(after).toEqual({ records: before.records, version: migrations.length });
    expect((await verifyStore(directory)).filter(({ fine }) => !fine)).toEqual([]);
    // Opening it again is no upgrade.
    (await openStore(directory)).close();
    expect(listBackups(directory)).toEqual([backup]);
  });

  it('of a store of this version does nothing', async () => {
    const directory = await createCurrent();
    const before = readFile(join(directory, 'store.sqlite'));
    (await openStore(directory)).close();
    expect(existsSync(join(directory, BACKUPS))).toBe(false);
    expect(readFile(join(directory, 'store.sqlite'))).toEqual(before);
  });

  it('of more than 2 GB asks first: serve refuses and names the command that goes on', async () => {
    const { directory } = unpackOldStore();
    // SQLite ignores what follows the last page.
    truncateSync(join(directory, 'store.sqlite'), 2_000_000_000);
    const run = (...words: string[]) => runCli([...words, '--data', directory]);
    const before = readFile(join(directory, 'store.sqlite'));
    for (const command of ['serve', 'upgrade', 'connection list']) {
      const { code, err } = await run(...command.split(' '));
      expect([command, code, err]).toEqual([command, 3, expect.stringMatching(/upgrade .*--without-backup/)]);
    }
    expect(readFile(join(directory, 'store.sqlite'))).toEqual(before);
    const target = makeFolder();
    const wrong = await run('upgrade', '--backup-to', target, '--without-backup');
    expect(wrong.code).toBe(2);
    const done = await run('upgrade', '--backup-to', target);
    expect([done.code, done.out]).toEqual([
      0,
      expect.stringContaining(`A backup from before is in ${target}`),
    ]);
    expect(readFile(join(directory, 'store.sqlite')).version).toBe(migrations.length);
    expect((await run('connection', 'list')).code).toBe(0);
  });

  it('goes on without a backup if the owner says so', async () => {
    const { directory } = unpackOldStore();
    truncateSync(join(directory, 'store.sqlite'), 2_000_000_000);
    expect((await runCli(['upgrade', '--without-backup', '--data', directory])).code).toBe(0);
    expect(existsSync(join(directory, BACKUPS))).toBe(false);
    expect(readFile(join(directory, 'store.sqlite')).version).toBe(migrations.length);
  });
});

describe('a downgrade', () => {
  it('is refused with the command that goes back, which works and keeps the newer data', async () => {
    const { directory } = unpackOldStore();
    const old = readFile(join(directory, 'store.sqlite'));
    (await openStore(directory)).close();
    const [backup = ''] = listBackups(directory);
    makeNewer(directory);
    const { code, err } = await runCli(['serve', '--data', directory]);
    expect([code, err]).toEqual([3, expect.stringContaining('written by a newer pdpp')]);
    expect(err).toContain(`restore --data ${directory} ${backup} --force`);
    const restored = await runCli(['restore', backup, '--force', '--data', directory]);
    expect([restored.code, restored.err]).toEqual([0, expect.any(String)]);
    expect(readFile(join(directory, 'store.sqlite'))).toMatchObject({ records: old.records });
    const aside = readdirSync(directory).filter((name) => name.startsWith('replaced-'));
    expect(aside).toHaveLength(1);
    expect(readFile(join(directory, aside[0] as string, 'store.sqlite')).version).toBe(migrations.length + 1);
  });

  it('without such a backup says to update', async () => {
    const directory = await createCurrent();
    makeNewer(directory);
    const { code, err } = await runCli(['serve', '--data', directory]);
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(/newer pdpp\.\nUpdate pdpp, then start again\.\n$/),
    ]);
  });
});
