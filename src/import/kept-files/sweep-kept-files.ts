import { ATTACHMENTS } from '../../attachments/attached-file.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import { takeFileLock } from '../../store/sqlite/folder/file-lock.ts';
import type { Store } from '../../store/store.ts';
import { KeptFolder, listKeptFolders } from './kept-folder.ts';

const MAX_LOOKUP_RECORDS = 500;

/** Returns the folder, if the connection has kept files. Data in PostgreSQL has none: the folder may be of other data. */
export function findKeptFolder(store: Store, connectionId: string): KeptFolder | undefined {
  if (store.shared !== undefined) return undefined;
  const folder = new KeptFolder(store.directory, connectionId);
  return folder.exists() ? folder : undefined;
}

/**
 * Deletes the kept files that no record refers to, if that was requested and no session is open. The last session that
 * closes does it otherwise. A request ends only after its sweep, so a killed sweep is repeated.
 */
export async function sweepKeptFiles(store: Store, connectionId: string): Promise<void> {
  const folder = findKeptFolder(store, connectionId);
  // Again, for a request that came during the sweep.
  while (folder !== undefined && (await folder.listSweeps()).length > 0) {
    const lock = takeFileLock(folder.lockFile, 'alone', 0);
    if (lock === undefined) return;
    try {
      const sweeps = await folder.listSweeps();
      const runs = new Set((await Promise.all(sweeps.map((name) => folder.readSweep(name)))).flat());
      const files = await folder.readIndex();
      const stored = await findStored(store, connectionId, [...new Set(files.map(({ record }) => record))]);
      await folder.replaceIndex(files.filter(({ record, run = '' }) => stored.has(record) && !runs.has(run)));
      for (const name of sweeps) await folder.endSweep(name);
    } finally {
      lock.release();
    }
  }
}

/** Requests a sweep before records are deleted. If the process is killed, the next one makes it. */
export async function requestSweep(
  store: Store,
  connectionId: string,
  runs: readonly string[] = [],
): Promise<void> {
  await findKeptFolder(store, connectionId)?.requestSweep(runs);
}

/** Deletes the kept files of a connection. Files that other connections share stay with those connections. */
export async function removeKeptFiles(store: Store, connectionId: string): Promise<void> {
  await findKeptFolder(store, connectionId)?.remove();
}

/** Makes the sweeps that killed processes left, and removes the files of connections that are gone. */
export async function sweepAllKeptFiles(store: Store): Promise<void> {
  if (store.shared !== undefined) return;
  for (const connectionId of await listKeptFolders(store.directory)) {
    const { connections } = await loadCatalog(store.write);
    if (connections.some(({ connection_id }) => connection_id === connectionId))
      await sweepKeptFiles(store, connectionId);
    else await removeKeptFiles(store, connectionId);
  }
}

/** Returns the keys of those files that have a record. */
async function findStored(
  store: Store,
  connectionId: string,
  records: readonly string[],
): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  const { streams } = await loadCatalog(store.write);
  const stream = streams.find(
    ({ name, connection }) => name === ATTACHMENTS && connection.connection_id === connectionId,
  );
  if (stream === undefined) return stored;
  for (let at = 0; at < records.length; at += MAX_LOOKUP_RECORDS) {
    const some = records.slice(at, at + MAX_LOOKUP_RECORDS);
    for (const key of (await store.write.uncommitted.keyTimes(stream.streamId, some)).keys()) stored.add(key);
  }
  return stored;
}
