import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAccountService } from '../../../src/accounts/create-account-service.ts';
import { AccountFiles } from '../../../src/accounts/run/account-files.ts';
import { RunReport } from '../../../src/accounts/run/run-report.ts';
import { loadSource } from '../../../src/accounts/sources.ts';
import { KeepSession } from '../../../src/import/kept-files/keep-session.ts';
import { sweepAllKeptFiles } from '../../../src/import/kept-files/sweep-kept-files.ts';
import { recogniseInputs } from '../../../src/import/recognise.ts';
import { finishErasing } from '../../../src/import/remove-connection.ts';
import { type RunOptions, runImport } from '../../../src/import/run-import.ts';
import { undoImport } from '../../../src/import/undo-import.ts';
import { dropConnection } from '../../../src/schema-index/edit-catalog.ts';
import { loadImporters } from '../../../src/sources/load-importers.ts';
import type { Store } from '../../../src/store/store.ts';
import { makeMailbox } from '../../attachments/make-mail.ts';
import { accountRow } from '../../support/accounts/account-row.ts';
import { makeInputFile } from '../../support/input-file.ts';
import { endProcess } from '../../support/processes/end-process.ts';
import { findEngine } from '../../support/stores/engines.ts';
import { createWorld, NOW } from '../../support/world.ts';

const files = (...names: string[]) => names.map((name) => ({ name, bytes: Buffer.from(`text of ${name}`) }));

async function importMails(store: Store, names: string[], run: Partial<RunOptions> = {}) {
  const { found } = await recogniseInputs(await loadImporters(), [
    makeInputFile('mail.mbox', makeMailbox(files(...names)).toString('latin1')),
  ]);
  const one = found[0] as (typeof found)[0];
  const { import_id = 0, report } = await runImport(store, one, {
    options: { timeZone: 'UTC' },
    now: () => new Date(),
    ...run,
  });
  return { id: import_id, folder: join(store.directory, 'files', report.connection_id), report };
}

async function open(): Promise<Store> {
  const world = await createWorld({ clock: 'real' });
  onTestFinished(() => world.close());
  return world.store;
}

/** The names in the index, sorted. */
const readNames = (folder: string): string[] =>
  readFileSync(join(folder, 'index.ndjson'), 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : String(JSON.parse(line).name)))
    .sort();
const listOthers = (folder: string) =>
  readdirSync(folder).filter((name) => !['index.ndjson', 'lock'].includes(name));

describe('kept files', () => {
  it('are deleted when the import that kept them is undone, even if their records stay', async () => {
    const store = await open();
    await importMails(store, ['a.txt']);
    const { id, folder } = await importMails(store, ['a.txt', 'b.txt'], {
      keepFiles: true,
      connectionId: 'mail',
    });
    const later = await importMails(store, ['c.txt'], { keepFiles: true, connectionId: 'mail' });
    expect(later.folder).toBe(folder);
    expect(readNames(folder)).toEqual(['a.txt', 'b.txt', 'c.txt']);
    const { removed } = await undoImport(store, id, new Date());
    expect(removed).toBeGreaterThan(0);
    expect(readNames(folder)).toEqual(['c.txt']);
    expect(listOthers(folder)).toHaveLength(1);
    expect(await store.read.stored.count()).toBeGreaterThan(0);
  });

  it('are not deleted before their records are stored by an import that still runs', async () => {
    const store = await open();
    const { id, folder } = await importMails(store, ['a.txt'], { keepFiles: true });
    await importMails(store, ['b.txt'], { connectionId: 'mail' });
    const running = await KeepSession.open(store.directory, 'mail');
    await running.keep(
      'not stored yet',
      'later.txt',
      (async function* () {
        yield Buffer.from('later');
      })(),
    );
    await undoImport(store, id, new Date());
    expect(readNames(folder)).toEqual(['a.txt', 'later.txt']);
    // The last one to finish deletes what has no record.
    await running.close(store, 'mail', false);
    expect(readNames(folder)).toEqual([]);
    expect(listOthers(folder)).toEqual([]);
  });

  it('without a record are deleted after the process was killed, and the others stay', async () => {
    const store = await open();
    const { folder } = await importMails(store, ['a.txt'], { keepFiles: true });
    const program = fileURLToPath(new URL('keep-child.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', program, store.directory, 'mail', 'lost'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => endProcess(child, 'SIGKILL'));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await sweepAllKeptFiles(store);
    expect(readNames(folder)).toEqual(['a.txt', 'kept.txt']);
    await endProcess(child, 'SIGKILL');
    await sweepAllKeptFiles(store);
    expect(readNames(folder)).toEqual(['a.txt']);
    expect(listOthers(folder)).toHaveLength(1);
  });

  it('of a connection whose removal was interrupted are deleted', async () => {
    const store = await open();
    const { folder } = await importMails(store, ['a.txt'], { keepFiles: true });
    await dropConnection(store.write, 'mail', NOW);
    // Another process finished the removal and was killed before it deleted the files.
    await store.write.batches.finishRemovals();
    expect(existsSync(folder)).toBe(true);
    await finishErasing(store, NOW);
    await sweepAllKeptFiles(store);
    expect(existsSync(folder)).toBe(false);
  });

  it('are refused when the data is in PostgreSQL, and files of other data stay', async () => {
    const folder = await (async () => {
      const other = await open();
      return importMails(other, ['a.txt'], { keepFiles: true });
    })();
    const store = await findEngine('postgres').open(join(folder.folder, '../..'));
    onTestFinished(() => store.close());
    await expect(importMails(store, ['b.txt'], { keepFiles: true })).rejects.toThrow(
      'Attached files can only be kept in a data folder, and your data is in PostgreSQL.',
    );
    expect(await store.read.stored.count()).toBe(0);
    const accounts = createAccountService({
      ...{ store, loadSource, kinds: ['imap'], mayRunCommands: true },
      createNetwork: () => expect.unreachable(),
      now: () => NOW,
      onError: () => '',
      wake: () => {},
    });
    const settings = { user: 'anna@gmail.com', 'keep-files': true };
    await expect(accounts.add({ kind: 'imap', secret: 'x', settings })).rejects.toThrow('PostgreSQL');
    expect((await accounts.listKinds())[0]?.fields.map(({ name }) => name)).not.toContain('keep-files');
    // An account that was moved from a data folder.
    const account = accountRow({ settings: JSON.stringify(settings) });
    const report = new RunReport(account, NOW);
    const openConnection = async () => 'mail';
    expect(new AccountFiles({ store, account, report, openConnection }).keep).toBeUndefined();
    expect(report.builder.build().notes).toEqual([
      'Attached files are not kept, because the data is in PostgreSQL.',
    ]);
    const { id } = await importMails(store, ['b.txt']);
    await undoImport(store, id, new Date());
    await sweepAllKeptFiles(store);
    expect(readNames(folder.folder)).toEqual(['a.txt']);
  });
});
