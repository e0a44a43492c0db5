import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeBackup } from '../../src/store/sqlite/backup/make-backup.ts';
import { checkBackup } from '../../src/store/sqlite/backup/manifest.ts';
import { restoreBackup } from '../../src/store/sqlite/backup/restore-backup.ts';
import { OLD_SECRET_FILE, SECRET_FILE } from '../../src/store/sqlite/folder/secret-file.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { ingestBatch } from '../support/fill-store.ts';
import { makeFolder } from '../support/temp-folder.ts';

/** A store whose secret has the name that versions before 0.2 gave it. */
async function makeOldFolder(): Promise<{ folder: string; secret: Buffer }> {
  const folder = join(makeFolder(), 'data');
  const store = await openStore(folder);
  await ingestBatch(store, 1, 20);
  store.close();
  renameSync(join(folder, SECRET_FILE), join(folder, OLD_SECRET_FILE));
  return { folder, secret: readFileSync(join(folder, OLD_SECRET_FILE)) };
}

async function readSecret(folder: string): Promise<Buffer> {
  const warnings: string[] = [];
  const store = await openStore(folder, (text) => warnings.push(text));
  store.close();
  expect(warnings).toEqual([]);
  return Buffer.from(store.secret);
}

async function backUp(folder: string): Promise<string> {
  const store = await openStore(folder);
  const { path } = await makeBackup(store, makeFolder(), { now: new Date(), version: 'test' });
  store.close();
  return path;
}

const options = { force: true, keepAccess: true, now: new Date('2026-03-01T00:00:00Z') };

describe('server-secret', () => {
  it('is the name in a new folder', async () => {
    const folder = makeFolder();
    const secret = await readSecret(folder);
    expect(readFileSync(join(folder, SECRET_FILE))).toEqual(secret);
    expect(existsSync(join(folder, OLD_SECRET_FILE))).toBe(false);
  });

  it('is read under its old name, which stays', async () => {
    const { folder, secret } = await makeOldFolder();
    expect(await readSecret(folder)).toEqual(secret);
    expect(existsSync(join(folder, SECRET_FILE))).toBe(false);
  });

  it('has precedence where both names are present', async () => {
    const { folder } = await makeOldFolder();
    const secret = Buffer.alloc(32, 7);
    writeFileSync(join(folder, SECRET_FILE), secret, { mode: 0o600 });
    expect(await readSecret(folder)).toEqual(secret);
  });

  it('has the new name in a backup of an old folder', async () => {
    const { folder, secret } = await makeOldFolder();
    const backup = await backUp(folder);
    expect(readFileSync(join(backup, SECRET_FILE))).toEqual(secret);
    expect(existsSync(join(backup, OLD_SECRET_FILE))).toBe(false);
  });

  it('is restored from an old backup over either name', async () => {
    const { folder, secret } = await makeOldFolder();
    const backup = await backUp(folder);
    renameSync(join(backup, SECRET_FILE), join(backup, OLD_SECRET_FILE));
    const manifest = join(backup, 'backup.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(SECRET_FILE, OLD_SECRET_FILE));
    expect((await checkBackup(backup))?.files.map(({ name }) => name)).toContain(OLD_SECRET_FILE);

    const target = makeFolder();
    await readSecret(target);
    copyFileSync(join(target, SECRET_FILE), join(target, OLD_SECRET_FILE));
    const { aside } = await restoreBackup(backup, target, options);
    expect(await readSecret(target)).toEqual(secret);
    expect(existsSync(join(target, OLD_SECRET_FILE))).toBe(false);
    expect(existsSync(join(aside as string, OLD_SECRET_FILE))).toBe(true);
    expect(existsSync(join(aside as string, SECRET_FILE))).toBe(true);
  });
});
