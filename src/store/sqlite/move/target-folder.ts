import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../errors.ts';
import type { MoveTarget } from '../../move/move-stores.ts';
import { ASIDE_NOTE, finishRestore, isRestoreWaiting, READY, storeFiles } from '../folder/finish-restore.ts';
import { lockFolder } from '../folder/folder-lock.ts';
import { makePrivateFolder, syncToDisk } from '../folder/private-files.ts';
import { findSecretFile, SECRET_FILE } from '../folder/secret-file.ts';
import { UNFINISHED_MOVE } from '../folder/unfinished-move.ts';
import { openStore, type SqliteStore } from '../open-store.ts';
import { createTableReader } from './read-tables.ts';
import { createTableWriter, type TableWriter } from './write-tables.ts';

/** A file in the unfinished store with the fingerprint of the source, so that a later run can continue. */
const SOURCE_NOTE = 'source';

/**
 * Opens a folder to move a store into it. Rows are written to a staging folder inside. `publish` then follows the steps
 * of a restore: after a crash, the next process that opens the folder finishes them.
 */
export function openTargetFolder(directory: string, secret: Uint8Array): MoveTarget {
  makePrivateFolder(directory, () => {});
  const lock = lockFolder(directory);
  const staging = join(directory, UNFINISHED_MOVE);
  let opened: { readonly store: SqliteStore; readonly writer: TableWriter } | undefined;
  const use = () => {
    if (opened === undefined) throw new Error('the target was not prepared');
    return opened;
  };
  const close = () => {
    opened?.store.close();
    opened = undefined;
  };
  try {
    checkEmpty(directory, secret);
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    location: directory,
    async prepare(fingerprint) {
      const before = prepareStaging(staging, secret, fingerprint);
      const store = await openStore(staging);
      // A power cut may undo the last transactions. The next run writes them again.
      for (const { raw } of [store.write, store.audit]) raw.pragma('synchronous = normal');
      opened = { store, writer: createTableWriter(store.write.raw, store.audit.raw) };
      return before;
    },
    findLastKey: async (table) => use().writer.findLastKey(table),
    writeRows: async (table, rows) => use().writer.writeRows(table, rows),
    replaceRows: async (table, rows) => use().writer.replaceRows(table, rows),
    withReader: (work) => work(createTableReader(use().store.write.raw, use().store.audit.raw)),
    async publish() {
      for (const { raw } of [use().store.write, use().store.audit]) raw.pragma('wal_checkpoint(truncate)');
      close();
      publishStaging(directory, staging);
    },
    async close() {
      close();
      lock.release();
    },
  };
}

/** Throws if the folder holds data. The same secret is allowed: a server on PostgreSQL keeps its secret there. */
function checkEmpty(directory: string, secret: Uint8Array): void {
  const file = findSecretFile(directory);
  const hasOther = existsSync(file) && !readFileSync(file).equals(secret);
  const hasFiles = readdirSync(directory).some((name) => /^(store|audit)\.sqlite/.test(name));
  if (!hasFiles && !hasOther && !isRestoreWaiting(directory)) return;
  throw new AppError('conflict', 'The target folder already holds data.', {
    hint: 'Move into an empty folder.',
  });
}

function prepareStaging(
  staging: string,
  secret: Uint8Array,
  fingerprint: string,
): Awaited<ReturnType<MoveTarget['prepare']>> {
  const note = join(staging, SOURCE_NOTE);
  const known = existsSync(note) ? readFileSync(note, 'utf8') : undefined;
  if (known === fingerprint) return 'continued';
  const existed = existsSync(staging);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { mode: 0o700 });
  writeFileSync(join(staging, SECRET_FILE), secret, { mode: 0o600 });
  writeFileSync(`${note}.new`, fingerprint, { mode: 0o600 });
  renameSync(`${note}.new`, note);
  return existed ? 'restarted' : 'new';
}

/** Moves the finished store into place. The rename to `READY` is the commit; a crash after it cannot lose the store. */
function publishStaging(directory: string, staging: string): void {
  const hasSecret = existsSync(findSecretFile(directory));
  for (const name of readdirSync(staging))
    if (!storeFiles.some((file) => file === name) || (hasSecret && name === SECRET_FILE))
      rmSync(join(staging, name), { recursive: true });
  writeFileSync(join(staging, ASIDE_NOTE), 'replaced', { mode: 0o600 });
  for (const name of readdirSync(staging)) syncToDisk(join(staging, name));
  syncToDisk(staging);
  renameSync(staging, join(directory, READY));
  syncToDisk(directory);
  finishRestore(directory);
}
