import { posix } from 'node:path';
import type { AttachedBytes, AttachedFile } from '../attachments/attached-file.ts';
import {
  AttachedTexts,
  type AttachmentParent,
  type AttachmentReading,
  limitFiles,
  makeAttachment,
  openContent,
} from './attachment-record.ts';
import type { InputFile } from './importer.ts';

/** The record that files came with, and the file that it was read from. Paths of attached files start in its folder. */
export interface ImportedParent extends AttachmentParent {
  readonly file: InputFile;
}

export interface AttachmentOptions extends AttachmentReading {
  readonly findFile: ((path: string) => InputFile | undefined) | undefined;
  readonly add: (data: Record<string, unknown>, file: InputFile) => Promise<void>;
}

/** Files that are read at the same time. Their records keep their order. */
const MAX_PENDING = 4;

interface PendingFile {
  readonly data: Promise<Record<string, unknown>>;
  readonly file: InputFile;
  readonly texts: AttachedTexts;
}

/** Turns attached files into records. Files are read in threads while the import goes on. */
export class AttachmentWriter {
  readonly #options: AttachmentOptions;
  readonly #pending: PendingFile[] = [];

  constructor(options: AttachmentOptions) {
    this.#options = options;
  }

  async add(parent: ImportedParent, attached: readonly AttachedFile[]): Promise<void> {
    const texts = new AttachedTexts();
    for (const [index, one] of limitFiles(attached, this.#options).entries()) {
      const found = this.#find(one, parent.file);
      if (found === undefined) continue;
      if (this.#pending.length >= MAX_PENDING) await this.#storeFirst();
      const named = { ...one, name: one.name ?? found.name };
      const data = makeAttachment(parent, index, named, found.bytes, this.#options);
      // A rejection is handled when its turn comes.
      data.catch(() => {});
      this.#pending.push({ data, file: parent.file, texts });
    }
  }

  /** Stores the records of all files that were added. */
  async finish(): Promise<void> {
    while (this.#pending.length > 0) await this.#storeFirst();
  }

  async #storeFirst(): Promise<void> {
    const first = this.#pending.shift();
    if (first !== undefined) await this.#options.add(first.texts.limit(await first.data), first.file);
  }

  /** Finds the bytes of a file; undefined if it is not part of the inputs, `damaged` if they cannot be decoded. */
  #find(
    one: AttachedFile,
    { path: from }: InputFile,
  ): { readonly bytes: AttachedBytes | 'damaged'; readonly name?: string } | undefined {
    if (one.content !== undefined) return { bytes: openContent(one.content) };
    if (one.source !== undefined) return { bytes: one.source };
    const file = listPaths(one, from)
      .map((path) => this.#options.findFile?.(path))
      .find((found) => found !== undefined);
    if (file === undefined) return undefined;
    const bytes = { size: file.bytes, head: () => file.head(), open: () => file.open() };
    return { bytes, name: posix.basename(file.path) };
  }
}

/** Lists where a file may be. Exports contain paths that others wrote, so a path must not lead out of its folder. */
function listPaths({ path = [], folders }: AttachedFile, from: string): string[] {
  const inner = [path]
    .flat()
    .map((one) => posix.normalize(one))
    .filter((one) => one !== '..' && !one.startsWith('../'));
  return (folders ?? [posix.dirname(from)]).flatMap((folder) => inner.map((one) => posix.join(folder, one)));
}
