import { createReadStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { InputFile } from './importer.ts';

export const HEAD_BYTES = 65_536;
const CHUNK_BYTES = 256 * 1_024;

/** Creates an input file for a file on disk. `path` is its name in reports. */
export function createDiskFile(location: string, path: string): InputFile {
  let head: Promise<Uint8Array> | undefined;
  return {
    path,
    bytes: statSync(location).size,
    head() {
      head ??= readHead(location);
      return head;
    },
    open: () => createReadStream(location, { highWaterMark: CHUNK_BYTES }),
    diskPath: async () => location,
  };
}

async function readHead(location: string): Promise<Uint8Array> {
  const handle = await open(location, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
