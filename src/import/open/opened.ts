import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { InputFile } from '../importer.ts';
import { HeadCache } from './head-cache.ts';

/** An input that cannot be read. `reason` continues a sentence that begins with the path: `is empty`. */
export interface OpenProblem {
  readonly path: string;
  readonly reason: string;
}

/** Large archives may unpack to this many times their size. Text seldom reaches a fifth of it. */
export const MAX_RATIO = 250;
export const RATIO_FROM_BYTES = 64 * 2 ** 20;
export const MAX_FILES = 500_000;
export const TOO_LARGE = 'unpacks to an unusually large size and was skipped';
export const CUT_OFF = 'is cut off. Download it again.';

/** All inputs as readable files. Unpacked copies are in a private folder until `close`. */
export class Opened {
  readonly files: InputFile[] = [];
  readonly problems: OpenProblem[] = [];
  readonly heads = new HeadCache(() => this.makeCopyPath());
  readonly #closers: (() => void)[] = [];
  readonly #skippedFolders = new Set<string>();
  #folder: string | undefined;
  #copies = 0;

  add(file: InputFile): void {
    if (this.files.length === MAX_FILES)
      this.refuse(file.path, `was skipped: more than ${MAX_FILES.toLocaleString('en')} files`);
    if (this.files.length < MAX_FILES) this.files.push(file);
  }

  refuse(path: string, reason: string): void {
    this.problems.push({ path, reason });
  }

  /** Reports a program folder, which is not read. */
  skipFolder(path: string): void {
    if (this.#skippedFolders.size < MAX_FILES) this.#skippedFolders.add(path);
  }

  get skippedFolders(): readonly string[] {
    return [...this.#skippedFolders];
  }

  /** Returns a path for a new private file. */
  makeCopyPath(): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'pdpp-import-'));
    this.#copies += 1;
    return join(this.#folder, String(this.#copies));
  }

  onClose(close: () => void): void {
    this.#closers.push(close);
  }

  close(): void {
    for (const close of this.#closers.splice(0)) close();
    this.heads.close();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A refusal whose message is the reason for the report. */
export class UnpackRefusal extends Error {}

/** Creates a file inside an archive. If the archive is damaged, the file ends early and the report has the reason. */
export function createPackedFile(
  opened: Opened,
  path: string,
  bytes: number | undefined,
  unpack: () => AsyncIterable<Uint8Array>,
): InputFile {
  let isReported = false;
  let copy: Promise<string> | undefined;
  async function* open(): AsyncGenerator<Uint8Array> {
    try {
      yield* unpack();
    } catch (error) {
      if (!isReported)
        opened.refuse(
          path,
          error instanceof UnpackRefusal
            ? error.message
            : 'is damaged or cut off. Only its readable part was imported. Download it again.',
        );
      isReported = true;
    }
  }
  const copyToDisk = async () => {
    const location = opened.makeCopyPath();
    await pipeline(Readable.from(open()), createWriteStream(location, { mode: 0o600, flags: 'wx' }));
    return location;
  };
  return {
    path,
    bytes,
    head: () => opened.heads.get(path, open),
    open,
    diskPath() {
      copy ??= copyToDisk();
      return copy;
    },
  };
}

/** Unpacks gzip as a stream. Stops at a suspicious size. */
export async function* gunzip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let packed = 0;
  let unpacked = 0;
  const count = async function* () {
    for await (const chunk of chunks) {
      packed += chunk.length;
      yield chunk;
    }
  };
  const stream = Readable.from(count(), { objectMode: false }).compose(createGunzip());
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    unpacked += chunk.length;
    if (unpacked > RATIO_FROM_BYTES && unpacked > packed * MAX_RATIO)
      throw new UnpackRefusal('unpacks to an unusually large size. The rest was skipped.');
    yield chunk;
  }
}
