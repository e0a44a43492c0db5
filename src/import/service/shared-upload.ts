import { createWriteStream, mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { JobStore } from '../../store/shared-state.ts';
import { beginUpload, type Upload, type UploadedFile, uploadFolder } from './upload-folder.ts';
import type { Job } from './upload-job.ts';

/** A file of an upload in the database. */
export interface SharedFile extends Pick<UploadedFile, 'path' | 'bytes'> {
  readonly number: number;
}

/** The state of an upload whose files still arrive. */
export const RECEIVING = 'receiving';
const PART_BYTES = 2 ** 20;

/** Begins an upload whose files are stored in the data folder and, for other processes, in the database. */
export async function beginSharedUpload(directory: string, jobs: JobStore, now: Date): Promise<Upload> {
  const local = beginUpload(directory);
  const { id } = local;
  await jobs.add({ id, kind: 'upload', state: RECEIVING, view: '{}', detail: '{}' }, now);
  let fileCount = 0;
  return {
    ...local,
    async add(label, body) {
      const file = fileCount;
      fileCount += 1;
      await local.add(
        label,
        copyParts(body, (part, data) => jobs.addPart(id, file, part, data)),
      );
    },
    remove() {
      local.remove();
      // If this fails, the upload is removed when it expires.
      jobs.remove(id, [RECEIVING]).catch(() => {});
    },
  };
}

export function listShared(files: readonly UploadedFile[]): SharedFile[] {
  return files.map(({ location, path, bytes }) => ({ path, bytes, number: Number(basename(location)) }));
}

/** Yields the chunks of a file after they are stored in parts. */
async function* copyParts(
  body: AsyncIterable<Uint8Array>,
  store: (part: number, data: Uint8Array) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let bytes = 0;
  let part = 0;
  const flush = async () => {
    if (bytes === 0) return;
    await store(part, Buffer.concat(pending));
    part += 1;
    pending = [];
    bytes = 0;
  };
  for await (const chunk of body) {
    pending.push(chunk);
    bytes += chunk.length;
    if (bytes >= PART_BYTES) await flush();
    yield chunk;
  }
  await flush();
}

/** Returns an upload in the data folder of this process. Files that another process received are copied from the database. */
export async function openSharedUpload(
  directory: string,
  jobs: JobStore,
  id: string,
  files: readonly SharedFile[],
): Promise<Job['upload']> {
  const folder = uploadFolder(directory, id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const opened: UploadedFile[] = [];
  for (const { number, path, bytes } of files) {
    const location = join(folder, String(number));
    if (statSync(location, { throwIfNoEntry: false })?.size !== bytes)
      await pipeline(Readable.from(jobs.readParts(id, number)), createWriteStream(location, { mode: 0o600 }));
    opened.push({ location, path, bytes });
  }
  return { files: opened, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
