import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type SqliteStore } from '../../src/store/sqlite/open-store.ts';

const models = new Map<string, Promise<string>>();

/**
 * A data folder that begins as others of its name do. The first is made, by all the steps it takes; the rest are
 * copies, because migrations and declarations cost more than most of what is then done with a store. Copies share
 * the server's secret, so this is not for who compares secrets.
 */
export async function copyStore(name: string, fill: (store: SqliteStore) => Promise<void>): Promise<string> {
  const known = models.get(name);
  const making = known ?? makeModel(fill);
  models.set(name, making);
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-test-'));
  cpSync(await making, folder, { recursive: true });
  return folder;
}

async function makeModel(fill: (store: SqliteStore) => Promise<void>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-model-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const store = await openStore(folder);
  try {
    await fill(store);
  } finally {
    // Closing brings the log home, so the files that are copied are whole.
    store.close();
  }
  rmSync(join(folder, 'folder.lock'), { force: true });
  return folder;
}
