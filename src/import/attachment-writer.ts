import { posix } from 'node:path';
import type { AttachedFile } from '../attachments/attached-file.ts';
import { type AttachedBytes, type ReadAttachment, readAttachment } from '../attachments/read-attachment.ts';
import { TEXT_LIMITS } from '../attachments/text-limits.ts';
import { TextPool } from '../attachments/text-pool.ts';
import { HEAD_BYTES } from './disk-file.ts';
import type { ImportOptions, InputFile } from './importer.ts';
import { readTime } from './read/read-time.ts';

/** The record that files came with. */
export interface AttachmentParent {
  readonly key: string;
  readonly time: unknown;
  /** The file that the record was read from. Paths of attached files start in its folder. */
  readonly file: InputFile;
}

export interface AttachmentOptions {
  readonly options: ImportOptions;
  readonly findFile: ((path: string) => InputFile | undefined) | undefined;
  readonly add: (data: Record<string, unknown>, file: InputFile) => Promise<void>;
}

/** The stream of attached files. */
export const ATTACHMENTS = 'attachments';

/** Threads of all imports of this process. They end when they are idle. */
const pool = new TextPool();
/** Files that are read at the same time. Their records keep their order. */
const MAX_PENDING = 4;
const MAX_NAME_CHARACTERS = 500;

/** Turns attached files into records. Files are read in threads while the import goes on. */
export class AttachmentWriter {
  readonly #options: AttachmentOptions;
  readonly #pending: { data: Promise<Record<string, unknown>>; file: InputFile }[] = [];

  constructor(options: AttachmentOptions) {
    this.#options = options;
  }

  async add(parent: AttachmentParent, attached: readonly AttachedFile[]): Promise<void> {
    for (const [index, one] of attached.entries()) {
      const found = this.#open(one, parent.file);
      if (found === undefined) continue;
      if (this.#pending.length >= MAX_PENDING) await this.#storeFirst();
      const data = this.#describe(parent, index, one, found);
      // A rejection is handled when its turn comes.
      data.catch(() => {});
      this.#pending.push({ data, file: parent.file });
    }
  }

  /** Stores the records of all files that were added. */
  async finish(): Promise<void> {
    while (this.#pending.length > 0) await this.#storeFirst();
  }

  async #storeFirst(): Promise<void> {
    const first = this.#pending.shift();
    if (first !== undefined) await this.#options.add(await first.data, first.file);
  }

  /** Finds the bytes of a file; undefined if it is not part of the inputs, `damaged` if they cannot be decoded. */
  #open({ content, path }: AttachedFile, { path: from }: InputFile): AttachedBytes | 'damaged' | undefined {
    if (content !== undefined) {
      const bytes = content();
      return bytes === undefined ? 'damaged' : wrapBytes(bytes);
    }
    const file =
      path === undefined ? undefined : this.#options.findFile?.(posix.join(posix.dirname(from), path));
    return file && { size: file.bytes, head: () => file.head(), open: () => file.open() };
  }

  async #describe(
    { key, time }: AttachmentParent,
    index: number,
    { name: given, path, mediaType: declared, bytes }: AttachedFile,
    found: AttachedBytes | 'damaged',
  ): Promise<Record<string, unknown>> {
    const name = (given ?? path?.split('/').at(-1))?.slice(0, MAX_NAME_CHARACTERS);
    const read: ReadAttachment =
      found === 'damaged'
        ? { status: 'damaged', mediaType: declared ?? '', size: bytes, fingerprint: String(bytes) }
        : await readAttachment(found, name, declared, { limits: TEXT_LIMITS, pool });
    return {
      id: `${key}/${index + 1}-${read.fingerprint}`,
      parent_id: key,
      name: name === '' ? undefined : name,
      media_type: read.mediaType,
      size_bytes: read.size,
      parent_time: typeof time === 'string' ? time : undefined,
      taken_at: read.takenAt && readTime(read.takenAt, this.#options.options),
      text: read.text,
      text_status: read.status,
    };
  }
}

const wrapBytes = (bytes: Uint8Array): AttachedBytes => ({
  size: bytes.length,
  head: async () => bytes.subarray(0, HEAD_BYTES),
  async *open() {
    yield bytes;
  },
});
