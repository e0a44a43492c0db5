import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InputFile } from '../importer.ts';
import { HeadCache } from './head-cache.ts';

/** Something that was given and cannot be read, or is refused, with the reason in words. */
export interface OpenProblem {
  readonly path: string;
  readonly reason: string;
}

/** Packs may unpack to this many times their size where they are large. Text seldom comes near a fifth of it. */
export const MAX_RATIO = 250;
export const RATIO_FROM_BYTES = 64 * 2 ** 20;
export const MAX_FILES = 500_000;

/** Everything that was given, as files that can be read. Unpacked copies live in a private folder until it is closed. */
export class Opened {
  readonly files: InputFile[] = [];
  readonly problems: OpenProblem[] = [];
  readonly heads = new HeadCache(() => this.makePlace());
  readonly #closers: (() => void)[] = [];
  readonly #skipped = new Set<string>();
  #folder: string | undefined;
  #copies = 0;

  add(file: InputFile): void {
    if (this.files.length === MAX_FILES) this.refuse(file.path, `is one file more than ${MAX_FILES}`);
    if (this.files.length < MAX_FILES) this.files.push(file);
  }

  refuse(path: string, reason: string): void {
    this.problems.push({ path, reason });
  }

  /** A folder that holds programs and no data: it is counted and not gone into. */
  skipFolder(path: string): void {
    if (this.#skipped.size < MAX_FILES) this.#skipped.add(path);
  }

  get skippedFolders(): readonly string[] {
    return [...this.#skipped];
  }

  makePlace(): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'pdpp-import-'));
    this.#copies += 1;
    return join(this.#folder, String(this.#copies));
  }

  whenClosed(close: () => void): void {
    this.#closers.push(close);
  }

  close(): void {
    for (const close of this.#closers.splice(0)) close();
    this.heads.close();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}
