import { createWriteStream } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { AppError } from '../../errors.ts';
import type { DavClient } from '../dav/dav-client.ts';
import { SyncError } from '../sync-source.ts';
import type { RemoteFile } from './list-folder.ts';

const MAX_FILE_BYTES = 4 * 2 ** 30;
/** Disk space that stays free for the store. */
const MIN_FREE_BYTES = 2 ** 30;
const TIMEOUT_MS = 3_600_000;

/** Downloads a file to a folder and returns its path. Fails if the file is longer than the server announced. */
export async function downloadFile(client: DavClient, file: RemoteFile, folder: string): Promise<string> {
  const { bytes = MAX_FILE_BYTES, name, url } = file;
  if (bytes > MAX_FILE_BYTES)
    throw new SyncError('too_large', 'A file is larger than 4 GB.', 'Import it with “pdpp import” instead.');
  const { bavail, bsize } = await statfs(folder);
  if (file.bytes !== undefined && bavail * bsize < file.bytes + MIN_FREE_BYTES)
    throw new AppError('disk_full', 'The disk has not enough free space for the download.');
  const response = await client.get(url, bytes, TIMEOUT_MS);
  // `isFileName` refused slashes, so the file stays in the folder.
  const path = join(folder, name);
  const body = Readable.fromWeb((response.body ?? new Blob([]).stream()) as ReadableStream);
  await pipeline(body, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  return path;
}
