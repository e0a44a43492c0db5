import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../errors.ts';
import { findStoreError } from '../../store/store-error.ts';
import { command, hint } from '../../text/hint.ts';
import { replaceInvisible } from '../../text/unseen.ts';

export interface UploadedFile {
  readonly location: string;
  readonly path: string;
  readonly bytes: number;
}

/** The files of one upload, in a private folder until they are imported or discarded. */
export interface Upload {
  readonly id: string;
  readonly files: readonly UploadedFile[];
  add(label: string, body: AsyncIterable<Uint8Array>): Promise<void>;
  remove(): void;
}

const MAX_UPLOAD_BYTES = 20 * 2 ** 30;
const MAX_UPLOAD_FILES = 5_000;
/** An upload leaves this much disk space free for the store. */
const MIN_FREE_BYTES = 512 * 2 ** 20;

const folderOf = (directory: string) => join(directory, 'uploads');
/** Returns the folder of one upload. */
export const uploadFolder = (directory: string, id: string) => join(folderOf(directory), id);

/** Deletes the uploads of earlier server runs. */
export function clearUploads(directory: string): void {
  rmSync(folderOf(directory), { recursive: true, force: true });
}

export function beginUpload(directory: string): Upload {
  const id = randomBytes(12).toString('hex');
  const folder = uploadFolder(directory, id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize - MIN_FREE_BYTES;
  const files: UploadedFile[] = [];
  let total = 0;
  let fileCount = 0;
  return {
    id,
    files,
    async add(label, body) {
      if (files.length === MAX_UPLOAD_FILES)
        throw new AppError('payload_too_large', `An upload can have at most ${MAX_UPLOAD_FILES} files.`, {
          hint: 'Put them in a zip file.',
        });
      const location = join(folder, String(fileCount));
      fileCount += 1;
      let bytes = 0;
      const measure = new Transform({
        transform(chunk: Uint8Array, _encoding, done) {
          bytes += chunk.length;
          total += chunk.length;
          if (total > MAX_UPLOAD_BYTES) done(tooLarge());
          else if (total > freeBytes) done(diskFull());
          else done(null, chunk);
        },
      });
      try {
        const file = createWriteStream(location, { flags: 'wx', mode: 0o600 });
        await pipeline(Readable.from(body, { objectMode: false }), measure, file);
      } catch (error) {
        throw (error as NodeJS.ErrnoException).code === 'ENOSPC'
          ? diskFull()
          : (findStoreError(error) ?? error);
      }
      files.push({ location, path: cleanLabel(label), bytes });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Returns the name of a file with its folders, for display. It is never used as a path on disk. */
function cleanLabel(label: string): string {
  const parts = replaceInvisible(label, () => '')
    .split(/[\\/]/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '.' && part !== '..' && !/^[a-z]:$/i.test(part));
  return parts.slice(-20).join('/').slice(-300) || 'file';
}

function tooLarge(): AppError {
  return new AppError('payload_too_large', 'An upload can have at most 20 GB.', {
    hint: hint`Import it on the command line: ${command('import', 'PATH')}.`,
  });
}

function diskFull(): AppError {
  return new AppError('disk_full', 'Not enough disk space for this upload.', {
    hint: 'Free some disk space and upload it again.',
  });
}
