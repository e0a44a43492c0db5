import {
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { ingestBatch } from '../support/fill-store.ts';
import { hashFolder, makeFolder } from '../support/temp-folder.ts';

/** A store with records in it, closed. */
async function makeStore(): Promise<string> {
  const folder = makeFolder();
  const store = await openStore(folder);
  await ingestBatch(store, 1, 500);
  store.close();
  return folder;
}

async function catchRefusal(folder: string): Promise<AppError> {
  try {
    (await openStore(folder)).close();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('the store was opened');
}

function overwrite(file: string, position: number, bytes: Uint8Array): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
}

/** Bytes that look random and are the same in every run. */
const noise = (length: number) =>
  Buffer.from(Array.from({ length }, (_, i) => (i * 7919 + (i >> 3) * 31) % 251));

const damages: [name: string, damage: (file: string) => void, says: RegExp][] = [
  ['a zero-byte file', (file) => truncateSync(file, 0), /empty/],
  ['a file cut to half', (file) => truncateSync(file, Math.floor(statSync(file).size / 2)), /damaged/],
  ['a file cut inside its header', (file) => truncateSync(file, 50), /damaged|not a database/],
  ['a file of other bytes', (file) => writeFileSync(file, noise(20_000)), /not a database/],
  ['a text file', (file) => writeFileSync(file, 'shopping list: milk, bread\n'), /not a database/],
  [
    'a database of another program',
    (file) => {
      rmSync(file);
      const other = new Database(file);
      other.exec('pragma application_id = 77; create table cookies (a)');
      other.close();
    },
    /another program/,
  ],
  [
    'a database that names no program',
    (file) => {
      rmSync(file);
      const other = new Database(file);
      other.exec('create table records (a)');
      other.close();
    },
    /another program/,
  ],
  [
    'a database of a newer version',
    (file) => {
      const newer = new Database(file);
      newer.exec('pragma user_version = 99');
      newer.close();
    },
    /newer pdpp/,
  ],
  [
    'two overwritten pages',
    (file) => {
      const pages = readFileSync(file).readUInt32BE(28);
      overwrite(file, 4096 * Math.floor(pages / 3), noise(4096));
      overwrite(file, 4096 * Math.floor(pages / 2), noise(4096));
    },
    /damaged/,
  ],
];

describe.each(['store.sqlite', 'audit.sqlite'])('%s', (name) => {
  it.each(damages)(
    'D-05 that is %s is refused in one sentence and left as it is',
    async (_, damage, says) => {
      const folder = await makeStore();
      damage(join(folder, name));
      const before = hashFolder(folder);
      const refusal = await catchRefusal(folder);
      expect(refusal.code).toBe('store_unusable');
      expect(refusal.message).toMatch(says);
      expect(refusal.message).toMatch(/^[A-Z].*\.$/);
      expect(refusal.hint).toBeTruthy();
      expect(`${refusal.message} ${refusal.hint}`).not.toMatch(/SQLITE|no such|\/tmp/);
      expect(hashFolder(folder)).toEqual(before);
    },
  );
});

describe('a store whose database is missing', () => {
  it('D-05 is not replaced by an empty one while its write-ahead log is there', async () => {
    const folder = await makeStore();
    // What a process that was killed leaves behind: records that are only in the log.
    const store = await openStore(folder);
    await ingestBatch(store, 2, 100);
    const log = readFileSync(join(folder, 'store.sqlite-wal'));
    store.close();
    rmSync(join(folder, 'store.sqlite'));
    writeFileSync(join(folder, 'store.sqlite-wal'), log);
    const before = hashFolder(folder);
    expect((await catchRefusal(folder)).code).toBe('store_unusable');
    expect(hashFolder(folder)).toEqual(before);
  });

  it('is not replaced by an empty one while its key and audit are there', async () => {
    const folder = await makeStore();
    rmSync(join(folder, 'store.sqlite'));
    const before = hashFolder(folder);
    // Starting empty would look like data loss, and would forget every revocation.
    expect((await catchRefusal(folder)).code).toBe('store_unusable');
    expect(hashFolder(folder)).toEqual(before);
  });
});

describe('server-secret', () => {
  it.each([0, 16, 31, 33])('S-04 of %i bytes is refused and left as it is', async (length) => {
    const folder = await makeStore();
    writeFileSync(join(folder, 'server-secret'), noise(length));
    const before = hashFolder(folder);
    const refusal = await catchRefusal(folder);
    expect(refusal).toMatchObject({
      code: 'store_unusable',
      message: expect.stringContaining('server-secret'),
    });
    expect(hashFolder(folder)).toEqual(before);
  });

  it('is created again when it is missing', async () => {
    const folder = await makeStore();
    rmSync(join(folder, 'server-secret'));
    const store = await openStore(folder);
    expect(store.secret).toHaveLength(32);
    store.close();
  });
});
