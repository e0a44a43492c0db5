import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { link, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const FOLDER = 'files';
const INDEX = 'index.ndjson';
const LOCK = 'lock';
/** A file that exists while a sweep is needed. */
const SWEEP = '.sweep';

/** A line of the index: the file of a record, and the run that kept it. Earlier versions did not name the run. */
export interface KeptFile {
  readonly record: string;
  readonly name?: string | undefined;
  readonly sha256: string;
  readonly run?: string;
}

export const listKeptFolders = async (directory: string): Promise<string[]> =>
  (await listNames(join(directory, FOLDER))).map(decodeURIComponent);

/**
 * The kept files of a connection in the data folder. A file is named by its SHA-256, so equal files are stored once;
 * connections share them as hard links. The index lists the file of each record.
 */
export class KeptFolder {
  readonly path: string;
  readonly lockFile: string;

  constructor(directory: string, connectionId: string) {
    this.path = join(directory, FOLDER, encodeURIComponent(connectionId));
    this.lockFile = join(this.path, LOCK);
  }

  exists(): boolean {
    return existsSync(this.path);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  /** Stores a file and its line in the index. A file that cannot be read to its end is not stored. */
  async add(file: Omit<KeptFile, 'sha256'>, chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
    const temporary = join(this.path, `${randomUUID()}.part`);
    try {
      const sha256 = await writeChunks(temporary, chunks);
      if (sha256 === undefined) return false;
      await this.#publish(temporary, sha256);
      const { record, name, run } = file;
      // A line that was cut off by a crash stays a line of its own.
      await writeSynced(join(this.path, INDEX), 'a', `\n${JSON.stringify({ record, name, sha256, run })}`);
      return true;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /** Returns the lines of the index, without those that were cut off. */
  async readIndex(): Promise<KeptFile[]> {
    const lines = createInterface({ input: createReadStream(join(this.path, INDEX)) });
    const files: KeptFile[] = [];
    try {
      for await (const line of lines) {
        const file = parseLine(line);
        if (file !== undefined) files.push(file);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return files;
  }

  /** Replaces the index, and deletes the files that it does not list. */
  async replaceIndex(files: readonly KeptFile[]): Promise<void> {
    const draft = join(this.path, `${INDEX}.part`);
    await writeSynced(draft, 'w', files.map((file) => `\n${JSON.stringify(file)}`).join(''));
    await rename(draft, join(this.path, INDEX));
    const listed = new Set([INDEX, LOCK, ...files.map(({ sha256 }) => sha256)]);
    for (const name of await listNames(this.path))
      if (!listed.has(name) && !name.endsWith(SWEEP)) await rm(join(this.path, name), { force: true });
  }

  /** Asks for a sweep that also removes the files of some runs. Returns the name of the request. */
  async requestSweep(runs: readonly string[] = []): Promise<string> {
    const name = `${randomUUID()}${SWEEP}`;
    await writeFile(join(this.path, name), JSON.stringify(runs), { mode: 0o600 });
    return name;
  }

  /** Returns the names of the requested sweeps. */
  async listSweeps(): Promise<string[]> {
    return (await listNames(this.path)).filter((name) => name.endsWith(SWEEP));
  }

  /** Returns the runs whose files a sweep removes. A request that was cut off names none. */
  async readSweep(name: string): Promise<string[]> {
    try {
      return JSON.parse(await readFile(join(this.path, name), 'utf8')) as string[];
    } catch {
      return [];
    }
  }

  async endSweep(name: string): Promise<void> {
    await rm(join(this.path, name), { force: true });
  }

  async #publish(temporary: string, sha256: string): Promise<void> {
    const path = join(this.path, sha256);
    const root = dirname(this.path);
    for (const folder of await readdir(root)) {
      const error = await link(join(root, folder, sha256), path).then(
        () => undefined,
        ({ code }: NodeJS.ErrnoException) => code,
      );
      if (error === undefined || error === 'EEXIST') return;
    }
    await rename(temporary, path);
  }
}

async function listNames(path: string): Promise<string[]> {
  return readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

/** Writes a file and returns its SHA-256; undefined if the source cannot be read. Throws if the disk is full. */
async function writeChunks(path: string, chunks: AsyncIterable<Uint8Array>): Promise<string | undefined> {
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

async function writeSynced(path: string, flags: 'a' | 'w', text: string): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function parseLine(line: string): KeptFile | undefined {
  try {
    return JSON.parse(line) as KeptFile;
  } catch {
    return undefined;
  }
}
