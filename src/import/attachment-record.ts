import type { AttachedBytes, AttachedFile, KeepFile } from '../attachments/attached-file.ts';
import { describeDamaged, type ReadAttachment, readAttachment } from '../attachments/read-attachment.ts';
import type { TextBudget } from '../attachments/text-budget.ts';
import { TEXT_LIMITS } from '../attachments/text-limits.ts';
import { TextPool } from '../attachments/text-pool.ts';
import { HEAD_BYTES } from './disk-file.ts';
import type { ImportOptions } from './importer.ts';
import { readTime } from './read/read-time.ts';

/** The record that a file came with. */
export interface AttachmentParent {
  readonly key: string;
  readonly time: unknown;
}

export interface AttachmentReading {
  readonly options: ImportOptions;
  readonly budget: TextBudget;
  /** Adds a note to the report. */
  readonly addNote: (note: string) => void;
  /** Keeps the bytes, if the owner wants that. */
  readonly keepFile?: KeepFile | undefined;
}

/** Threads of all imports and syncs of this process. They end when they are idle. */
const pool = new TextPool();
const MAX_NAME_CHARACTERS = 500;
/** A record with more files is a mistake or an attack. */
const MAX_FILES = 1_000;
/** Text of all files of one record. Archives in one mail could unpack to gigabytes. */
const MAX_TEXT_CHARACTERS = 16_000_000;

/** Makes the record of the file at `index`. Imports and syncs of the same record give the same. */
export async function makeAttachment(
  { key, time }: AttachmentParent,
  index: number,
  { name: given, mediaType: declared, bytes, transcript, fields }: AttachedFile,
  found: AttachedBytes | 'damaged',
  { options, budget, keepFile }: AttachmentReading,
): Promise<Record<string, unknown>> {
  const name = given?.slice(0, MAX_NAME_CHARACTERS);
  const read =
    found === 'damaged'
      ? describeDamaged(bytes, declared)
      : await readAttachment(found, name, declared, { limits: TEXT_LIMITS, pool, budget });
  const id = typeof fields?.id === 'string' ? fields.id : `${key}/${index + 1}-${read.fingerprint}`;
  if (found !== 'damaged') await keepFile?.(id, name, found.open());
  return {
    id,
    parent_id: key,
    name: name === '' ? undefined : name,
    media_type: read.mediaType,
    size_bytes: read.size,
    parent_time: typeof time === 'string' ? time : undefined,
    taken_at: read.takenAt && readTime(read.takenAt, options),
    ...chooseText(read, transcript),
    ...fields,
  };
}

/** Returns the text of a file. A recording has its transcript. */
function chooseText({ text, status }: ReadAttachment, transcript = ''): Record<string, unknown> {
  if (text !== undefined || transcript === '') return { text, text_status: status };
  const isCut = transcript.length > TEXT_LIMITS.characters;
  return {
    text: transcript.slice(0, TEXT_LIMITS.characters).toWellFormed(),
    text_status: isCut ? 'cut' : 'read',
  };
}

/** Returns the files of one record that are imported. */
export function limitFiles(files: readonly AttachedFile[], { addNote }: AttachmentReading) {
  if (files.length <= MAX_FILES) return files;
  addNote('Of records with more than 1,000 attached files, only the first 1,000 were imported.');
  return files.slice(0, MAX_FILES);
}

/** Limits the text of all files of one record. */
export class AttachedTexts {
  #characters = 0;

  /** Returns the record without its text if the files before it have used the limit. Call it in the order of the files. */
  limit({ text, ...data }: Record<string, unknown>): Record<string, unknown> {
    if (typeof text !== 'string') return data;
    if (this.#characters >= MAX_TEXT_CHARACTERS) return { ...data, text_status: 'cut' };
    this.#characters += text.length;
    return { ...data, text };
  }
}

/** Returns the bytes of a file that is inside the file of its record. */
export function openContent(content: () => Uint8Array | undefined): AttachedBytes | 'damaged' {
  const bytes = content();
  if (bytes === undefined) return 'damaged';
  return {
    size: bytes.length,
    head: async () => bytes.subarray(0, HEAD_BYTES),
    async *open() {
      yield bytes;
    },
  };
}
