import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeepFile } from '../../attachments/attached-file.ts';
import { type FileLock, takeFileLock } from '../../store/sqlite/folder/file-lock.ts';
import type { Store } from '../../store/store.ts';
import { KeptFolder } from './kept-folder.ts';
import { sweepKeptFiles } from './sweep-kept-files.ts';

/** A sweep of another process takes seconds. */
const LOCK_PAUSE_MS = 50;

/**
 * Keeps files of a connection during an import or a sync. A file is stored before its record, so files without a record
 * are deleted only while no session is open. A session that is killed leaves a request to look for them.
 */
export class KeepSession {
  readonly run: string;
  readonly #folder: KeptFolder;
  readonly #lock: FileLock;
  /** The request that is left if the process is killed. */
  readonly #sweep: string;
  /** The records in the index. Read when the first file is kept. */
  #records: Promise<Set<string>> | undefined;
  readonly #pending = new Set<Promise<void>>();
  #isClosed = false;

  private constructor(folder: KeptFolder, lock: FileLock, sweep: string, run: string) {
    [this.#folder, this.#lock, this.#sweep, this.run] = [folder, lock, sweep, run];
  }

  static async open(
    directory: string,
    connectionId: string,
    run: string = randomUUID(),
  ): Promise<KeepSession> {
    const folder = new KeptFolder(directory, connectionId);
    await mkdir(folder.path, { recursive: true, mode: 0o700 });
    let lock = takeFileLock(folder.lockFile, 'shared', 0);
    for (; lock === undefined; lock = takeFileLock(folder.lockFile, 'shared', 0)) await sleep(LOCK_PAUSE_MS);
    return new KeepSession(folder, lock, await folder.requestSweep(), run);
  }

  /** Stores a file, unless one is stored for the record. */
  readonly keep: KeepFile = async (record, name, chunks) => {
    if (this.#isClosed) return;
    const kept = this.#add(record, name, chunks);
    this.#pending.add(kept);
    await kept.finally(() => this.#pending.delete(kept));
  };

  /** Ends the session after its records are stored. `sweeps` if files may be without a record. */
  async close(store: Store, connectionId: string, sweeps: boolean): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.allSettled(this.#pending);
    if (!sweeps) await this.#folder.endSweep(this.#sweep);
    this.#lock.release();
    await sweepKeptFiles(store, connectionId);
  }

  async #add(record: string, name: string | undefined, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    this.#records ??= this.#folder.readIndex().then((files) => new Set(files.map((file) => file.record)));
    const records = await this.#records;
    if (records.has(record)) return;
    try {
      if (await this.#folder.add({ record, name, run: this.run }, chunks)) records.add(record);
    } catch (error) {
      // The owner removed the connection meanwhile.
      if (this.#folder.exists()) throw error;
    }
  }
}
