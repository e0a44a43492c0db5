import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const FOLDER = 'files';
const INDEX = 'index.ndjson';

/**
 * Stores the attached files of one connection in the data folder. A file is named by its SHA-256, so equal files are
 * stored once; connections share them as hard links. The index lists the file of each record.
 */
export class AttachmentFiles {
  readonly #root: string;
  readonly #folder: string;
  /** The records in the index. */
  readonly #records: Set<string>;

  private constructor(root: string, folder: string, records: Set<string>) {
    [this.#root, this.#folder, this.#records] = [root, folder, records];
  }

  static async open(directory: string, connectionId: string): Promise<AttachmentFiles> {
    const root = join(directory, FOLDER);
    const folder = join(root, encodeURIComponent(connectionId));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new AttachmentFiles(root, folder, await readIndex(join(folder, INDEX)));
  }

  /** Stores a file of a record. A file that cannot be read to its end is not stored. */
  async keep(record: string, name: string | undefined, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    if (this.#records.has(record)) return;
    const temporary = join(this.#folder, `${randomUUID()}.part`);
    try {
      const sha256 = await writeFile(temporary, chunks);
      if (sha256 === undefined) return;
      await this.#publish(temporary, sha256);
      const line = JSON.stringify({ record, ...(name === undefined ? {} : { name }), sha256 });
      // A line that was cut off by a crash stays a line of its own.
      await appendFile(join(this.#folder, INDEX), `\n${line}`, { mode: 0o600 });
      this.#records.add(record);
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async #publish(temporary: string, sha256: string): Promise<void> {
    const path = join(this.#folder, sha256);
    for (const folder of await readdir(this.#root)) {
      const error = await link(join(this.#root, folder, sha256), path).then(
        () => undefined,
        ({ code }: NodeJS.ErrnoException) => code,
      );
      if (error === undefined || error === 'EEXIST') return;
    }
    await rename(temporary, path);
  }
}

/** Deletes the stored files of a connection. Files that other connections share stay with those connections. */
export async function removeAttachmentFiles(directory: string, connectionId: string): Promise<void> {
  await rm(join(directory, FOLDER, encodeURIComponent(connectionId)), { recursive: true, force: true });
}

/** Writes a file and returns its SHA-256; undefined if the source cannot be read. Throws if the disk is full. */
async function writeFile(path: string, chunks: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const hash = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  try {
    const source = chunks[Symbol.asyncIterator]();
    for (;;) {
      const next = await source.next().catch(() => undefined);
      if (next === undefined) return undefined;
      if (next.done === true) break;
      hash.update(next.value);
      await file.writeFile(next.value);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

async function readIndex(path: string): Promise<Set<string>> {
  const records = new Set<string>();
  const lines = createInterface({ input: createReadStream(path) });
  try {
    for await (const line of lines) {
      const record = findRecord(line);
      if (record !== undefined) records.add(record);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return records;
}

/** Returns undefined for a line that was cut off. Its file is stored again. */
function findRecord(line: string): string | undefined {
  try {
    return (JSON.parse(line) as { record: string }).record;
  } catch {
    return undefined;
  }
}
